# SPDX-License-Identifier: LGPL-2.1-or-later
"""Conversion of matrices and vectors that users give."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray

from . import _core
from .errors import InvalidInput

Csc = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64], tuple[int, int]]

_LARGEST_INDEX = np.iinfo(np.int32).max


def _as_numbers(values: Any, name: str) -> NDArray[Any]:
    """Return real or complex numbers in double precision."""
    if isinstance(values, np.ma.MaskedArray):
        raise InvalidInput(
            f"{name} is a masked array. A model has no missing entries: pass `{name}.filled(0)` if masked"
            " entries are zero."
        )
    array = np.asarray(values)
    if array.dtype.kind in "biuf":
        return np.asarray(array, dtype=np.float64)
    if array.dtype.kind == "c":
        return np.asarray(array, dtype=np.complex128)
    raise InvalidInput(f"{name} has the dtype {array.dtype}. Numbers are needed: pass an array of float.")


def _sparse(matrix: Any, name: str) -> Any:
    """Return a matrix of real or complex numbers by columns, without copying one that has this form."""
    if sparse.issparse(matrix):
        csc = matrix if matrix.format == "csc" else matrix.tocsc()
        values = _as_numbers(csc.data, name)
        if values is csc.data:
            return csc
        return sparse.csc_matrix((values, csc.indices, csc.indptr), shape=csc.shape)
    array = _as_numbers(matrix, name)
    if array.ndim != 2:
        raise InvalidInput(f"{name} has the shape {array.shape}. A matrix has two dimensions.")
    return sparse.csc_matrix(array)


def _shared_rows(matrix: Any) -> Csc | None:
    """Return the arrays of a symmetric matrix by rows, which are those of its columns."""
    if not sparse.issparse(matrix) or matrix.format != "csr" or matrix.shape[0] != matrix.shape[1]:
        return None
    if matrix.data.dtype != np.float64 or matrix.indices.dtype != np.int32:
        return None
    arrays = (matrix.indptr, matrix.indices, matrix.data, (int(matrix.shape[0]), int(matrix.shape[1])))
    if not all(array.flags.c_contiguous for array in arrays[:3]):
        return None
    return arrays if _core.has_ascending_rows(arrays) and _core.is_symmetric(arrays) else None


def as_csc(matrix: Any, name: str, shape: tuple[int, int] | None = None) -> Csc:
    """Return the entries of a real matrix by columns, with ascending rows and without repeated entries.

    The arrays are those of the matrix wherever these have the right form: the matrix must not be changed
    while the result is used.
    """
    if (shared := _shared_rows(matrix)) is not None and shape in (None, matrix.shape):
        return shared
    csc = _sparse(matrix, name)
    if np.iscomplexobj(csc.data):
        raise InvalidInput(
            f"{name} is complex. Time and damped modes need a real {name}; for a loss factor, pass the real"
            " part, and the imaginary part of the stiffness as structural_damping to"
            " halfdof.reduce_structural()."
        )
    if shape is not None and csc.shape != shape:
        raise InvalidInput(
            f"{name} is {csc.shape[0]} x {csc.shape[1]}, but the stiffness is {shape[0]} x {shape[1]}. "
            "All matrices of a model have one size."
        )
    if csc.nnz > _LARGEST_INDEX or max(csc.shape) > _LARGEST_INDEX:
        raise InvalidInput(f"{name} has {csc.nnz} entries. At most {_LARGEST_INDEX} are possible.")
    arrays = _arrays(csc)
    if csc.has_canonical_format or _core.has_ascending_rows(arrays):
        return arrays
    csc = csc.copy()
    csc.sum_duplicates()
    return _arrays(csc)


def _arrays(csc: Any) -> Csc:
    """Return contiguous arrays of a matrix by columns, its own ones where these have the right types."""
    n_entries = int(csc.indptr[-1])
    is_longer = len(csc.data) > n_entries
    return (
        np.ascontiguousarray(csc.indptr, dtype=np.int32),
        np.ascontiguousarray(csc.indices[:n_entries] if is_longer else csc.indices, dtype=np.int32),
        np.ascontiguousarray(csc.data[:n_entries] if is_longer else csc.data),
        (int(csc.shape[0]), int(csc.shape[1])),
    )


def copied(csc: Csc) -> Csc:
    """Return arrays that do not change with those of a matrix."""
    return (csc[0].copy(), csc[1].copy(), csc[2].copy(), csc[3])


def from_csc(csc: Csc) -> sparse.csc_matrix:
    """Return a matrix of SciPy."""
    indptr, indices, data, shape = csc
    return sparse.csc_matrix((data, indices, indptr), shape=shape)


def as_vector(values: Any, n: int, name: str) -> NDArray[np.float64]:
    """Return a real vector of n numbers."""
    if values is None:
        raise InvalidInput(f"{name} is None. It needs one number for each of the {n} DoFs.")
    array = _as_numbers(values, name)
    if np.iscomplexobj(array):
        raise InvalidInput(f"{name} is complex. Real numbers are needed.")
    if array.shape != (n,):
        raise InvalidInput(
            f"{name} has the shape {array.shape}. It needs one number for each of the {n} DoFs: ({n},)."
        )
    return array


def as_indices(dofs: Any, n: int, name: str) -> list[int]:
    """Return whole numbers below n; None is an empty list."""
    if dofs is None:
        return []
    array = np.asarray(dofs)
    if array.size == 0:
        return []
    if array.dtype == bool:
        if array.shape != (n,):
            raise InvalidInput(
                f"The mask {name} has the shape {array.shape}. It needs one entry for each of the {n} DoFs:"
                f" ({n},)."
            )
        return [int(i) for i in np.flatnonzero(array)]
    if array.dtype.kind not in "iu" or array.ndim > 1:
        raise InvalidInput(
            f"{name} has the dtype {array.dtype} and {array.ndim} dimensions. A list of whole numbers is"
            " needed."
        )
    indices = [int(i) for i in np.atleast_1d(array)]
    for index in indices:
        if not 0 <= index < n:
            raise InvalidInput(f"{name} names DoF {index}. The model has the DoFs 0 to {n - 1}.")
    return indices
