# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reductions, spectra, responses and state-space forms beside NumPy and SciPy."""

import pickle
import sys

import numpy as np
import pytest
import scipy.linalg
import scipy.optimize
import scipy.signal
import scipy.sparse as sparse

import halfdof
from models import chain, farthest, finite_eigenvalues, random_system


@pytest.mark.parametrize("seed", range(6))
def test_spectra_are_those_of_the_companion_form(seed):
    M, C, K = random_system(seed)
    reduced = halfdof.reduce(M, C, K)
    assert (len(reduced.inertial), len(reduced.viscous), len(reduced.algebraic)) == (5, 3, 2)
    assert reduced.n_states == 13
    spectra = reduced.compare_spectra()
    assert spectra.passed and spectra.completeness == "counted"
    assert farthest(spectra.after, finite_eigenvalues(M, C, K, 13)) < 1e-8
    assert farthest(np.linalg.eigvals(reduced.state_space([0], [0]).A), spectra.after) < 1e-8


@pytest.mark.parametrize(
    "form", ["csc", "csr", "coo", "dia", "lil", "bsr", "dok", "dense", "array", "int64", "list", "transposed"]
)
def test_matrices_of_every_format_give_the_same_system(form):
    M, C, K = chain(7, 2)
    expected = halfdof.reduce(M, C, K).compare_spectra().after

    def converted(A):
        if form == "dense":
            return A.toarray()
        if form == "list":
            return A.toarray().tolist()
        if form == "array":
            return sparse.csr_array(A)
        if form == "transposed":
            return A.T
        if form == "int64":
            A = A.copy()
            A.indices, A.indptr = A.indices.astype(np.int64), A.indptr.astype(np.int64)
            return A
        return A.asformat(form)

    found = halfdof.reduce(*(converted(A) for A in (M, C, K))).compare_spectra().after
    np.testing.assert_array_equal(found, expected)


def test_unsorted_and_repeated_entries_are_added():
    rows, columns, values = [1, 0, 0, 1, 0], [0, 0, 1, 1, 0], [-1.0, 1.0, -1.0, 2.0, 1.0]
    K = sparse.coo_matrix((values, (rows, columns)), shape=(2, 2))
    unsorted = sparse.csc_matrix(
        (np.array([-1.0, 1.0, 1.0, 2.0, -1.0]), np.array([1, 0, 0, 1, 0]), np.array([0, 3, 5])), shape=(2, 2)
    )
    expected = halfdof.reduce(np.eye(2), None, K.toarray()).compare_spectra().after
    for given in (K, unsorted):
        before = given.copy()
        np.testing.assert_array_equal(
            halfdof.reduce(np.eye(2), None, given).compare_spectra().after, expected
        )
        assert (given != before).nnz == 0


def test_unsymmetric_matrices_by_rows_are_not_transposed():
    K = sparse.csr_matrix(np.array([[3.0, 1.0], [0.0, 2.0]]))
    reduced = halfdof.reduce(np.eye(2), None, K)
    motion = reduced.lift(reduced.equilibrium([0.0, 2.0]))
    np.testing.assert_allclose(motion.q, np.linalg.solve(K.toarray(), [0.0, 2.0]))


def test_arrays_of_columns_are_shared():
    M, C, K = chain(50)
    K.sort_indices()
    before = sys.getrefcount(K.data)
    reduced = halfdof.reduce(M, C, K)
    during = sys.getrefcount(K.data)
    del reduced
    after = sys.getrefcount(K.data)
    assert during > before and after == before


@pytest.mark.parametrize("step", [-1, 2, 0])
def test_arrays_with_strides_are_not_shared_wrongly(step):
    values = np.array([4.0, 9.0, 16.0, 25.0])
    data = {-1: values[::-1].copy()[::-1], 2: np.repeat(values, 2)[::2], 0: np.broadcast_to(4.0, 4)}[step]
    K = sparse.csr_matrix((data, np.arange(4, dtype=np.int32), np.arange(5, dtype=np.int32)), shape=(4, 4))
    found = np.sort(halfdof.reduce(np.eye(4), None, K).compare_spectra().frequencies[::2] * 2 * np.pi)
    np.testing.assert_allclose(found**2, np.array(data))


def test_other_arrays_of_a_program_are_kept_alive():
    M, C, K = chain(300, 20)
    expected = halfdof.reduce(M, C, K).lift(halfdof.reduce(M, C, K).equilibrium(np.ones(300))).q
    reduced = halfdof.reduce(M.copy(), C.copy(), K.copy())
    for _ in range(5):
        chain(300)
    np.testing.assert_array_equal(reduced.lift(reduced.equilibrium(np.ones(300))).q, expected)


@pytest.mark.parametrize(
    "kind, indices", [("mask", None), ("list", [0, 3]), ("array", np.array([3, 0])), ("tuple", (0, 3))]
)
def test_constrained_dofs_in_every_form(kind, indices):
    M, C, K = chain(5)
    mask = np.zeros(5, dtype=bool)
    mask[[0, 3]] = True
    reduced = halfdof.reduce(M, C, K, constrained=mask if indices is None else indices)
    assert reduced.constrained.tolist() == [0, 3]
    assert reduced.n_states == 6


def test_constraints_have_the_spectrum_of_the_tied_system():
    M, _, K = chain(3)
    tie = sparse.csr_matrix([[1.0, -1.0, 0.0]])
    reduced = halfdof.reduce(M, None, K, constraints=(tie, None))
    T = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    omega2 = scipy.linalg.eigh(T.T @ K @ T, T.T @ M @ T, eigvals_only=True)
    found = np.sort(reduced.compare_spectra().frequencies[::2] * 2 * np.pi)
    np.testing.assert_allclose(found**2, omega2, rtol=1e-10)
    assert reduced.n_dofs == 4


def test_response_is_that_of_the_dynamic_stiffness():
    M, C, K = random_system(3)
    f = np.array([0.1, 0.4, 2.0])
    response = halfdof.reduce(M, C, K).response([0, {1: 2.0, 4: -1.0}], [2, ("rate", 3), {0: 1.0, 5: 0.5}], f)
    loads = np.zeros((10, 2))
    loads[0, 0], loads[1, 1], loads[4, 1] = 1, 2, -1
    for k, frequency in enumerate(f):
        s = 2j * np.pi * frequency
        q = np.linalg.solve(s**2 * M + s * C + K, loads)
        expected = np.array([q[2], s * q[3], q[0] + 0.5 * q[5]])
        np.testing.assert_allclose(response.H[k], expected, rtol=1e-9)
        np.testing.assert_allclose(response.before[k], expected, rtol=1e-9)
    frequencies, H = response
    assert H.shape == (3, 3, 2) and frequencies.shape == (3,)


def test_base_motion_of_one_mass():
    M, C, K = np.diag([0.0, 1.0]), 0.2 * np.array([[1, -1], [-1, 1.0]]), 9 * np.array([[1, -1], [-1, 1.0]])
    reduced = halfdof.reduce(M, C, K, constrained=[0])
    _, H = reduced.response([0], [1], [0.3], base="displacement")
    s = 2j * np.pi * 0.3
    assert H[0, 0, 0] == pytest.approx((9 + 0.2 * s) / (s**2 + 0.2 * s + 9))


def test_state_space_is_accepted_by_scipy():
    M, C, K = random_system(1, n_algebraic=1)
    reduced = halfdof.reduce(M, C, K)
    inertial = reduced.inertial.tolist()
    system = scipy.signal.StateSpace(*reduced.state_space([inertial[0]], inertial[:2]))
    omega = np.array([0.5, 3.0])
    _, expected = reduced.response([inertial[0]], inertial[:2], omega / (2 * np.pi))
    for k, w in enumerate(omega):
        found = system.C @ np.linalg.solve(1j * w * np.eye(reduced.n_states) - system.A, system.B) + system.D
        np.testing.assert_allclose(found, expected[k], rtol=1e-9)


def test_sparse_state_space_has_the_same_eigenvalues():
    M, C, K = chain(6, 1, damping=0.0)
    reduced = halfdof.reduce(M, C, K)
    E, A, B = reduced.sparse_state_space()
    assert B.shape == (reduced.n_states, 6)
    found = scipy.linalg.eigvals(A.toarray(), E.toarray())
    assert farthest(found, reduced.compare_spectra().after) < 1e-9


def test_modes_have_shapes_of_all_dofs():
    M, C, K = chain(40, 1, damping=0.01)
    modes = halfdof.reduce(M, C, K).modes(6)
    assert len(modes) == 6 and modes.shapes.shape == (40, 6)
    for value, x in zip(modes.eigenvalues, modes.shapes.T):
        P = value**2 * M + value * C + K
        assert np.linalg.norm(P @ x) < 1e-9 * np.linalg.norm(K @ x)
    assert np.all(modes.errors < 1e-8)


def test_bands_and_regions_are_counted():
    M, C, K = chain(30, damping=0.002)
    reduced = halfdof.reduce(M, C, K)
    exact = finite_eigenvalues(M, C, K, 60)
    frequencies = exact.imag / (2 * np.pi)
    band = reduced.compare_spectra(band=(0.1, 0.2))
    assert band.passed and band.expected == band.found == np.sum((frequencies > 0.1) & (frequencies < 0.2))
    region = reduced.compare_spectra(region=(-1 + 0.5j, 0 + 1j))
    assert region.passed and region.found == np.sum((exact.imag > 0.5) & (exact.imag < 1))


def test_rotor_becomes_unstable_where_the_closed_form_says():
    # Hoffmann et al. 2002: flutter from mu = 3/4 on, with omega = sqrt 2.
    found = halfdof.follow_eigenvalues(
        lambda mu: halfdof.reduce(np.eye(2), None, [[2.0, 1 - 4 * mu / 3], [1.0, 2.0]]),
        [0.0, 0.5, 1.0],
        4,
        name="mu",
    )
    assert len(found.stability) == 1
    assert found.stability[0].parameter == pytest.approx(0.75, abs=1e-6)
    assert found.stability[0].eigenvalue.imag == pytest.approx(np.sqrt(2), abs=1e-3)


def test_results_can_be_pickled():
    M, C, K = chain(5, 1)
    reduced = halfdof.reduce(M, C, K)
    run = halfdof.simulate(reduced, [halfdof.DryFriction(0, 0.1)], step=0.1, end=1.0, rate=[1, 0, 0, 0, 0])
    for result in (
        reduced.compare_spectra(),
        reduced.modes(3),
        reduced.response([0], [1], [0.1]),
        run,
        reduced.diagnosis(),
    ):
        again = pickle.loads(pickle.dumps(result))
        assert repr(again) == repr(result)
    continued = halfdof.simulate(
        reduced, [halfdof.DryFriction(0, 0.1)], step=0.1, end=2.0, state=pickle.loads(pickle.dumps(run.final))
    )
    direct = halfdof.simulate(reduced, [halfdof.DryFriction(0, 0.1)], step=0.1, end=2.0, rate=[1, 0, 0, 0, 0])
    np.testing.assert_array_equal(continued.q[-1], direct.q[-1])


def test_states_of_other_systems_are_refused():
    one, two = halfdof.reduce(*chain(2)), halfdof.reduce(*chain(5))
    with pytest.raises(halfdof.InvalidInput, match="10 entries, but the system has 4 states"):
        one.lift(two.consistent_state())
    with pytest.raises(halfdof.InvalidInput, match="belong to count"):
        one.compare_spectra(kind="relaxing")
    with pytest.raises(halfdof.InvalidInput, match="are complex"):
        one.response(np.ones((2, 1)) * 1j, [0], [0.1])
    with pytest.raises(halfdof.InvalidInput, match="is complex"):
        halfdof.reduce(np.eye(2), None, sparse.lil_matrix(np.eye(2) * (1 + 0.1j)))


def test_labels_are_in_messages():
    labels = halfdof.Labels(node=[4, 4, 7], component=["x", "y", "x"])
    with pytest.raises(halfdof.SingularElimination, match="node 7, x") as caught:
        halfdof.reduce(np.diag([1.0, 1.0, 0.0]), None, np.diag([1.0, 1.0, 0.0]), labels=labels)
    assert caught.value.dofs == (2,)
    assert caught.value.parts[0].names[0].startswith("DoF 2")
    assert caught.value.cause


def test_viscoelastic_branches_have_their_complex_stiffness():
    M, C, K, clamped = halfdof.with_viscoelastic_branches(
        [[2.0]], None, [[3.0]], [[3.0]], [(0.5, 0.2), (0.3, 2.0)]
    )
    reduced = halfdof.reduce(M, C, K, constrained=clamped)
    f, H = reduced.response([0], [0], [0.05, 0.3])
    for k, frequency in enumerate(f):
        s = 2j * np.pi * frequency
        stiffness = 3 * (1 + sum(g * s * tau / (1 + s * tau) for g, tau in [(0.5, 0.2), (0.3, 2.0)]))
        assert H[k, 0, 0] == pytest.approx(1 / (2 * s**2 + stiffness))


def test_massless_contact_keeps_moments():
    x = np.linspace(0, 1, 6)
    M = np.diag([0.5, 1, 1, 1, 1, 0.5])
    K = sparse.diags([-np.ones(5), np.r_[1, 2 * np.ones(4), 1], -np.ones(5)], [-1, 0, 1])
    labels = halfdof.Labels(node=list(range(6)), component=["x"] * 6, points=x[:, None])
    lighter = halfdof.massless_contact(M, K, [5], labels=labels)
    assert lighter[5, 5] == 0
    for moment in (np.ones(6), x):
        assert moment @ lighter @ np.ones(6) == pytest.approx(moment @ M @ np.ones(6))
    assert x @ lighter @ x == pytest.approx(x @ M @ x)


def test_structural_damping_is_that_of_the_complex_stiffness():
    M, C, K = random_system(5)
    K_i = np.zeros_like(K)
    K_i[:4, :4] = 0.1 * K[:4, :4]
    for system in (
        halfdof.reduce_structural(M, C, K, K_i),
        halfdof.reduce_structural(M, C, sparse.csr_matrix(K + 1j * K_i)),
    ):
        f, H = system.response([0], [2, ("rate", 0)], [0.2, 0.6])
        for k, frequency in enumerate(f):
            s = 2j * np.pi * frequency
            q = np.linalg.solve(s**2 * M + s * C + K + 1j * K_i, np.eye(10)[0])
            np.testing.assert_allclose(H[k, :, 0], [q[2], s * q[0]], rtol=1e-9)
        modes = system.modes()
        assert modes.passed
        for value, x in zip(modes.eigenvalues, modes.shapes.T):
            if value.imag > 0:
                D = value**2 * M + value * C + K + 1j * K_i
                assert np.linalg.norm(D @ x) < 1e-8 * np.linalg.norm(D)
    eta = halfdof.reduce_structural(np.eye(3), None, np.diag([1.0, 4.0, 9.0]), 0.05).modes(2)
    np.testing.assert_allclose(eta.loss_factors, 0.05)
    np.testing.assert_allclose(np.abs(eta.eigenvalues) ** 2, np.array([1.0, 4.0]) * abs(1 + 0.05j))
    with pytest.raises(halfdof.InvalidInput, match="only one of both"):
        halfdof.reduce_structural(np.eye(1), None, [[1 + 0.1j]], 0.1)
