# SPDX-License-Identifier: LGPL-2.1-or-later
"""Steel strip on a rigid floor, one end of which is pulled up and then released.

GetFEM assembles M and K of a strip in the plane (quadratic elements, plane stress, unit width). The nodes of
its lower edge touch the floor without adhesion and friction, and the end is pulled up by F(t):

    M q'' + (alpha M + beta K) q' + K q = weight + e_end F(t) + H r,   0 <= H^T q,   0 <= r,   r^T H^T q = 0.

halfdof.massless_contact() moves the mass of these nodes to the rest of the strip, so that they meet the
floor without impacts; they have damping, and are viscous. F(t) grows over 0.2 s, is held until the strip
rests, and ceases at t = 1 s.

While F is held, two references hold: the equilibrium that GetFEM finds with its own contact brick
(semismooth Newton method), and the beam, which F lifts from the floor over the length a = 2 F / w by w a^4 /
(24 E I), where w is the weight of a length. The beam presses on the floor by w and, at its last point, by F.
The dimensions, a = 0.6 m (which determines F), alpha and beta are chosen; the material is steel.
"""

import argparse
from pathlib import Path

import getfem as gf
import matplotlib.pyplot as plt
import numpy as np
import scipy.sparse as sparse

import halfdof

plt.switch_backend("Agg")

E, NU, RHO, GRAVITY = 2.1e11, 0.3, 7850.0, 9.81  # steel [Pa], [-], [kg/m^3], [m/s^2]
LENGTH, THICKNESS, LIFTED = 1.0, 6e-3, 0.6  # [m]
ALPHA, BETA = 40.0, 1e-5  # damping [1/s], [s]
WEIGHT = RHO * GRAVITY * THICKNESS  # of a length [N/m] per unit width
PULL = WEIGHT * LIFTED / 2  # [N/m]
LIFT_OF_BEAM = WEIGHT * LIFTED**4 / (2 * E * THICKNESS**3)  # w a^4 / (24 E I) [m]


def to_scipy(matrix):
    """Return a sparse matrix of GetFEM as one of SciPy."""
    starts, rows = matrix.csc_ind()
    return sparse.csc_matrix((matrix.csc_val(), rows, starts), shape=matrix.size())


class Strip:
    """Matrices of the strip with n elements along it, and its DoFs."""

    def __init__(self, n):
        gf.util_trace_level(0)
        mesh = gf.Mesh("cartesian", np.linspace(0, LENGTH, n + 1), [0, THICKNESS])
        self.fem = gf.MeshFem(mesh, 2)
        self.fem.set_fem(gf.Fem("FEM_QK(2,2)"))
        self.quadrature = gf.MeshIm(mesh, gf.Integ("IM_GAUSS_PARALLELEPIPED(2,4)"))
        self.lame = E * NU / (1 - NU**2), E / (2 + 2 * NU)  # of plane stress
        data = gf.MeshFem(mesh, 1)
        data.set_classical_discontinuous_fem(0)
        lame = [np.full(data.nbdof(), value) for value in self.lame]
        self.M = RHO * to_scipy(gf.asm_mass_matrix(self.quadrature, self.fem))
        self.K = to_scipy(gf.asm_linear_elasticity(self.quadrature, self.fem, data, *lame))
        self.x, y = self.fem.basic_dof_nodes()
        vertical = np.arange(len(self.x)) % 2 == 1
        self.contact = np.flatnonzero(vertical & (y < 1e-9))
        self.contact = self.contact[np.argsort(self.x[self.contact])]
        self.corner = int(np.flatnonzero(~vertical & (self.x < 1e-9) & (y < 1e-9))[0])
        self.end = int(self.contact[-1])
        self.weight = self.M @ np.where(vertical, -GRAVITY, 0.0)
        self.pull = PULL * (np.arange(len(self.x)) == self.end)
        nodes = np.arange(len(self.x)) // 2
        self.labels = halfdof.Labels(nodes, ["x", "y"] * (nodes[-1] + 1), np.c_[self.x, y])

    def reduce(self):
        """Return the reduced system without inertia at the lower edge."""
        more = {"constrained": [self.corner], "labels": self.labels}
        M = halfdof.massless_contact(self.M, self.K, self.contact, **more)
        return halfdof.reduce(M, ALPHA * M + BETA * self.K, self.K, **more)

    def run(self, step, end, release=np.inf):
        """Return the motion of the lower edge while the end is pulled up and then released."""
        floor = [halfdof.Contact(int(dof), name=f"floor at x = {self.x[dof]:g}") for dof in self.contact]

        def load(t):
            return self.weight + self.pull * (min(t / 0.2, 1.0) if t < release else 0.0)

        options = {"method": "generalized-alpha", "spectral_radius": 0.5, "load": load, "dofs": self.contact}
        return halfdof.simulate(self.reduce(), floor, step=step, end=end, **options)

    def equilibrium_by_getfem(self):
        """Return displacements and reactions of the contact brick of GetFEM under the weight and the pull."""
        model = gf.Model("real")
        model.add_fem_variable("u", self.fem)
        for name, value in (("lambda", self.lame[0]), ("mu", self.lame[1]), ("r", 1e5)):
            model.add_initialized_data(name, [value])
        model.add_isotropic_linearized_elasticity_brick(self.quadrature, "u", "lambda", "mu")
        model.add_explicit_rhs("u", self.weight + self.pull)
        held, normals = gf.Spmat("empty", 1, len(self.x)), gf.Spmat("empty", len(self.contact), len(self.x))
        held.add(0, self.corner, 1.0)
        for i, dof in enumerate(self.contact):
            normals.add(i, int(dof), -1.0)
        model.add_variable("holding", 1)
        model.add_constraint_with_multipliers("u", "holding", held, [0.0])
        model.add_variable("reactions", len(self.contact))
        model.add_initialized_data("gap", np.zeros(len(self.contact)))
        model.add_basic_contact_brick("u", "reactions", "r", normals, "gap")
        # The steps of the semismooth Newton method are not shortened, because it stalls otherwise.
        options = ("max_res", 1e-7, "max_iter", 200, "lsearch", "simplest", "alpha min", 1.0)
        if not model.solve(*options)[1]:
            raise RuntimeError("GetFEM found no equilibrium.")
        return model.variable("u"), -model.variable("reactions")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("results/getfem-rod-on-foundation"))
    parser.add_argument("--elements", type=int, default=40)
    given = parser.parse_args()
    strip = Strip(given.elements)
    print(repr(strip.reduce()))
    run = strip.run(1e-4, 1.05, release=1.0)
    held = int(np.searchsorted(run.t, 0.999))
    u, reactions = strip.equilibrium_by_getfem()
    x, u = strip.x[strip.contact], u[strip.contact]
    print(f"lift of the end: halfdof {1e3 * run.q[held, -1]:.6f} mm, GetFEM {1e3 * u[-1]:.6f} mm,", end=" ")
    print(f"beam {1e3 * LIFT_OF_BEAM:.6f} mm")
    difference = abs(run.reactions[held] - reactions).max()
    print(f"largest difference of reactions from GetFEM: {difference:.1e} N of {reactions.max():.1f} N")
    figure, axes = plt.subplots(2, 2, figsize=(12, 7.5), constrained_layout=True)
    axes[0, 0].plot(run.t, 1e3 * run.q[:, -1], label="halfdof")
    axes[0, 0].axhline(1e3 * u[-1], color="C1", linestyle="--", label="equilibrium, GetFEM")
    axes[0, 0].set(xlabel="time [s]", ylabel="lift of the end [mm]")
    axes[0, 1].plot(1e3 * (run.t - 1.0), run.reactions.sum(axis=1), label="halfdof")
    axes[0, 1].axhline(WEIGHT * LENGTH, color="C1", linestyle="--", label="weight of the strip")
    axes[0, 1].set(xlabel="time since the release [ms]", ylabel="force of the floor [N]", xlim=(-3, 20))
    axes[1, 0].plot(x, np.cumsum(run.reactions[held]), label="halfdof, end held")
    axes[1, 0].plot(x, np.cumsum(reactions), "ko", fillstyle="none", markersize=4, label="GetFEM")
    force = WEIGHT * (LENGTH - LIFTED) + np.array([0, PULL, PULL])
    axes[1, 0].plot([0, LENGTH - LIFTED, LENGTH - LIFTED, LENGTH], [0, *force], "C1--", label="beam")
    axes[1, 0].set(xlabel="x [m]", ylabel="force of the floor from 0 to x [N]")
    for ms in (0, 3, 5, 7):  # A millisecond has ten steps.
        axes[1, 1].plot(x, 1e3 * run.q[10000 + 10 * ms], label=f"{ms} ms after the release")
    axes[1, 1].set(xlabel="x [m]", ylabel="gap between strip and floor [mm]")
    for axis in axes.flat:
        axis.grid(True, alpha=0.3)
        axis.legend(loc="best", fontsize="small")
    given.output.mkdir(parents=True, exist_ok=True)
    figure.savefig(given.output / "rod-on-foundation.png", dpi=110)


if __name__ == "__main__":
    main()
