# SPDX-License-Identifier: LGPL-2.1-or-later
"""Motions beside closed forms, and what observers, interrupts and errors leave."""

import math
import os
import signal
import threading
import time

import numpy as np
import pytest
import scipy.sparse as sparse

import halfdof
from models import chain


def free_mass():
    return halfdof.reduce([[1.0]], None, [[0.0]])


def test_block_slides_to_rest():
    # v = v_0 - mu t until rest at t = v_0 / mu.
    run = halfdof.simulate(
        free_mass(), [halfdof.DryFriction(0, 2.0, name="floor")], step=0.01, end=1.0, rate=[1.0]
    )
    before = run.t < 0.5
    np.testing.assert_allclose(run.v[before, 0], 1 - 2 * run.t[before], atol=1e-12)
    assert run.q[-1, 0] == pytest.approx(0.25, abs=1e-4)
    assert run.contact("floor")[-1] == "stick" and run.contact("floor")[1] == "slip forward"
    assert run.dissipated[-1] == pytest.approx(0.5, abs=1e-10)
    np.testing.assert_allclose(run.reaction("floor")[1:49], -2.0)


@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
def test_ball_rebounds_with_its_restitution(restitution):
    reduced = free_mass()
    ground = halfdof.Contact({0: 1.0}, gap=0.0, restitution=restitution)
    run = halfdof.simulate(
        reduced, [ground], method="event-driven", end=1.2, displacement=[1.0], load={0: -2.0}
    )
    # It falls from height one with the acceleration two, so that it strikes at t = 1 with the speed two.
    impact = run.events[0]
    assert impact.begin == pytest.approx(1.0, abs=1e-8)
    assert impact.w_before[0] == pytest.approx(-2.0, abs=1e-7)
    assert impact.w_after[0] == pytest.approx(2 * restitution, abs=1e-7)


def test_a_spring_with_a_massless_end_is_a_play():
    # The massless end of a spring rubs: it moves where the force of the spring is the threshold.
    M, K = np.diag([1.0, 0.0]), np.array([[4.0, -4.0], [-4.0, 4.0]])
    reduced = halfdof.reduce(M, None, K)
    run = halfdof.simulate(reduced, [halfdof.DryFriction(1, 1.0)], step=1e-3, end=2.0, rate=[3.0, 0.0])
    force = 4 * (run.q[:, 0] - run.q[:, 1])
    assert np.all(np.abs(force) <= 1 + 1e-9)
    assert np.any(np.abs(force - 1) < 1e-9) and np.any(np.abs(run.q[:, 1]) > 0.1)


@pytest.mark.parametrize(
    "method", ["moreau-jean", "generalized-alpha", "implicit-euler", "event-driven", "set-valued-runge-kutta"]
)
def test_undamped_oscillator_without_inclusions(method):
    options = {} if method == "event-driven" else {"step": 1e-3}
    run = halfdof.simulate(
        halfdof.reduce([[1.0]], None, [[4.0]]), method=method, end=3.0, displacement=[1.0], **options
    )
    tolerance = 1e-2 if method == "implicit-euler" else 1e-5
    np.testing.assert_allclose(run.q[:, 0], np.cos(2 * run.t), atol=tolerance)


LOADS = {
    "formula": {0: "sin(3*t)"},
    "function": {0: lambda t: math.sin(3 * t)},
    "vector function": lambda t: np.array([math.sin(3 * t)]),
    "table": {0: halfdof.Table(np.linspace(0, 2, 2001), np.sin(3 * np.linspace(0, 2, 2001)))},
}


@pytest.mark.parametrize("load", LOADS, ids=list(LOADS))
def test_loads_in_every_form(load):
    # q'' + q = sin 3t from rest: q = (3 sin t - sin 3t) / 8.
    run = halfdof.simulate(halfdof.reduce([[1.0]], None, [[1.0]]), step=1e-3, end=2.0, load=LOADS[load])
    np.testing.assert_allclose(run.q[:, 0], (3 * np.sin(run.t) - np.sin(3 * run.t)) / 8, atol=2e-6)


def test_load_given_to_reduce_is_the_same():
    reduced = halfdof.reduce([[1.0]], None, [[1.0]], load={0: "sin(3*t)"})
    other = halfdof.reduce([[1.0]], None, [[1.0]])
    one = halfdof.simulate(reduced, step=1e-2, end=1.0)
    two = halfdof.simulate(other, step=1e-2, end=1.0, load={0: "sin(3*t)"})
    np.testing.assert_array_equal(one.q, two.q)
    assert np.all(halfdof.simulate(other, step=1e-2, end=1.0).q == 0)


def test_prescribed_motion_of_a_support():
    # A massless support moves by sin(t): q'' + 9 (q - sin t) = 0.
    M, K = np.diag([0.0, 1.0]), 9 * np.array([[1, -1], [-1, 1.0]])
    given = {
        "formula": "sin(t)",
        "functions": halfdof.Differentiable(math.sin, math.cos, lambda t: -math.sin(t)),
    }
    for motion in given.values():
        reduced = halfdof.reduce(M, None, K, constrained=[0], prescribed={0: motion})
        run = halfdof.simulate(reduced, step=1e-3, end=2.0)
        expected = 9 / 8 * (np.sin(run.t) - np.sin(3 * run.t) / 3)
        np.testing.assert_allclose(run.q[:, 1], expected, atol=2e-6)
        np.testing.assert_allclose(run.q[:, 0], np.sin(run.t), atol=1e-12)


def test_pendulum_as_a_state_force():
    # q'' + sin q = 0 conserves v^2/2 - cos q.
    def gravity(q, v, t):
        return np.sin(q), sparse.diags(np.cos(q)), None

    reduced = halfdof.reduce([[1.0]], None, [[0.0]], state_force=halfdof.StateForce(gravity))
    run = halfdof.simulate(reduced, step=1e-3, end=3.0, displacement=[1.0])
    energy = run.v[:, 0] ** 2 / 2 - np.cos(run.q[:, 0])
    np.testing.assert_allclose(energy, energy[0], atol=1e-6)


class Coulomb(halfdof.Law):
    name = "friction in Python"

    def __init__(self, threshold):
        self.threshold = threshold

    def parameters(self, t, before):
        return [self.threshold]

    def resolvent(self, p, rho, z):
        return np.clip(z, -p[0], p[0])

    def project(self, p, r):
        return np.clip(r, -p[0], p[0])

    def state(self, p, w, r, tolerance):
        return "stick" if abs(w[0]) <= tolerance else "slip forward" if w[0] > 0 else "slip back"

    def reaction_at(self, p, w, preferred):
        return np.clip(preferred, -p[0], p[0]) if w[0] == 0 else -p[0] * np.sign(w)

    def rest_interval(self, p):
        return -p[0], p[0]


def test_a_law_in_python_gives_the_motion_of_dry_friction():
    M, C, K = chain(4, 1)
    reduced = halfdof.reduce(M, C, K)
    rate = [1.0, 0, 0, 0]
    one = halfdof.simulate(reduced, [halfdof.DryFriction(0, 0.3)], step=0.01, end=3.0, rate=rate)
    two = halfdof.simulate(reduced, [halfdof.LawInclusion(0, Coulomb(0.3))], step=0.01, end=3.0, rate=rate)
    np.testing.assert_allclose(one.q, two.q, atol=1e-11)


def test_errors_of_a_law_in_python_reach_the_caller():
    class Broken(Coulomb):
        def resolvent(self, p, rho, z):
            raise RuntimeError("broken on purpose")

    with pytest.raises(RuntimeError, match="broken on purpose"):
        halfdof.simulate(free_mass(), [halfdof.LawInclusion(0, Broken(1.0))], step=0.1, end=1.0, rate=[1.0])


def test_observer_sees_every_step_and_its_errors_leave_the_run():
    seen = []
    run = halfdof.simulate(
        free_mass(), step=0.1, end=1.0, rate=[1.0], observer=lambda p: seen.append((p.t, p.q[0], p.v[0]))
    )
    np.testing.assert_allclose(np.array(seen)[:, 0], run.t)
    np.testing.assert_allclose(np.array(seen)[:, 1], run.q[:, 0])

    def stop(point):
        if point.t > 0.45:
            raise StopIteration

    with pytest.raises(StopIteration) as caught:
        halfdof.simulate(free_mass(), step=0.1, end=1.0, rate=[1.0], observer=stop)
    assert len(caught.value.run.t) == 6 and not caught.value.run.is_complete

    kept = []
    halfdof.simulate(free_mass(), step=0.5, end=1.0, observer=kept.append)
    with pytest.raises(halfdof.InvalidInput, match="only while the observer"):
        kept[0].q


def test_output_times_are_interpolated():
    reduced = halfdof.reduce([[1.0]], None, [[4.0]])
    times = np.linspace(0, 3, 61)
    run = halfdof.simulate(reduced, step=0.007, end=3.0, displacement=[1.0], times=times)
    np.testing.assert_array_equal(run.t, times)
    np.testing.assert_allclose(run.q[:, 0], np.cos(2 * times), atol=1e-3)
    some = halfdof.simulate(reduced, step=0.1, end=1.0, displacement=[1.0], every=5, dofs=[])
    assert len(some.t) == 3 and some.q.shape == (3, 0)


def test_interrupt_leaves_what_there_is():
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt) as caught:
        halfdof.simulate(
            halfdof.reduce([[1.0]], None, [[1.0]]), step=1e-6, end=1e3, displacement=[1.0], every=1000
        )
    assert time.monotonic() - begin < 5
    run = caught.value.run
    assert len(run.t) > 0 and not run.is_complete
    continued = halfdof.simulate(
        halfdof.reduce([[1.0]], None, [[1.0]]), step=1e-6, end=run.final.t + 1e-5, state=run.final
    )
    assert continued.is_complete


def test_two_threads_reduce_and_run_at_once():
    M, C, K = chain(400, 40)
    results = {}

    def work(k):
        reduced = halfdof.reduce(M * (1 + k), C, K)
        run = halfdof.simulate(
            reduced,
            [halfdof.LawInclusion(0, Coulomb(0.1))],
            step=0.05,
            end=2.0,
            rate=np.eye(400)[1],
            load=lambda t: np.zeros(400),
        )
        results[k] = run.q[-1]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k in range(3):
        alone = dict(results)
        work(k)
        np.testing.assert_array_equal(results[k], alone[k])


def test_threads_may_share_a_system():
    M, C, K = chain(300, 30)
    reduced = halfdof.reduce(M, C, K)
    pad = halfdof.DryFriction(5, "0.1*(1 + sin(t))")
    rate = np.eye(300)[5]
    expected = halfdof.simulate(
        reduced, [pad], step=0.05, end=1.0, rate=rate, load=lambda t: np.full(300, np.sin(t))
    )
    _, H = reduced.response([3], [4], [0.1, 0.2])
    found = {}
    start = threading.Barrier(4)

    def work(k):
        start.wait()
        system = fresh
        _, one = system.response([3], [4], [0.1, 0.2])
        run = halfdof.simulate(
            system, [pad], step=0.05, end=1.0, rate=rate, load=lambda t: np.full(300, np.sin(t))
        )
        found[k] = (one, run.q)

    for _ in range(40):
        fresh = halfdof.reduce(M, C, K)
        found.clear()
        threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 4
        for one, q in found.values():
            np.testing.assert_array_equal(one, H)
            np.testing.assert_array_equal(q, expected.q)


def test_systems_of_their_own_may_share_a_law():
    # The law has a formula of time, which serves one thread at a time.
    pad = halfdof.DryFriction(0, "0.3*(1 + 0.5*sin(7*t))")
    start = threading.Barrier(4)
    expected = halfdof.simulate(free_mass(), [pad], step=1e-4, end=2.0, rate=[1.0]).q
    found = {}

    def work(k):
        system = free_mass()
        start.wait()
        found[k] = halfdof.simulate(system, [pad], step=1e-4, end=2.0, rate=[1.0]).q

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    for q in found.values():
        np.testing.assert_array_equal(q, expected)


def test_runs_do_not_continue_with_other_inclusions():
    run = halfdof.simulate(free_mass(), [halfdof.Contact(0, gap=1.0)], step=0.1, end=0.9, rate=[-1.0])
    again = halfdof.simulate(free_mass(), [halfdof.Contact(0, gap=1.0)], step=0.1, end=1.5, state=run.final)
    assert again.is_complete and again.q[-1, 0] == pytest.approx(-1.0, abs=0.1)
    for other in ([halfdof.Contact(0, gap=5.0)], [halfdof.DryFriction(0, 1.0)], []):
        with pytest.raises(halfdof.InvalidInput, match="other inclusions"):
            halfdof.simulate(free_mass(), other, step=0.1, end=2.0, state=run.final)


def test_a_state_force_may_return_one_matrix_that_it_changes():
    K_t = sparse.identity(1, format="csc")

    def spring(q, v, t):
        K_t.data[:] = 15 * q**2
        return 5 * q**3, K_t, None

    reduced = halfdof.reduce([[1.0]], None, [[4.0]], state_force=halfdof.StateForce(spring))
    run = halfdof.simulate(reduced, step=5e-3, end=2.0, displacement=[1.0])
    assert run.q[-1, 0] == pytest.approx(0.7085, abs=1e-3)  # solve_ivp of SciPy


def test_a_load_vector_is_copied():
    f = np.zeros(1)
    loaded = []
    for size in (1.0, 2.0, 3.0):
        f[0] = size
        loaded.append(free_mass().with_load(f))
    rates = [system.derivative(system.consistent_state())[1] for system in loaded]
    assert rates == [1.0, 2.0, 3.0]


def test_explicit_steps_that_are_too_long_give_a_warning():
    with pytest.warns(halfdof.ModelWarning, match="is above"):
        halfdof.simulate(halfdof.reduce([[1.0]], None, [[4.0]]), step=1.6, end=3.2, method="set-valued-euler")


def test_verification_passes_and_finds_steps_that_are_too_long():
    reduced = halfdof.reduce([[1.0]], None, [[4.0]])
    friction = [halfdof.DryFriction(0, 0.3)]
    good = halfdof.simulate(reduced, friction, step=1e-2, end=5.0, displacement=[1.0], verify=True)
    assert good.verification.passed and good.verification.violations["balance of momentum"] < 1e-10
    long = halfdof.simulate(reduced, friction, step=0.5, end=5.0, displacement=[1.0], verify=True)
    assert not long.verification.passed


def test_controlled_steps_reach_their_tolerance():
    run = halfdof.simulate(
        halfdof.reduce([[1.0]], None, [[4.0]]), end=3.0, displacement=[1.0], relative_tolerance=1e-5
    )
    np.testing.assert_allclose(run.q[:, 0], np.cos(2 * run.t), atol=1e-5)


def test_contact_in_the_plane_sticks_below_the_cone():
    # A block on an inclined plane: friction 0.5 holds a tangential force of 0.4 times the weight.
    reduced = halfdof.reduce(np.eye(2), None, np.zeros((2, 2)))
    for mu, moves in ((0.5, False), (0.3, True)):
        foot = halfdof.FrictionalContact(1, 0, mu, restitution=0.0)
        run = halfdof.simulate(reduced, [foot], step=0.01, end=1.0, load=[0.4, -1.0])
        assert (abs(run.q[-1, 0]) > 0.01) == moves
        if moves:
            assert run.q[-1, 0] == pytest.approx(0.5 * (0.4 - mu), rel=0.05)


def test_memory_gives_the_motion_of_the_structure():
    M, C, K = chain(6, 0, damping=0.05)
    reduced = halfdof.reduce(M, C, K)
    stop = [halfdof.DryFriction(5, 0.2)]
    load = {0: "sin(0.7*t)"}
    one = halfdof.simulate(reduced, stop, step=2e-3, end=10.0, load=load)
    two = halfdof.simulate(reduced, stop, step=2e-3, end=10.0, load=load, method="memory")
    np.testing.assert_allclose(one.q, two.q, atol=2e-3 * np.abs(one.q).max())
    with pytest.raises(halfdof.InvalidInput, match="single functions"):
        halfdof.simulate(reduced, stop, step=0.1, end=1.0, load=lambda t: np.zeros(6), method="memory")


def test_kernels_of_a_contact_with_two_modes():
    # Two masses move a contact at q_0 + q_1. One mode is resolved, and L_0 is the rest of the kernel.
    omega = np.array([1.0, 3.0])
    reduced = halfdof.reduce(np.eye(2), np.diag([0.2, 0.6]), np.diag(omega**2))
    equation = halfdof.MemoryEquation(reduced, [{0: 1.0, 1: 1.0}])
    tau = np.array([1e-6, 0.3, 1.0, 4.0])
    L_0, L_1 = equation.L_0(tau)[:, :, 0], equation.L_1(tau)[:, :, 0]
    assert L_0.shape == (4, 2) and np.abs(L_0[1]).max() > 1e-2
    # L_1 is the integral of L_0.
    fine = np.linspace(1e-6, 1.0, 2001)
    integral = np.trapz(equation.L_0(fine)[:, :, 0], fine, axis=0)
    np.testing.assert_allclose(L_1[2] - L_1[0], integral, atol=1e-6)
    # Both modes together accelerate by one unit each, at once.
    assert (equation.L_inf[:, 0] + L_0[0])[1] == pytest.approx(2.0, abs=1e-5)


CASE = """
[parameters]
threshold = 0.5

[system]
mass = "M.mtx"
stiffness = "K.mtx"

[initial]
displacement = [1.0]

[[inclusion]]
name = "pad"
law = "dry-friction"
direction = [{dof = 0}]
lower = "-threshold"
upper = "threshold"

[integrator]
method = "moreau-jean"
step = 0.01
end = 5.0

[output]
file = "run.csv"
"""


def test_cases_give_the_runs_of_simulate(tmp_path):
    import scipy.io

    scipy.io.mmwrite(tmp_path / "M.mtx", np.eye(1))
    scipy.io.mmwrite(tmp_path / "K.mtx", 4 * np.eye(1))
    (tmp_path / "case.toml").write_text(CASE)
    run = halfdof.run_case(tmp_path / "case.toml", set={"threshold": 0.3}, verify=True)
    expected = halfdof.simulate(
        halfdof.reduce([[1.0]], None, [[4.0]]),
        [halfdof.DryFriction(0, 0.3)],
        step=0.01,
        end=5.0,
        displacement=[1.0],
    )
    np.testing.assert_array_equal(run.q, expected.q)
    assert run.names == ["pad"] and run.verification.passed
    assert not (tmp_path / "run.csv").exists()
    assert halfdof.reduce_case(tmp_path / "case.toml").n_states == 2
    with pytest.raises(halfdof.FileError) as caught:
        (tmp_path / "wrong.toml").write_text(CASE.replace("step = 0.01", "stepp = 0.01"))
        halfdof.run_case(tmp_path / "wrong.toml")
    assert caught.value.line > 0
    with pytest.raises(halfdof.InvalidInput, match="magic"):
        halfdof.run_case(tmp_path / "case.toml", set={"magic": 1.0})
