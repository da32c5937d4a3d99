# SPDX-License-Identifier: LGPL-2.1-or-later
"""Models with viscoelastic material, and with contact nodes without mass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._matrices import as_csc, as_indices, from_csc
from ._model import Labels
from .errors import InvalidInput


@dataclass(frozen=True)
class PronyFit:
    """A Prony series that approximates a complex stiffness: K(s) = K_0 (1 + sum_k g_k s tau_k / (1 + s
    tau_k)).

    Attributes
    ----------
    long_term : float
        K_0, relative to the storage stiffness or in the unit of the moduli.
    series : list of tuple
        Pairs (g, tau), stiffness of a branch relative to K_0 and its relaxation time [s].
    largest_loss_factor_error, largest_storage_error, largest_relative_error : float
        Errors of the fit.
    """

    long_term: float
    series: list[tuple[float, float]]
    largest_loss_factor_error: float
    largest_storage_error: float
    largest_relative_error: float


def fit_loss_factor(loss_factor: float, band: tuple[float, float], n_branches: int = 5) -> PronyFit:
    """Fit a Prony series to a loss factor that is constant over a band of frequencies [Hz].

    Examples
    --------
    >>> import halfdof
    >>> fit = halfdof.fit_loss_factor(0.1, (10.0, 100.0), 4)
    >>> fit.largest_loss_factor_error < 0.1
    True
    """
    return PronyFit(
        **_core.fit_loss_factor(float(loss_factor), float(band[0]), float(band[1]), int(n_branches))
    )


def fit_moduli(frequencies: Any, moduli: Any, n_branches: int = 8) -> PronyFit:
    """Fit a Prony series to complex moduli K' + i K'' at frequencies [Hz].

    Examples
    --------
    >>> import halfdof, numpy as np
    >>> f = np.geomspace(0.1, 100, 31)
    >>> s = 2j * np.pi * f
    >>> fit = halfdof.fit_moduli(f, 3.0 + 2.0 * s / (s + 10), 12)
    >>> fit.largest_relative_error < 0.01
    True
    """
    return PronyFit(
        **_core.fit_moduli(
            np.asarray(frequencies, dtype=float), np.asarray(moduli, dtype=complex), int(n_branches)
        )
    )


def with_viscoelastic_branches(
    mass: Any,
    damping: Any,
    stiffness: Any,
    part: Any,
    series: Sequence[tuple[float, float]],
    *,
    constrained: Any = None,
    symmetric: bool = False,
) -> tuple[Any, Any, Any, NDArray[np.int64]]:
    """Add the internal variables of a viscoelastic part, which are viscous half DoFs.

    Parameters
    ----------
    mass, damping, stiffness : matrix
        M, C and the long-term stiffness K; the damping may be None.
    part : matrix
        Contribution K_p of the part to K.
    series : sequence of tuple
        Pairs (g, tau): stiffness relative to K_p, and relaxation time [s].
    constrained : optional
        Constrained DoFs, as for ``reduce()``.
    symmetric : bool
        Whether the equations are multiplied by K_p, so that all matrices remain symmetric.

    Returns
    -------
    mass, damping, stiffness : scipy.sparse.csc_matrix
        Matrices with the internal DoFs after the assembled ones.
    constrained : numpy.ndarray of int
        Constrained DoFs.

    Examples
    --------
    >>> import halfdof, numpy as np
    >>> K = [[4.0]]
    >>> M, C, K, clamped = halfdof.with_viscoelastic_branches([[1.0]], None, K, K, [(0.5, 0.1)])
    >>> halfdof.reduce(M, C, K).viscous.tolist()
    [1]
    """
    K = as_csc(stiffness, "stiffness")
    n = K[3][0]
    M, C, larger, all_constrained = _core.with_viscoelastic_branches(
        as_csc(mass, "mass", (n, n)),
        None if damping is None else as_csc(damping, "damping", (n, n)),
        K,
        as_indices(constrained, n, "constrained"),
        as_csc(part, "part", (n, n)),
        [(float(g), float(tau)) for g, tau in series],
        symmetric,
    )
    return from_csc(M), from_csc(C), from_csc(larger), np.array(all_constrained, dtype=np.int64)


def massless_contact(
    mass: Any, stiffness: Any, contact: Any, *, constrained: Any = None, labels: Labels | None = None
) -> Any:
    """Return a mass matrix without inertia at contact DoFs, whose mass moves to the other DoFs of the same
    body.

    Total mass, centre of mass and moments of inertia of each body do not change (Khenous, Laborde, Renard
    2008).

    Parameters
    ----------
    mass, stiffness : matrix
        M and K.
    contact : sequence of int
        Contact DoFs.
    constrained, labels : optional
        As for ``reduce()``. With the points of the labels moments of inertia are preserved, too.

    Returns
    -------
    scipy.sparse.csc_matrix

    Examples
    --------
    >>> import halfdof, numpy as np
    >>> M = halfdof.massless_contact(np.eye(3), [[1, -1, 0], [-1, 2, -1], [0, -1, 1]], [2])
    >>> float(M.sum()), float(M[2, 2])
    (3.0, 0.0)
    """
    K = as_csc(stiffness, "stiffness")
    n = K[3][0]
    if contact is None:
        raise InvalidInput("No contact DoF was given.")
    return from_csc(
        _core.with_massless_contact(
            as_csc(mass, "mass", (n, n)),
            K,
            as_indices(constrained, n, "constrained"),
            None if labels is None else labels._as_tuple(n),
            as_indices(contact, n, "contact"),
        )
    )


__all__ = ["PronyFit", "fit_loss_factor", "fit_moduli", "massless_contact", "with_viscoelastic_branches"]
