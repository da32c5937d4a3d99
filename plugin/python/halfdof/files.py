# SPDX-License-Identifier: LGPL-2.1-or-later
"""Models in files of other programs."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._matrices import as_csc, from_csc
from ._model import Labels, Reduced, reduce
from .errors import InvalidInput, ModelWarning

Path = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Model:
    """Matrices of a model in files: the result of ``read_model()``.

    Attributes
    ----------
    mass, damping, stiffness : scipy.sparse.csc_matrix or None
        M, C and K.
    structural_damping, imaginary_damping : scipy.sparse.csc_matrix or None
        K_i and C_i of K + i K_i and C + i C_i.
    constraints : scipy.sparse.csc_matrix or None
        G of G q = 0.
    labels : Labels or None
        Node and component of each DoF.
    formats : list of str
        Format of each file.
    remarks : list of str
        Remarks, such as matrices that were not used.
    """

    mass: Any
    damping: Any
    stiffness: Any
    structural_damping: Any
    imaginary_damping: Any
    constraints: Any
    labels: Labels | None
    formats: list[str]
    remarks: list[str]

    def __repr__(self) -> str:
        n = self.stiffness.shape[0] if self.stiffness is not None else 0
        return f"<halfdof.Model: {n} DoFs from {', '.join(self.formats)}>"

    def reduce(self, **options: Any) -> Reduced:
        """Reduce the model; options as for ``reduce()``."""
        if self.structural_damping is not None or self.imaginary_damping is not None:
            raise InvalidInput(
                "The model has structural damping, which has no causal motion in time. Pass its matrices to"
                " halfdof.reduce_structural()."
            )
        if self.stiffness is None:
            raise InvalidInput(
                "No matrix of the files is known as the stiffness. Known names are M, MASS (mass), C, D, B,"
                " DAMPING (damping), K, STIF, STIFFNESS (stiffness) and G, A (constraints);"
                " read_matrix(FILE:NAME) reads any other."
            )
        if self.constraints is not None and "constraints" not in options:
            options["constraints"] = (self.constraints,)
        return reduce(self.mass, self.damping, self.stiffness, labels=self.labels, **options)


def read_model(*files: Path, dofs: Path | None = None) -> Model:
    """Read M, C and K from files of CalculiX, Abaqus, Nastran, ANSYS, MATLAB, NumPy, PETSc or in Matrix
    Market format.

    The format is recognized by content. The role of a matrix follows from its name, or from that of its file.

    Parameters
    ----------
    *files : path
        One or several files.
    dofs : path, optional
        A list of the DoFs, one ``node component`` in a line.

    Returns
    -------
    Model

    Examples
    --------
    >>> import halfdof, scipy.io, scipy.sparse, tempfile, os
    >>> folder = tempfile.mkdtemp()
    >>> path = os.path.join(folder, "beam.mat")
    >>> scipy.io.savemat(path, {"M": scipy.sparse.eye(2), "K": 4 * scipy.sparse.eye(2)})
    >>> halfdof.read_model(path).reduce().n_states
    4
    """
    if not files:
        raise InvalidInput("No file was given.")
    found = _core.read_model([os.fspath(file) for file in files], "" if dofs is None else os.fspath(dofs))
    labels = found.pop("labels")
    for name in ("mass", "damping", "stiffness", "structural_damping", "imaginary_damping", "constraints"):
        if found[name] is not None:
            found[name] = from_csc(found[name])
    return Model(labels=_labels(labels), **found)


def _labels(given: Any) -> Labels | None:
    if given is None:
        return None
    names, component, node, points, dimension = given
    n = max(len(component), len(node))
    components = [names[c] for c in component] if component else [""] * n
    coordinates = np.asarray(points)[:, :dimension] if points and dimension else None
    return Labels(list(node) if node else [-1] * n, components, coordinates)


def read_matrix(file: Path) -> Any:
    """Read one real matrix; ``FILE:NAME`` selects one of several. Returns a scipy.sparse.csc_matrix."""
    return from_csc(_core.read_matrix(os.fspath(file)))


def write_matrices(
    file: Path, matrices: Mapping[str, Any], *, format: str | None = None, labels: Labels | None = None
) -> None:
    """Write real matrices in the format of another program.

    Parameters
    ----------
    file : path
        The file; its extension says the format if `format` is left out: .mtx, .npz, .mat, .hb, .petsc, .sti
        and .mas (CalculiX), .inp (Abaqus matrix input), .pch (Nastran DMIG), .op4.
    matrices : dict
        Names and matrices; some formats hold only one.
    format : str, optional
        Name of the format, such as ``"mat-7.3"`` or ``"abaqus-coordinate"``.
    labels : Labels, optional
        Node and component of each row, for formats that hold them. The components are words such as x, y, z,
        rx.

    Warns
    -----
    ModelWarning
        If the format cannot hold labels, or all digits.

    Examples
    --------
    >>> import halfdof, numpy as np, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "beam.mat")
    >>> halfdof.write_matrices(path, {"M": np.eye(2), "K": 4 * np.eye(2)})
    >>> halfdof.read_model(path).stiffness.diagonal().tolist()
    [4.0, 4.0]
    """
    columns = [(name, as_csc(matrix, name)) for name, matrix in matrices.items()]
    given = None if labels is None else labels._as_tuple(columns[0][1][3][0])
    for remark in _core.write_matrices(os.fspath(file), format or "", columns, given):
        warnings.warn(remark, ModelWarning, stacklevel=2)


def read_vector(file: Path) -> NDArray[np.float64]:
    """Read one vector."""
    return np.asarray(_core.read_vector(os.fspath(file)))


def read_dofs(file: Path, n_dofs: int | None = None) -> NDArray[np.int64]:
    """Read a list of DoFs, one 0-based index in a line."""
    return np.array(_core.read_dof_list(os.fspath(file), n_dofs), dtype=np.int64)


__all__ = ["Model", "read_dofs", "read_matrix", "read_model", "read_vector", "write_matrices"]
