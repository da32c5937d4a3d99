# SPDX-License-Identifier: LGPL-2.1-or-later
"""Structural (hysteretic) damping: D(s) = s^2 M + s (C + i C_i) + K + i K_i for s = i omega, omega > 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray

from . import _core
from ._matrices import as_csc, as_indices
from ._model import Labels
from .errors import InvalidInput
from .spectra import Response, response_by

Array = NDArray[np.float64]
ComplexArray = NDArray[np.complex128]


@dataclass(frozen=True)
class StructuralModes:
    """Modes of a system with structural damping: the result of ``ReducedStructural.modes()``.

    Attributes
    ----------
    eigenvalues : numpy.ndarray of complex
        Eigenvalues of D with Im lambda > 0, and real ones [1/s].
    loss_factors : numpy.ndarray
        Im lambda^2 / Re lambda^2.
    errors : numpy.ndarray
        Bound of the error of each eigenvalue by rounding [1/s].
    shapes : numpy.ndarray of complex, shape (n_dofs, n_modes)
        Displacements of all DoFs; the largest entry of each mode is one.
    unphysical : numpy.ndarray of complex
        Eigenvalues of D with Im lambda < 0, which have no physical meaning [1/s].
    passed : bool
        Whether the eigenvalues before and after the elimination agree.
    """

    eigenvalues: ComplexArray
    loss_factors: Array
    errors: Array
    shapes: ComplexArray
    unphysical: ComplexArray
    passed: bool

    @property
    def frequencies(self) -> Array:
        """Frequencies Im lambda / (2 pi) [Hz]."""
        return self.eigenvalues.imag / (2 * np.pi)

    def __len__(self) -> int:
        return len(self.eigenvalues)

    def __repr__(self) -> str:
        return f"<halfdof.StructuralModes: {len(self)} modes>"


class ReducedStructural:
    """A system with structural damping, without half degrees of freedom: the result of
    ``reduce_structural()``.
    """

    def __init__(self, core: _core.ReducedStructural) -> None:
        self._core = core
        self.n_dofs: int = core.n_dofs

    def __str__(self) -> str:
        return self._core.summary().rstrip()

    def __repr__(self) -> str:
        return f"<halfdof.ReducedStructural: {self.n_dofs} DoFs>"

    def describe(self, dof: int) -> str:
        """Return the description of a DoF with its labels, as messages have it."""
        return self._core.describe(as_indices([dof], self.n_dofs, "dof")[0])

    def modes(self, count: int | None = None, *, shift: complex = 0.0) -> StructuralModes:
        """Return the modes nearest to a shift; all modes if count is left out (for small systems)."""
        return StructuralModes(
            **self._core.modes(0 if count is None else int(count), complex(shift), count is None)
        )

    def response(self, inputs: Any, outputs: Any, frequencies: Any, *, base: str | None = None) -> Response:
        """Return the response at positive frequencies; parameters as for ``Reduced.response()``."""
        return response_by(
            self._core, self.n_dofs, self.n_dofs, self.describe, inputs, outputs, frequencies, base
        )


def reduce_structural(
    mass: Any,
    damping: Any,
    stiffness: Any,
    structural_damping: Any = None,
    *,
    constrained: Any = None,
    labels: Labels | None = None,
) -> ReducedStructural:
    """Eliminate half degrees of freedom from a system with structural damping.

    Parameters
    ----------
    mass, damping, stiffness : matrix
        M, C and K as for ``reduce()``. C and K may be complex.
    structural_damping : float or matrix, optional
        K_i of K + i K_i; a number eta means eta K.
    constrained, labels : optional
        As for ``reduce()``.

    Returns
    -------
    ReducedStructural

    Examples
    --------
    >>> import halfdof
    >>> modes = halfdof.reduce_structural([[1.0]], None, [[4.0]], 0.1).modes()
    >>> modes.loss_factors.round(12).tolist()
    [0.1]
    """
    K, K_i = _parts(stiffness)
    C, C_i = (None, None) if damping is None else _parts(damping)
    real = as_csc(K, "stiffness")
    n = real[3][0]
    if isinstance(structural_damping, (int, float, np.integer, np.floating)):
        structural_damping = float(structural_damping) * sparse.csc_matrix(K, dtype=np.float64)
    if structural_damping is not None:
        if K_i is not None:
            raise InvalidInput(
                "The stiffness is complex, and structural_damping is given, too. Give only one of both."
            )
        K_i = structural_damping
    return ReducedStructural(
        _core.ReducedStructural(
            None if mass is None else as_csc(mass, "mass", (n, n)),
            None if C is None else as_csc(C, "damping", (n, n)),
            real,
            None if K_i is None else as_csc(K_i, "structural_damping", (n, n)),
            None if C_i is None else as_csc(C_i, "the imaginary part of the damping", (n, n)),
            as_indices(constrained, n, "constrained"),
            None if labels is None else labels._as_tuple(n),
        )
    )


def _parts(matrix: Any) -> tuple[Any, Any]:
    """Return the real and the imaginary part of a matrix; None for one that is real."""
    given = matrix if sparse.issparse(matrix) else np.asarray(matrix)
    if given.dtype.kind != "c":
        return matrix, None
    return given.real, given.imag


__all__ = ["ReducedStructural", "StructuralModes", "reduce_structural"]
