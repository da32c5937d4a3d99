# SPDX-License-Identifier: LGPL-2.1-or-later
"""Exceptions and warnings of halfdof.

Every exception has a message that names the quantity, the degrees of freedom, what was found and what to do,
and the numbers of the message as attributes.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class SingularPart(NamedTuple):
    """Degrees of freedom that make a matrix singular, with the cause and a remedy.

    Attributes
    ----------
    block : str
        Name of the singular matrix, such as ``"K_KK"`` or ``"D"``.
    dofs : tuple of int
        Degrees of freedom with the largest entries in the null vectors.
    names : tuple of str
        Descriptions of these degrees of freedom.
    cause, remedy : str
        What is wrong, and what to do.
    """

    block: str
    dofs: tuple[int, ...]
    names: tuple[str, ...]
    cause: str
    remedy: str


class Error(Exception):
    """Base class of all exceptions of halfdof.

    Attributes
    ----------
    dofs : tuple of int
        Degrees of freedom that the message names, in assembled numbering; empty if it names none.
    cause : str
        The cause; the message if no cause is known separately.
    run : halfdof.Run or None
        If the exception ended a run, what was recorded before.
    """

    dofs: tuple[int, ...] = ()
    run: Any = None

    def __init__(self, message: str = "") -> None:
        super().__init__(message)
        self.cause: str = message


class InvalidInput(Error, ValueError):
    """Input data, a file or an option is invalid. Nothing was computed."""


class NotFinite(InvalidInput):
    """A number, or a value that a function returned, is NaN or infinite."""


class FileError(InvalidInput):
    """A file cannot be read or written, or violates its format.

    Attributes
    ----------
    file : str
        Path of the file.
    line : int
        Number of the line, counted from one; zero if the error does not belong to a line.
    """

    file: str = ""
    line: int = 0


class UndefinedFunction(InvalidInput):
    """A function of time has no value at the requested time.

    Attributes
    ----------
    place : str
        Where the function is defined; empty if this is unknown.
    """

    place: str = ""


class NotAvailable(Error):
    """A valid request cannot be met for this system or size."""


class BeyondLimit(NotAvailable):
    """A result would exceed a limit of size that can be raised."""


class SingularMatrix(Error):
    """A square matrix could not be factorized, or is singular to working precision."""


class SingularElimination(Error):
    """The half degrees of freedom cannot be eliminated, because a matrix is singular.

    Attributes
    ----------
    block : str
        Name of the singular matrix.
    parts : tuple of SingularPart
        The groups of degrees of freedom that make the matrix singular, one for each cause.
    """

    block: str = ""
    parts: tuple[SingularPart, ...] = ()


class AmbiguousRank(Error):
    """The singular values of a matrix have no clear gap between zero and nonzero ones.

    Attributes
    ----------
    matrix : str
        Name of the matrix.
    rank : int
        The rank with the clearest gap.
    gap : float
        Smallest singular value that counts as nonzero, divided by the largest one that counts as zero.
    """

    matrix: str = ""
    rank: int = 0
    gap: float = 0.0


class SingularPencil(Error):
    """The equations do not determine the unknowns, whatever the loads are.

    Attributes
    ----------
    equations : tuple of int
        Linearly dependent rows.
    null_vector : numpy.ndarray
        A vector that the pencil maps to zero.
    """

    equations: tuple[int, ...] = ()
    null_vector: Any = None


class NoConvergence(Error):
    """An iteration stopped before it reached its tolerance.

    Attributes
    ----------
    residual : float
        The relative residual that was reached.
    """

    residual: float = 0.0


class NoReactions(NoConvergence):
    """No reactions of a time step were found.

    Attributes
    ----------
    inclusion : str
        Name of the inclusion with the largest residual.
    """

    inclusion: str = ""


class BlowUp(Error):
    """The state of a run became infinite, NaN or implausibly large.

    Attributes
    ----------
    time : float
        End of the failed step [s].
    """

    time: float = 0.0


class KindChange(Error):
    """The tangent mass or damping of a degree of freedom vanishes at a state of a nonlinear system.

    Attributes
    ----------
    time : float
        Time of the state [s].
    """

    time: float = 0.0


class ModelWarning(UserWarning):
    """A model was accepted, but probably is not what its author meant."""


class ConsistencyWarning(UserWarning):
    """Given initial values contradict the equations and were changed."""
