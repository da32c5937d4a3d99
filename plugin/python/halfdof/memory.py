# SPDX-License-Identifier: LGPL-2.1-or-later
"""The equation with memory of a structure at its contact points (Szalai 2014)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._matrices import as_indices
from ._model import Direction, Reduced, as_direction

Array = NDArray[np.float64]


class MemoryEquation:
    """The exact equation of the contacts alone, y' = A y + L_inf r + int d[L_1(tau)] r'(t - tau) + ...

    The entries of y are displacements and rates of the contacts (Szalai 2014, Eqs. (3.8) and (3.19)).

    Parameters
    ----------
    reduced : Reduced
        A linear structure.
    contacts : sequence of direction
        Directions of the contacts.
    n_eigenvalues : int
        Number of eigenvalues nearest to zero that are kept; 0 keeps all of a small system.

    Attributes
    ----------
    A : numpy.ndarray of shape (n, n)
        Motion of the resolved modes.
    L_inf : numpy.ndarray of shape (n, n_contacts)
        Limit of the kernel for long times.
    regularity : list of str
        How each contact responds to a jump of its reaction.

    Examples
    --------
    A free mass has the kernel 1 / m:

    >>> import halfdof
    >>> equation = halfdof.MemoryEquation(halfdof.reduce([[2.0]], None, [[0.0]]), [0])
    >>> equation.L_inf.ravel().tolist()
    [0.0, 0.5]
    """

    def __init__(self, reduced: Reduced, contacts: Sequence[Direction], *, n_eigenvalues: int = 0) -> None:
        directions = [as_direction(contact, "a contact") for contact in contacts]
        for entries in directions:
            as_indices([dof for dof, _ in entries], reduced.n_dofs, "contacts")
        self._core = _core.MemoryEquation(reduced._core, directions, int(n_eigenvalues))
        self.A: Array = self._core.A
        self.L_inf: Array = self._core.L_inf
        self.regularity: list[str] = self._core.regularity()

    def L_0(self, tau: Any) -> Array:
        """Return the kernel L_0 at times tau > 0 [s], an array of shape (n_times, n, n_contacts)."""
        return self._core.L_0([float(t) for t in np.atleast_1d(tau)])

    def L_1(self, tau: Any) -> Array:
        """Return the integral L_1 of the kernel, with its jump at zero, at times tau >= 0 [s]."""
        return self._core.L_1([float(t) for t in np.atleast_1d(tau)])

    def __repr__(self) -> str:
        return f"<halfdof.MemoryEquation: {self.L_inf.shape[1]} contacts, {len(self.A)} entries of y>"


__all__ = ["MemoryEquation"]
