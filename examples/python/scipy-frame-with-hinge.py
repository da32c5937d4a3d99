# SPDX-License-Identifier: LGPL-2.1-or-later
"""Portal frame with a chevron brace, whose massless hinge rubs on the roof beam.

Two columns and a roof beam of Euler-Bernoulli elements carry the mass of a roof. Two bars without mass run
from the feet of the columns to a hinge below the middle of the beam. A bolted plate with a slot holds the
hinge there by friction:

    M q'' + C q' + K q = -M e a_g(t) + (e_hinge - e_roof) r,   |r| <= R,   r opposite to u_hinge' - u_roof',

where q are displacements relative to the ground, and e is a unit horizontal motion of all nodes. The hinge
has neither mass nor damping, so that its two displacements are algebraic. While the plate sticks, bars and
hinge are a spring beside the frame; while it slips, they are not.

The numbers are those of a storey with columns HEB 200 and a beam IPE 300 (EN 10365), bars of 1 cm^2 and a
roof of 12 t. The damping C = beta K_frame gives the first mode of the frame a damping ratio of 2 %. The
ground moves for six periods of this mode, a_g = 1 m/s^2 sin(omega_1 t).
"""

import argparse
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import scipy.sparse as sparse

import halfdof

plt.switch_backend("Agg")

WIDTH, HEIGHT = 6.0, 3.5  # [m]
E, RHO = 2.1e11, 7850.0  # [Pa], [kg/m^3]
COLUMN = (7.81e-3, 5.696e-5)  # area [m^2] and second moment of area [m^4] of HEB 200
BEAM = (5.38e-3, 8.356e-5)  # of IPE 300
BAR = 1e-4  # [m^2]
ROOF = 12e3  # [kg]
GROUND = 1.0  # [m/s^2]


def element(ends, section):
    """Return consistent mass and stiffness of an element with u, v and a rotation at each end."""
    area, inertia = section
    L = np.hypot(*(ends[1] - ends[0]))
    c, s = (ends[1] - ends[0]) / L
    T = np.kron(np.eye(2), [[c, s, 0], [-s, c, 0], [0, 0, 1]])
    M, K = np.zeros((6, 6)), np.zeros((6, 6))
    stretching, bending = np.ix_([0, 3], [0, 3]), np.ix_([1, 2, 4, 5], [1, 2, 4, 5])
    a, b, ll = 6 * L, 2 * L**2, L**2
    K[stretching] = E * area / L * np.array([[1, -1], [-1, 1]])
    M[stretching] = RHO * area * L / 6 * np.array([[2, 1], [1, 2]])
    of_bending = [[12, a, -12, a], [a, 2 * b, -a, b], [-12, -a, 12, -a], [a, b, -a, 2 * b]]
    K[bending] = E * inertia / L**3 * np.array(of_bending)
    of_bending = [[156, 22 * L, 54, -13 * L], [22 * L, 4 * ll, 13 * L, -3 * ll]]
    of_bending += [[54, 13 * L, 156, -22 * L], [-13 * L, -3 * ll, -22 * L, 4 * ll]]
    M[bending] = RHO * area * L / 420 * np.array(of_bending)
    return T.T @ M @ T, T.T @ K @ T


class Frame:
    """Matrices and DoFs of the frame with n elements in each column and 2 n in the beam."""

    def __init__(self, n):
        up, across = np.linspace(0, HEIGHT, n + 1), np.linspace(0, WIDTH, 2 * n + 1)
        beam = [(x, HEIGHT) for x in across[1:-1]]
        points = np.array([(0, y) for y in up] + beam + [(WIDTH, y) for y in up[::-1]])
        last = len(points) - 1
        n_dofs = 3 * len(points) + 2
        self.hinge, self.roof = n_dofs - 2, 3 * 2 * n
        self.clamped = [0, 1, 2, 3 * last, 3 * last + 1, 3 * last + 2]
        self.M, self.K_frame, self.K_bars = (sparse.lil_matrix((n_dofs, n_dofs)) for _ in range(3))
        for i in range(last):
            dofs = np.ix_(range(3 * i, 3 * i + 6), range(3 * i, 3 * i + 6))
            M, K = element(points[i : i + 2], BEAM if n <= i < 3 * n else COLUMN)
            self.M[dofs] += M
            self.K_frame[dofs] += K
        for i in range(n, 3 * n + 1):  # The roof is spread over the nodes of the beam.
            for dof in (3 * i, 3 * i + 1):
                self.M[dof, dof] += ROOF / (2 * n + 1)
        for foot in (0, last):
            bar = np.array([WIDTH / 2, HEIGHT]) - points[foot]
            d = np.r_[-bar, bar] / np.hypot(*bar)
            dofs = [3 * foot, 3 * foot + 1, self.hinge, self.hinge + 1]
            self.K_bars[np.ix_(dofs, dofs)] += E * BAR / np.hypot(*bar) * np.outer(d, d)
        self.K = self.K_frame + self.K_bars
        horizontal = (np.arange(n_dofs) % 3 == 0) & (np.arange(n_dofs) < 3 * len(points))
        self.shaken = -(self.M @ horizontal)  # load of a unit acceleration of the ground
        free = halfdof.reduce(self.M, None, self.K, constrained=self.clamped)
        self.omega = 2 * np.pi * free.modes(1).frequencies[0]
        self.C = 2 * 0.02 / self.omega * self.K_frame

    def reduce(self, sticks=False):
        """Return the reduced system whose brace slips without friction, or never slips."""
        row = sparse.coo_matrix(([1, -1], ([0, 0], [self.hinge, self.roof])), (1, len(self.shaken)))
        options = {"constrained": self.clamped, "constraints": row if sticks else None}
        return halfdof.reduce(self.M, self.C, self.K, **options)

    def run(self, threshold, step=1e-3, end=4.0, sticks=False):
        """Return the motion under the ground acceleration; the threshold of friction is in newtons."""

        def load(t):
            return self.shaken * (GROUND * np.sin(self.omega * t) * (self.omega * t < 12 * np.pi))

        plate = halfdof.DryFriction({self.hinge: 1.0, self.roof: -1.0}, threshold, name="plate")
        options = {"step": step, "end": end, "load": load, "dofs": [self.roof]}
        return halfdof.simulate(self.reduce(sticks), [] if sticks else [plate], **options)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("results/scipy-frame-with-hinge"))
    parser.add_argument("--elements", type=int, default=6, help="number of elements in a column")
    parser.add_argument("--threshold", type=float, default=6e3, help="friction of the plate [N]")
    given = parser.parse_args()
    frame = Frame(given.elements)
    figure, axes = plt.subplots(1, 3, figsize=(15, 4.2), constrained_layout=True)
    left, right = frame.clamped[0], frame.clamped[3]
    for name in ("slips", "sticks"):
        system = frame.reduce(sticks=name == "sticks")
        modes = system.modes(3)
        print(
            f"the brace {name}: modes at {modes.frequencies.round(4)} Hz, {len(system.algebraic)} algebraic"
        )
        print(f"  DoFs, spectra before and after the elimination agree: {system.compare_spectra().passed}")
        f = halfdof.with_resonances(np.linspace(1, 9, 200), modes.eigenvalues)
        ground, drift = {left: 1.0, right: 1.0}, {frame.roof: 1.0, left: -1.0}
        f, H = system.response([ground], [drift], f, base="acceleration")
        axes[0].semilogy(f, 1e3 * abs(H[:, 0, 0]), label=f"the brace {name}")
    runs = {"no friction": frame.run(0.0), f"R = {given.threshold / 1e3:g} kN": frame.run(given.threshold)}
    runs["the brace sticks"] = frame.run(0.0, sticks=True)
    for name, run in runs.items():
        print(f"{name}: largest drift {1e3 * abs(run.q).max():.2f} mm, dissipated {run.dissipated[-1]:.1f} J")
        axes[1].plot(run.t, 1e3 * run.q[:, 0], label=name)
    name, run = list(runs.items())[1]
    axes[2].plot(1e3 * run.q[:, 0], run.reaction("plate") / 1e3, label=name)
    labels = [("frequency [Hz]", "drift per acceleration of the ground [mm/(m/s²)]", "response")]
    labels += [("time [s]", "drift of the roof [mm]", "motion, ground shaken for six periods")]
    labels += [("drift of the roof [mm]", "friction on the hinge [kN]", "friction over the drift")]
    for axis, (x, y, title) in zip(axes, labels):
        axis.set(xlabel=x, ylabel=y, title=title)
        axis.grid(True, alpha=0.3)
        axis.legend(loc="upper right", fontsize="small")
    axes[2].set_ylim(-1.3e-3 * given.threshold, 1.3e-3 * given.threshold)
    given.output.mkdir(parents=True, exist_ok=True)
    figure.savefig(given.output / "frame-with-hinge.png", dpi=110)


if __name__ == "__main__":
    main()
