# SPDX-License-Identifier: LGPL-2.1-or-later
"""Models with closed-form or independent results, for the tests of the Python package."""

import numpy as np
import scipy.linalg
import scipy.optimize
import scipy.sparse as sparse


def chain(n, n_massless=0, damping=0.1):
    """Return M, C and K of a chain of springs and dampers between walls; the last n_massless have no mass."""
    K = sparse.diags([-np.ones(n - 1), 2 * np.ones(n), -np.ones(n - 1)], [-1, 0, 1], format="csc")
    M = sparse.diags(np.r_[np.ones(n - n_massless), np.zeros(n_massless)], format="csc")
    return M, damping * K, K


def finite_eigenvalues(M, C, K, n_finite):
    """Return the finite eigenvalues of the pencil by QZ of LAPACK on the companion form."""
    M, C, K = (A.toarray() if sparse.issparse(A) else np.asarray(A, dtype=float) for A in (M, C, K))
    n = len(K)
    A = np.block([[np.zeros((n, n)), np.eye(n)], [-K, -C]])
    E = scipy.linalg.block_diag(np.eye(n), M)
    alpha, beta = scipy.linalg.eigvals(A, E, homogeneous_eigvals=True)
    order = np.argsort(np.abs(alpha) / np.maximum(np.abs(beta), 1e-300))[:n_finite]
    return alpha[order] / beta[order]


def farthest(found, expected):
    """Return the largest relative distance of matched values."""
    distances = np.abs(found[:, None] - expected[None, :]) / np.abs(expected)[None, :]
    rows, columns = scipy.optimize.linear_sum_assignment(distances)
    assert len(rows) == len(expected) == len(found)
    return distances[rows, columns].max()


def random_system(seed, n_inertial=5, n_viscous=3, n_algebraic=2):
    """Return random symmetric M, C and K with the given numbers of DoFs of each kind, permuted."""
    chance = np.random.default_rng(seed)
    n = n_inertial + n_viscous + n_algebraic
    root = chance.standard_normal((n, n))
    K = root @ root.T + n * np.eye(n)
    n_damped = n_inertial + n_viscous
    of_C = chance.standard_normal((n_damped, n_damped))
    C = scipy.linalg.block_diag(of_C @ of_C.T, np.zeros((n_algebraic, n_algebraic)))
    M = np.diag(np.r_[chance.uniform(1, 2, n_inertial), np.zeros(n - n_inertial)])
    order = chance.permutation(n)
    return tuple(A[np.ix_(order, order)] for A in (M, C, K))
