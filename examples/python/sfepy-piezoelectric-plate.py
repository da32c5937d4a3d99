# SPDX-License-Identifier: LGPL-2.1-or-later
"""Square plate of piezoelectric ceramic with shorted or open electrodes, and its electric impedance.

SfePy assembles one eighth of a free plate (quadratic hexahedra), which is poled through its thickness and
has an electrode on each face. Displacements u and electric potential phi obey

    rho u'' = div T,   div D = 0,   T = c S(u) + e^T grad phi,   D = e S(u) - epsilon grad phi,

so that M holds rho on u alone and K = [K_uu K_up; K_up^T -K_pp] is indefinite. The potentials have neither
mass nor damping: they are algebraic. On the planes of symmetry the normal displacement is zero, and so is
phi in the middle of the plate. Shorted electrodes have phi = 0 on the face as well. On an open electrode all
potentials are equal, which constraints ensure, and the charge is zero.

A charge Q on the open electrode is the load -Q on its potential. Its response phi gives the impedance of the
plate Z = 2 phi / (4 i omega Q). It is least near modes with shorted, and largest near those with open ones.

The constants are those of PZT-5A (Jaffe, Cook, Jaffe: Piezoelectric Ceramics, 1971), the plate is 20 x 20 x
1 mm^3. The damping C = beta K_uu gives the mode at 83 kHz a damping ratio of about 0.5 %.
"""

import argparse
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import scipy.linalg
import scipy.sparse as sparse
from sfepy.base.base import output
from sfepy.discrete import Equation, Equations, FieldVariable, Integral, Material, Problem
from sfepy.discrete.conditions import Conditions
from sfepy.discrete.fem import FEDomain, Field
from sfepy.mesh.mesh_generators import gen_block_mesh
from sfepy.terms import Term

import halfdof

plt.switch_backend("Agg")

HALF_WIDTH, HALF_THICKNESS = 10e-3, 0.5e-3  # [m]
STIFFNESS = 1e9 * np.diag([121, 121, 111, 22.6, 21.1, 21.1])  # [Pa], of 11, 22, 33, 12, 13, 23
STIFFNESS[[0, 1, 0, 1, 2, 2], [1, 0, 2, 2, 0, 1]] = 1e9 * np.array([75.4, 75.4, 75.2, 75.2, 75.2, 75.2])
COUPLING = np.array([[0, 0, 0, 0, 12.3, 0], [0, 0, 0, 0, 0, 12.3], [-5.4, -5.4, 15.8, 0, 0, 0]])  # [C/m^2]
PERMITTIVITY = 8.8542e-12 * np.diag([916, 916, 830])  # at constant strain [F/m]
CERAMIC = {"c": STIFFNESS, "e": COUPLING, "epsilon": PERMITTIVITY, "rho": 7750.0}  # [kg/m^3]
BETA = 2 * 0.005 / (2 * np.pi * 83e3)  # [s]


def matrix_of(*sums):
    """Return the matrix of equations, each of which is a sum of terms of SfePy."""
    problem = Problem("problem", equations=Equations([Equation(str(i), s) for i, s in enumerate(sums)]))
    problem.set_bcs(ebcs=Conditions([]))
    problem.time_update()
    problem.update_materials()
    matrix = problem.equations.evaluate(mode="weak", dw_mode="matrix", asm_obj=problem.mtx_a)
    return matrix.tocsc()


class Plate:
    """Matrices and DoFs of one eighth of the plate, with n x n elements."""

    def __init__(self, n):
        output.set_output(quiet=True)
        size = np.array([HALF_WIDTH, HALF_WIDTH, HALF_THICKNESS])
        mesh = gen_block_mesh(size, (n + 1, n + 1, 2), size / 2, verbose=False)
        body = FEDomain("plate", mesh).create_region("body", "all")
        names = {"m": Material("m", **CERAMIC)}
        for kind, unknown, test in (("vector", "u", "v"), ("scalar", "p", "q")):
            field = Field.from_args(kind, np.float64, kind, body, approx_order=2)
            names[unknown] = FieldVariable(unknown, "unknown", field)
            names[test] = FieldVariable(test, "test", field, primary_var_name=unknown)

        def term(text):
            return Term.new(text, Integral("i", order=4), body, **names)

        self.K = matrix_of(
            term("dw_lin_elastic(m.c, v, u)") + term("dw_piezo_coupling(m.e, v, p)"),
            term("dw_piezo_coupling(m.e, u, q)") - term("dw_diffusion(m.epsilon, q, p)"),
        )
        x = field.get_coor()
        n_u = 3 * len(x)  # The displacements are before the potentials.
        none = sparse.csc_matrix((len(x), len(x)))
        self.M = sparse.block_diag([matrix_of(term("dw_volume_dot(m.rho, v, u)")), none], format="csc")
        self.C = BETA * sparse.block_diag([self.K[:n_u, :n_u], none], format="csc")
        on_plane = np.abs(x) < 1e-9
        self.fixed = np.flatnonzero(np.r_[on_plane.ravel(), on_plane[:, 2]])
        self.face = n_u + np.flatnonzero(x[:, 2] > HALF_THICKNESS - 1e-9)

    def reduce(self, shorted, damped=False):
        """Return the reduced system with shorted or with open electrodes."""
        C = self.C if damped else None
        if shorted:
            return halfdof.reduce(self.M, C, self.K, constrained=np.r_[self.fixed, self.face])
        # All potentials of the electrode equal the first one. The equations have the magnitude of those of K.
        factor, n_rows = PERMITTIVITY[2, 2] * HALF_WIDTH, len(self.face) - 1
        rows = sparse.lil_matrix((n_rows, self.K.shape[0]))
        rows[:, self.face[0]] = factor
        rows[np.arange(n_rows), self.face[1:]] = -factor
        return halfdof.reduce(self.M, C, self.K, constrained=self.fixed, constraints=rows)

    def condensed_frequencies(self, shorted):
        """Return all frequencies [Hz] by dense static condensation of the potentials in NumPy."""
        M, K = self.M.toarray(), self.K.toarray()
        moving = np.setdiff1d(np.flatnonzero(M.any(axis=0)), self.fixed)
        potentials = np.setdiff1d(np.arange(moving.max() + 1, len(K)), np.r_[self.fixed, self.face])
        T = np.eye(len(K))[:, potentials]
        if not shorted:
            T = np.c_[T, np.isin(np.arange(len(K)), self.face)]
        K_pp, K_pu = T.T @ K @ T, T.T @ K[:, moving]
        condensed = K[np.ix_(moving, moving)] - K_pu.T @ np.linalg.solve(K_pp, K_pu)
        return np.sqrt(scipy.linalg.eigvalsh(condensed, M[np.ix_(moving, moving)])) / (2 * np.pi)

    def impedance(self, frequencies):
        """Return the impedance of the whole plate [ohm]."""
        electrode = int(self.face[0])
        f, H = self.reduce(shorted=False, damped=True).response([{electrode: -1.0}], [electrode], frequencies)
        return 2 * H[:, 0, 0] / (4 * 2j * np.pi * f)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("results/sfepy-piezoelectric-plate"))
    parser.add_argument("--elements", type=int, default=3, help="number along half of an edge")
    given = parser.parse_args()
    plate = Plate(given.elements)
    modes = {name: plate.reduce(name == "shorted").modes(4) for name in ("shorted", "open")}
    for name in modes:
        condensed = plate.condensed_frequencies(name == "shorted")[:4]
        print(f"{name} electrodes, modes [kHz]: {modes[name].frequencies / 1e3}")
        print(f"  by static condensation [kHz]: {condensed / 1e3}")
    damped = [plate.reduce(shorted, damped=True).modes(4).eigenvalues for shorted in (True, False)]
    f = halfdof.with_resonances(np.linspace(50e3, 130e3, 80), np.concatenate(damped))
    Z = plate.impedance(f)
    figure, axes = plt.subplots(2, 1, figsize=(8, 6.5), sharex=True, constrained_layout=True)
    axes[0].semilogy(f / 1e3, abs(Z), label="impedance")
    axes[0].set(ylabel="|Z| [ohm]", title="PZT-5A, 20 x 20 x 1 mm³", ylim=(5, 2e4))
    axes[1].plot(f / 1e3, np.degrees(np.angle(Z)))
    axes[1].set(xlabel="frequency [kHz]", ylabel="phase of Z [degrees]")
    for axis in axes:
        for name, style in (("shorted", ("C1", "--")), ("open", ("C2", ":"))):
            more = {"transform": axis.get_xaxis_transform(), "label": f"modes, {name} electrodes"}
            axis.vlines(modes[name].frequencies / 1e3, 0, 1, *style, **more)
        axis.grid(True, alpha=0.3)
    axes[0].legend(loc="lower left")
    given.output.mkdir(parents=True, exist_ok=True)
    figure.savefig(given.output / "piezoelectric-plate.png", dpi=110)


if __name__ == "__main__":
    main()
