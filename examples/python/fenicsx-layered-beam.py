# SPDX-License-Identifier: LGPL-2.1-or-later
"""Cantilever of steel with a viscoelastic layer, whose end is pushed on a stop.

DOLFINx assembles M and K of the beam in the plane (quadratic elements, plane stress, unit width), and the
part K_l of the layer between two strips of steel. Maxwell elements make the layer viscoelastic:

    M q'' + beta K q' + K q + K_l sum_k g_k (q - z_k) = f(t) + H r,   tau_k z_k' + z_k = q in the layer,

where K is the stiffness after all relaxation. The internal variables z_k have no inertia and are viscous
half DoFs. The stop is below the last tenth of the beam, at a distance d:

    0 <= H^T q + d,   0 <= r,   r^T (H^T q + d) = 0.

halfdof.massless_contact() moves the mass of the contact nodes to the rest of the beam, so that they meet the
stop without impacts, and no law of impact is needed. A force f(t), half a sine, pushes the end for 20 ms.

The dimensions (0.2 m, 6 + 2 + 2 mm), d = 0.1 mm and the force are chosen, and so are the constants of the
layer, which are those of a soft damping polymer by order of magnitude.
"""

import argparse
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import scipy.sparse as sparse
import ufl
from dolfinx import fem, mesh
from mpi4py import MPI

import halfdof

plt.switch_backend("Agg")

LENGTH, THICKNESS = 0.2, 10e-3  # [m]
LAYER = 6e-3, 8e-3  # lower and upper side [m]
STEEL = {"E": 2.1e11, "nu": 0.3, "rho": 7850.0}  # [Pa], [-], [kg/m^3]
POLYMER = {"E": 2e7, "nu": 0.45, "rho": 1200.0}
SERIES = [(2.0, 5e-5), (1.0, 2e-4)]  # pairs (g, tau [s])
BETA = 1e-6  # [s]
GAP, PATCH = 0.1e-3, 0.9 * LENGTH  # [m]; the stop is below x >= PATCH.
PUSH, DURATION = 1e3, 20e-3  # [N] per unit width, [s]


def to_scipy(matrix):
    """Return a matrix of PETSc as one of SciPy."""
    starts, columns, values = matrix.getValuesCSR()
    return sparse.csr_matrix((values, columns, starts), shape=matrix.getSize()).tocsc()


class Beam:
    """Matrices and DoFs of the beam with n elements along it; the constants of the layer can be replaced."""

    def __init__(self, n, layer=POLYMER):
        corners, cell = [[0.0, 0.0], [LENGTH, THICKNESS]], mesh.CellType.quadrilateral
        grid = mesh.create_rectangle(MPI.COMM_SELF, corners, [n, 5], cell)
        space = fem.VectorFunctionSpace(grid, ("CG", 2))
        constant = fem.FunctionSpace(grid, ("DG", 0))
        cells = mesh.locate_entities(grid, 2, lambda x: (x[1] > LAYER[0] - 1e-9) & (x[1] < LAYER[1] + 1e-9))
        of = {name: fem.Function(constant) for name in (*STEEL, "layer")}
        for name in STEEL:
            of[name].x.array[:] = STEEL[name]
            of[name].x.array[cells] = layer[name]
        of["layer"].x.array[cells] = 1.0
        u, v = ufl.TrialFunction(space), ufl.TestFunction(space)
        E, nu, strain = of["E"], of["nu"], ufl.sym(ufl.grad(u))
        stress = E / (1 - nu**2) * ((1 - nu) * strain + nu * ufl.tr(strain) * ufl.Identity(2))

        def assembled(integrand):
            matrix = fem.petsc.assemble_matrix(fem.form(integrand * ufl.dx))
            matrix.assemble()
            return to_scipy(matrix)

        self.assembled_M = assembled(of["rho"] * ufl.inner(u, v))
        self.K = assembled(ufl.inner(stress, ufl.grad(v)))
        self.K_layer = assembled(of["layer"] * ufl.inner(stress, ufl.grad(v)))
        # DoF 2 i + c is the component c at the node i.
        self.points = np.repeat(space.tabulate_dof_coordinates()[:, :2], 2, axis=0)
        x, y = self.points.T
        vertical = np.arange(len(x)) % 2 == 1
        self.clamped = np.flatnonzero(x < 1e-9)
        self.contact = np.flatnonzero(vertical & (y < 1e-9) & (x > PATCH - 1e-9))
        self.tip = int(np.flatnonzero(vertical & (x > LENGTH - 1e-9) & (y > THICKNESS - 1e-9))[0])
        labels = halfdof.Labels(np.arange(len(x)) // 2, ["x", "y"] * (len(x) // 2), self.points)
        more = {"constrained": self.clamped, "labels": labels}
        self.M = halfdof.massless_contact(self.assembled_M, self.K, self.contact, **more)

    def reduce(self, viscoelastic=True):
        """Return the reduced system of the viscoelastic beam, or of the undamped beam after relaxation."""
        if not viscoelastic:
            return halfdof.reduce(self.M, None, self.K, constrained=self.clamped)
        options = {"constrained": self.clamped, "symmetric": True}
        elastic = self.M, BETA * self.K, self.K
        M, C, K, clamped = halfdof.with_viscoelastic_branches(*elastic, self.K_layer, SERIES, **options)
        return halfdof.reduce(M, C, K, constrained=clamped)

    def run(self, step, end, stop=True):
        """Return the motion under the push, with or without the stop."""
        contacts = [halfdof.Contact(int(dof), gap=GAP) for dof in self.contact] if stop else []
        push = {self.tip: f"{-PUSH}*sin(pi*t/{DURATION})*(t < {DURATION})"}
        return halfdof.simulate(self.reduce(), contacts, step=step, end=end, load=push)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("results/fenicsx-layered-beam"))
    parser.add_argument("--elements", type=int, default=30, help="number of elements along the beam")
    given = parser.parse_args()
    beam = Beam(given.elements)
    spectra = beam.reduce(viscoelastic=False).compare_spectra(6)
    print(f"undamped beam [Hz]: {abs(spectra.before[::2].imag) / (2 * np.pi)} before the elimination,")
    print(f"                    {spectra.frequencies[::2]} after it (passed: {spectra.passed})")
    reduced = beam.reduce()
    modes = [reduced.modes(1, shift=2j * np.pi * f) for f in spectra.frequencies[::2]]
    print(f"with the branches:  {np.array([m.frequencies[0] for m in modes])} Hz")
    print(f"  damping ratios:   {np.array([m.damping_ratios[0] for m in modes])}, {repr(reduced)}")
    with_stop, without = beam.run(2e-5, 0.04), beam.run(2e-5, 0.04, stop=False)
    force = with_stop.reactions.sum(axis=1)
    t = with_stop.t
    print(f"largest force of the stop {force.max():.0f} N/m, its impulse {np.trapz(force, t):.3f} N s/m")
    figure, axes = plt.subplots(3, 1, figsize=(8, 9), constrained_layout=True)
    for run, name in ((without, "no stop"), (with_stop, "with the stop")):
        axes[0].plot(1e3 * run.t, 1e3 * run.q[:, beam.tip], label=name)
    axes[0].axhline(-1e3 * GAP, color="k", linestyle="--", label="height of the stop")
    axes[0].set(xlabel="time [ms]", ylabel="displacement of the end [mm]")
    axes[1].plot(1e3 * t, force, "C1", label="force of the stop")
    push = PUSH * np.sin(np.pi * np.minimum(t, DURATION) / DURATION)
    axes[1].plot(1e3 * t, push, "k--", label="push on the end")
    axes[1].set(xlabel="time [ms]", ylabel="force per width [N/m]")
    u = with_stop.q[np.searchsorted(t, DURATION / 2), : len(beam.points)].reshape(-1, 2)
    rest = beam.points[::2]
    order = np.lexsort(rest.round(6).T)  # rows of nodes at the heights 0, 1 ... 10 mm
    x, y = 1e3 * (rest + 50 * u)[order].reshape(11, -1, 2).transpose(2, 0, 1)
    for lower, upper, name, color in ((0, 6, "steel", "0.7"), (6, 8, "layer", "C3"), (8, 10, None, "0.7")):
        axes[2].fill_between(x[lower], y[lower], y[upper], color=color, label=name)
    axes[2].plot([1e3 * PATCH, 1e3 * LENGTH], [-50e3 * GAP] * 2, "k", linewidth=4, label="stop")
    axes[2].set(xlabel="x [mm]", ylabel="y [mm]", title="t = 10 ms, displacements x 50")
    for axis in axes:
        axis.grid(True, alpha=0.3)
        axis.legend(loc="best", fontsize="small")
    given.output.mkdir(parents=True, exist_ok=True)
    figure.savefig(given.output / "layered-beam.png", dpi=110)


if __name__ == "__main__":
    main()
