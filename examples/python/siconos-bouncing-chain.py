# SPDX-License-Identifier: LGPL-2.1-or-later
"""The same bouncing chain of masses with Siconos and with halfdof.

Equal masses m, one above the other and joined by springs k and dampers c, fall from the height q_0 and
bounce on a floor, which only the lowest mass meets:

    M q'' + C q' + K q = -m g (1 ... 1)^T + (1 0 ... 0)^T r,   0 <= q_1,   0 <= r,   q_1 r = 0,

with Newton's law of impact v_1(t+) = -e v_1(t-). Both programs integrate by the method of Moreau and Jean
with theta = 1/2: where the gap is about to close, the law of impact holds for the rates before and after a
step. As the method is the same, the trajectories agree up to rounding.

The numbers (1 kg, 20 kN/m, 1 N s/m, e = 0.5, 0.1 m) are chosen so that the chain vibrates between its
impacts.

Times are compared twice, when each point is recorded (in a Python loop with Siconos, which is its usual
way), and when both programs run in C++ and record nothing. The matrices of Siconos are dense, those of
halfdof sparse.
"""

import argparse
import time
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import siconos.kernel as sk

import halfdof

plt.switch_backend("Agg")

MASS, SPRING, DAMPER, GRAVITY = 1.0, 2e4, 1.0, 9.81  # [kg], [N/m], [N s/m], [m/s^2]
HEIGHT, RESTITUTION, THETA = 0.1, 0.5, 0.5  # [m], [-], [-]


def chain(n):
    """Return M, C and K of n masses, and their weights."""
    differences = np.diff(np.eye(n), axis=0)
    links = differences.T @ differences
    return MASS * np.eye(n), DAMPER * links, SPRING * links, np.full(n, -MASS * GRAVITY)


def with_halfdof(n, step, end, every=1):
    """Return times, displacements, rates and the impulse of the floor in each step, or of every k-th step."""
    M, C, K, weight = chain(n)
    floor = halfdof.Contact({0: 1.0}, restitution=RESTITUTION)
    start = {"displacement": np.full(n, HEIGHT), "load": weight}
    run = halfdof.simulate(
        halfdof.reduce(M, C, K), [floor], step=step, end=end, theta=THETA, every=every, **start
    )
    return run.t, run.q, run.v, np.diff(run.impulses[:, 0], prepend=0.0)


def simulation_of_siconos(n, step, end):
    """Return the simulation, the dynamical system and the interaction of Siconos."""
    M, C, K, weight = chain(n)
    masses = sk.LagrangianLinearTIDS(np.full(n, HEIGHT), np.zeros(n), M, K, C)
    masses.setFExtPtr(weight)
    floor = sk.Interaction(sk.NewtonImpactNSL(RESTITUTION), sk.LagrangianLinearTIR(np.eye(1, n)))
    model = sk.NonSmoothDynamicalSystem(0.0, end)
    model.insertDynamicalSystem(masses)
    model.link(floor, masses)
    steps = sk.TimeDiscretisation(0.0, step)
    return sk.TimeStepping(model, steps, sk.MoreauJeanOSI(THETA), sk.LCP()), masses, floor


def with_siconos(n, step, end):
    """Return times, displacements, rates and the impulse of the floor in each step."""
    simulation, masses, floor = simulation_of_siconos(n, step, end)
    points = [(0.0, np.copy(masses.q()), np.copy(masses.velocity()), 0.0)]
    while simulation.hasNextEvent():
        simulation.computeOneStep()
        impulse = floor.lambda_(1)[0]
        points.append((simulation.nextTime(), np.copy(masses.q()), np.copy(masses.velocity()), impulse))
        simulation.nextStep()
    return tuple(np.array(column) for column in zip(*points))


def timed(function, *arguments):
    """Return the result of a function and the shortest of three times."""
    times = []
    for _ in range(3):
        begin = time.perf_counter()
        result = function(*arguments)
        times.append(time.perf_counter() - begin)
    return result, min(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("results/siconos-bouncing-chain"))
    parser.add_argument("--masses", type=int, default=4)
    parser.add_argument("--step", type=float, default=1e-4, help="length of a step [s]")
    given = parser.parse_args()
    n, step, end = given.masses, given.step, 0.8
    (t, q, v, impulses), ours = timed(with_halfdof, n, step, end)
    (_, q_peer, v_peer, impulses_peer), theirs = timed(with_siconos, n, step, end)
    _, our_loop = timed(with_halfdof, n, step, end, len(t))
    _, their_loop = timed(lambda: simulation_of_siconos(n, step, end)[0].run())
    print(f"{n} masses, {len(t) - 1} steps of {step:g} s, {np.sum(impulses > 0)} of them in contact")
    print(f"largest difference of displacements: {abs(q - q_peer).max():.1e} m")
    print(f"largest difference of rates: {abs(v - v_peer).max():.1e} m/s")
    print(f"largest difference of impulses in a step: {abs(impulses - impulses_peer).max():.1e} N s")
    for what, a, b in (("each point recorded", ours, theirs), ("nothing recorded", our_loop, their_loop)):
        print(f"{what}: halfdof {1e3 * a:.1f} ms, Siconos {1e3 * b:.1f} ms, ratio {b / a:.1f}")

    curves = [
        ("displacement [mm]", {"lowest mass": (1e3 * q[:, 0], 1e3 * q_peer[:, 0])}),
        ("rate [m/s]", {"lowest mass": (v[:, 0], v_peer[:, 0])}),
        ("impulse since t = 0 [N s]", {"floor": (np.cumsum(impulses), np.cumsum(impulses_peer))}),
    ]
    curves[0][1]["highest mass"] = (1e3 * q[:, -1], 1e3 * q_peer[:, -1])
    figure, axes = plt.subplots(3, 1, figsize=(8, 8), sharex=True, constrained_layout=True)
    some = slice(None, None, max(1, len(t) // 60))
    for axis, (quantity, of_names) in zip(axes, curves):
        for i, (name, (of_halfdof, of_siconos)) in enumerate(of_names.items()):
            axis.plot(t, of_halfdof, color=f"C{i}", label=f"{name}, halfdof")
            axis.plot(
                t[some],
                of_siconos[some],
                "ko",
                markersize=4 + 2 * i,
                fillstyle="none",
                label=f"{name}, Siconos",
            )
        axis.set_ylabel(quantity)
        axis.grid(True, alpha=0.3)
        axis.legend(loc="best", fontsize="small")
    axes[2].set_xlabel("time [s]")
    given.output.mkdir(parents=True, exist_ok=True)
    figure.savefig(given.output / "bouncing-chain.png", dpi=110)


if __name__ == "__main__":
    main()
