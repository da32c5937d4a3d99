# SPDX-License-Identifier: LGPL-2.1-or-later
"""Example scripts that take their matrices from other programs, each beside an independent result."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
import scipy.linalg
import scipy.optimize

import halfdof

pytest.importorskip("matplotlib", reason="The example scripts draw pictures with Matplotlib.")

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "python"


def example(name, *packages):
    """Return the example script as a module; the test is skipped if one of its packages is missing."""
    for package in packages:
        pytest.importorskip(package, reason=f"The example {name} needs the package {package}.")
    specification = importlib.util.spec_from_file_location(name.replace("-", "_"), EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def first_modes(reduced, count):
    return reduced.modes(count).frequencies


# A cantilever of DOLFINx.


@pytest.fixture(scope="module")
def layered():
    return example("fenicsx-layered-beam", "dolfinx", "petsc4py")


def test_cantilever_of_steel_has_the_frequency_of_a_beam(layered):
    # Euler and Bernoulli: omega = 1.8751^2 / L^2 sqrt(E I / (rho A)). Shear and rotary inertia lower the
    # frequency of a beam that is twenty times as long as thick by less than 0.2 %.
    beam = layered.Beam(20, layer=layered.STEEL)
    of_steel = layered.STEEL
    bar_speed = np.sqrt(of_steel["E"] / of_steel["rho"])
    expected = 1.875104**2 / layered.LENGTH**2 * layered.THICKNESS / np.sqrt(12) * bar_speed / (2 * np.pi)
    with_mass = halfdof.reduce(beam.assembled_M, None, beam.K, constrained=beam.clamped)
    found = first_modes(with_mass, 1)[0]
    assert 0.998 * expected < found < expected
    # The redistribution of mass keeps the mass, and hardly changes the frequency.
    assert beam.M.sum() == pytest.approx(beam.assembled_M.sum(), rel=1e-12)
    assert np.all(beam.M.diagonal()[beam.contact] == 0)
    assert first_modes(beam.reduce(viscoelastic=False), 1)[0] == pytest.approx(found, rel=1e-3)


def test_viscoelastic_mode_solves_the_nonlinear_eigenvalue_problem(layered):
    # Without internal variables: (s^2 M + s beta K + K + K_l sum_k g_k s tau_k / (1 + s tau_k)) x = 0, by
    # Newton's method for s with dense matrices.
    beam = layered.Beam(6)
    free = np.setdiff1d(np.arange(beam.K.shape[0]), beam.clamped)
    M, K, K_layer = (A.toarray()[np.ix_(free, free)] for A in (beam.M, beam.K, beam.K_layer))

    def dynamic_stiffness(s):
        relaxed = sum(g * s * tau / (1 + s * tau) for g, tau in layered.SERIES)
        rate = sum(g * tau / (1 + s * tau) ** 2 for g, tau in layered.SERIES)
        value = s**2 * M + s * layered.BETA * K + K + relaxed * K_layer
        return value, 2 * s * M + layered.BETA * K + rate * K_layer

    for frequency in first_modes(beam.reduce(viscoelastic=False), 2):
        s, x = 2j * np.pi * frequency, np.linspace(0.5, 1, len(free)) + 0j
        for _ in range(30):
            value, derivative = dynamic_stiffness(s)
            y = np.linalg.solve(value, derivative @ x)
            k = np.argmax(abs(x))
            s, x = s - x[k] / y[k], y / abs(y).max()
        found = beam.reduce().modes(1, shift=2j * np.pi * frequency).eigenvalues[0]
        assert abs(found - s) < 1e-8 * abs(s)


def test_beam_pressed_on_the_stop_comes_to_the_rest_of_static_contact(layered):
    # At rest the reactions r >= 0 minimize r^T W r / 2 + g^T r with the compliance W of the contact DoFs and
    # the gaps g without contact, which is a least-squares problem with bounds.
    beam = layered.Beam(20)
    free = np.setdiff1d(np.arange(beam.K.shape[0]), beam.clamped)
    K = beam.K.toarray()[np.ix_(free, free)]
    columns = np.zeros((len(free), len(beam.contact) + 1))
    for i, dof in enumerate([*beam.contact, beam.tip]):
        columns[free == dof, i] = 1.0
    compliance = np.linalg.solve(K, columns)
    normals, tip = columns[:, :-1], columns[:, -1]
    W, gaps = normals.T @ compliance[:, :-1], layered.GAP - layered.PUSH * normals.T @ compliance[:, -1]
    root = np.linalg.cholesky((W + W.T) / 2).T
    reactions, _ = scipy.optimize.nnls(root, -np.linalg.solve(root.T, gaps))

    floor = [halfdof.Contact(int(dof), gap=layered.GAP) for dof in beam.contact]
    push = {beam.tip: -layered.PUSH}
    run = halfdof.simulate(beam.reduce(), floor, method="implicit-euler", step=5e-3, end=1.0, load=push)
    np.testing.assert_allclose(run.reactions[-1], reactions, atol=1e-6 * reactions.max())
    displacement = compliance[:, :-1] @ reactions - layered.PUSH * compliance[:, -1]
    assert run.q[-1, beam.tip] == pytest.approx(tip @ displacement, rel=1e-7)


# A plate of SfePy.


@pytest.fixture(scope="module")
def piezoelectric():
    return example("sfepy-piezoelectric-plate", "sfepy")


@pytest.mark.parametrize("shorted", [True, False])
def test_frequencies_of_the_plate_are_those_of_static_condensation(piezoelectric, shorted):
    plate = piezoelectric.Plate(2)
    found = first_modes(plate.reduce(shorted), 6)
    np.testing.assert_allclose(found, plate.condensed_frequencies(shorted)[:6], rtol=1e-10)


def test_plate_is_a_capacitor_below_its_modes(piezoelectric):
    # A free plate in a homogeneous field is free of stress, so that its capacitance is A / h times the
    # permittivity at constant stress, epsilon + e c^-1 e^T.
    stiffness, coupling = piezoelectric.STIFFNESS, piezoelectric.COUPLING
    epsilon = (piezoelectric.PERMITTIVITY + coupling @ np.linalg.solve(stiffness, coupling.T))[2, 2]
    capacitance = epsilon * (2 * piezoelectric.HALF_WIDTH) ** 2 / (2 * piezoelectric.HALF_THICKNESS)
    f = 10.0
    Z = piezoelectric.Plate(2).impedance([f])[0]
    assert Z.imag == pytest.approx(-1 / (2 * np.pi * f * capacitance), rel=1e-6)
    assert abs(Z.real) < 1e-5 * abs(Z)


def test_impedance_is_small_at_shorted_and_large_at_open_modes(piezoelectric):
    plate = piezoelectric.Plate(2)
    shorted, opened = (first_modes(plate.reduce(s), 4)[2] for s in (True, False))
    assert opened > 1.1 * shorted
    f = np.linspace(0.97 * shorted, 1.03 * opened, 61)
    Z = abs(plate.impedance(f))
    assert f[Z.argmin()] == pytest.approx(shorted, rel=0.01)
    assert f[Z.argmax()] == pytest.approx(opened, rel=0.01)


# A strip of GetFEM.


def test_strip_rests_in_the_equilibrium_of_getfem():
    module = example("getfem-rod-on-foundation", "getfem")
    strip = module.Strip(20)
    u, reactions = strip.equilibrium_by_getfem()
    run = strip.run(step=5e-4, end=1.0)
    np.testing.assert_allclose(run.q[-1], u[strip.contact], atol=1e-6 * module.LIFT_OF_BEAM)
    np.testing.assert_allclose(run.reactions[-1], reactions, atol=1e-5 * reactions.max())
    # The beam theory holds up to the thickness of the strip.
    assert run.q[-1, -1] == pytest.approx(module.LIFT_OF_BEAM, rel=2e-3)
    assert run.reactions[-1].sum() == pytest.approx(module.WEIGHT * module.LENGTH - module.PULL, rel=1e-6)


# A frame that SciPy alone assembles.


@pytest.fixture(scope="module")
def frame():
    return example("scipy-frame-with-hinge").Frame(2)


def condensed(frame):
    """Return M, C and K of the frame without the brace, the place of the roof and all free DoFs."""
    free = np.setdiff1d(np.arange(frame.hinge), frame.clamped)
    M, C, K = (A.toarray()[np.ix_(free, free)] for A in (frame.M, frame.C, frame.K_frame))
    return M, C, K, int(np.flatnonzero(free == frame.roof)[0]), free


@pytest.mark.parametrize("sticks", [False, True])
def test_frequencies_of_the_frame_are_those_without_the_hinge(frame, sticks):
    # A brace that slips does nothing. One that sticks is a spring between roof and ground, because the
    # two bars are symmetric.
    M, _, K, roof, _ = condensed(frame)
    K[roof, roof] += frame.K_bars[frame.hinge, frame.hinge] * sticks
    expected = np.sqrt(scipy.linalg.eigh(K, M, eigvals_only=True)[:5]) / (2 * np.pi)
    row = np.zeros((1, frame.hinge + 2))
    row[0, [frame.hinge, frame.roof]] = 1, -1
    options = {"constrained": frame.clamped, "constraints": row if sticks else None}
    undamped = halfdof.reduce(frame.M, None, frame.K, **options)
    np.testing.assert_allclose(first_modes(undamped, 5), expected, rtol=1e-10)


def test_motion_of_the_frame_is_that_of_an_elastic_plastic_spring(frame):
    # Without the hinge the brace is a spring with a yield force R: f' = k u' while |f| < R. Newmark's method
    # with the mean acceleration, and the return of f to [-R, R] at the end of each step, is the same scheme.
    M, C, K, roof, free = condensed(frame)
    k, R, h, end = frame.K_bars[frame.hinge, frame.hinge], 6e3, 5e-4, 2.0
    run = frame.run(R, step=h, end=end)
    ground = np.sin(frame.omega * run.t) * (frame.omega * run.t < 12 * np.pi)
    S = np.linalg.inv(4 / h**2 * M + 2 / h * C + K)
    u, v, f = np.zeros(len(free)), np.zeros(len(free)), 0.0
    a = np.zeros(len(free))
    roofs, forces = [0.0], [0.0]
    for load in ground[1:]:
        right = frame.shaken[free] * load + M @ (4 / h**2 * u + 4 / h * v + a) + C @ (2 / h * u + v)
        without, per_force = S @ right, S[:, roof]
        f_elastic = (f + k * (without[roof] - u[roof])) / (1 + k * per_force[roof])
        f = np.clip(f_elastic, -R, R)
        moved = without - per_force * f
        a, v, u = 4 / h**2 * (moved - u) - 4 / h * v - a, 2 / h * (moved - u) - v, moved
        roofs.append(u[roof])
        forces.append(f)
    roofs = np.array(roofs)
    assert abs(run.q[:, 0] - roofs).max() < 1e-8 * abs(roofs).max()
    assert abs(run.reaction("plate") - forces).max() < 1e-8 * R
    # The brace dissipates the work of its force on the plastic part of the motion, u - f / k.
    plastic = roofs - np.array(forces) / k
    assert run.dissipated[-1] == pytest.approx(np.sum(forces[1:] * np.diff(plastic)), rel=1e-8)


# A chain of Siconos.


@pytest.mark.parametrize("n", [1, 4])
def test_chain_bounces_as_with_siconos(n):
    module = example("siconos-bouncing-chain", "siconos")
    ours, theirs = (run(n, 5e-4, 0.6) for run in (module.with_halfdof, module.with_siconos))
    for mine, other, scale in zip(ours, theirs, (1.0, module.HEIGHT, 1.0, 1.0)):
        np.testing.assert_allclose(mine, other, atol=1e-10 * scale)
    assert np.sum(ours[3] > 0) > 3


# The scripts as they are run.


@pytest.mark.parametrize(
    "name, packages, size",
    [
        ("fenicsx-layered-beam", ["dolfinx"], ["--elements", "10"]),
        ("sfepy-piezoelectric-plate", ["sfepy"], ["--elements", "2"]),
        ("getfem-rod-on-foundation", ["getfem"], ["--elements", "20"]),
        ("scipy-frame-with-hinge", [], ["--elements", "2"]),
        ("siconos-bouncing-chain", ["siconos"], ["--masses", "2", "--step", "1e-3"]),
    ],
)
def test_script_draws_its_picture(name, packages, size, tmp_path, monkeypatch):
    module = example(name, *packages)
    monkeypatch.setattr("sys.argv", [name, "--output", str(tmp_path), *size])
    module.main()
    (picture,) = tmp_path.glob("*.png")
    assert picture.stat().st_size > 20_000
