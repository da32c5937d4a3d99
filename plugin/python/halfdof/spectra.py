# SPDX-License-Identifier: LGPL-2.1-or-later
"""Eigenvalues, modes and responses of a reduced system, beside those of the assembled one."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._matrices import as_indices
from ._model import Reduced, as_direction
from .errors import InvalidInput, ModelWarning

Array = NDArray[np.float64]
ComplexArray = NDArray[np.complex128]


@dataclass(frozen=True)
class Spectra:
    """Eigenvalues before and after the elimination: the result of ``Reduced.compare_spectra()``.

    Attributes
    ----------
    before, after : numpy.ndarray of complex
        Matched eigenvalues [1/s] of the assembled pencil and of the reduced system.
    differences : numpy.ndarray
        Relative differences of the two.
    errors : numpy.ndarray
        Bound of the error of each eigenvalue by rounding [1/s]; NaN if it is not known.
    missing, extra : numpy.ndarray of complex
        Eigenvalues that only the list before, or only the list after contains.
    n_infinite : int
        Number of infinite eigenvalues of the assembled pencil.
    passed : bool
        Whether nothing is missing or extra, all pairs agree, residuals are small, and no count contradicts.
    completeness : {"counted", "searched", "unknown"}
        How it is known that no eigenvalue is missing.
    expected, found : int or None
        For a band or a region, number of eigenvalues that were counted and that were found.
    n_searched : int or None
        If fewer eigenvalues of a kind were found than asked for, how many of any kind were searched for them; then
        `passed` is False.
    """

    before: ComplexArray
    after: ComplexArray
    differences: Array
    errors: Array
    missing: ComplexArray
    extra: ComplexArray
    n_infinite: int
    passed: bool
    is_whole: bool
    completeness: str
    max_difference: float
    max_backward_error: float
    expected: int | None
    found: int | None
    n_searched: int | None
    text: str = field(repr=False)

    def __str__(self) -> str:
        return self.text.rstrip()

    def __repr__(self) -> str:
        verdict = "passed" if self.passed else "NOT passed"
        return f"<halfdof.Spectra: {len(self.after)} eigenvalues, {verdict}, {self.completeness}>"

    @property
    def frequencies(self) -> Array:
        """Frequencies abs(Im lambda) / (2 pi) of `after` [Hz]."""
        return np.abs(self.after.imag) / (2 * np.pi)

    @property
    def damping_ratios(self) -> Array:
        """Damping ratios -Re lambda / abs(lambda) of `after`; zero for zero eigenvalues."""
        modulus = np.abs(self.after)
        return 0.0 + np.divide(-self.after.real, modulus, out=np.zeros_like(modulus), where=modulus > 0)

    def plot(self, axes: Any = None) -> Any:
        """Draw both spectra in the complex plane, and return the axes of Matplotlib."""
        from .plots import plot_spectra

        return plot_spectra(self, axes)


@dataclass(frozen=True)
class Modes:
    """Modes of a reduced system, one of each conjugate pair: the result of ``Reduced.modes()``.

    Attributes
    ----------
    eigenvalues : numpy.ndarray of complex
        Eigenvalues [1/s] with nonnegative imaginary part, in ascending order of their distance from the
        shift.
    errors : numpy.ndarray
        Bound of the error of each eigenvalue by rounding [1/s].
    shapes : numpy.ndarray of complex, shape (n_dofs, n_modes)
        Displacements of all assembled DoFs; the largest entry of each mode is one.
    states : numpy.ndarray of complex, shape (n_states, n_modes)
        Eigenvectors of the state matrix.
    directions : list of str
        Components of the labels along which effective masses are given.
    effective_mass : numpy.ndarray, shape (n_modes, n_directions)
        Effective (modal participating) masses.
    total_mass : numpy.ndarray
        Mass of the free DoFs along each direction.
    completeness : {"counted", "searched", "unknown"}
        How it is known that no eigenvalue is missing.
    """

    eigenvalues: ComplexArray
    errors: Array
    shapes: ComplexArray
    states: ComplexArray
    directions: list[str]
    effective_mass: Array
    total_mass: Array
    completeness: str

    @classmethod
    def _from(cls, found: dict[str, Any], count: int) -> Modes:
        eigenvalues = found["eigenvalues"]
        first = np.flatnonzero(eigenvalues.imag >= 0)[:count]
        of_table = found["table_eigenvalues"]
        order = [int(np.argmin(np.abs(of_table - eigenvalues[i]))) for i in first]
        effective = found["effective_mass"][order]
        return cls(
            eigenvalues[first],
            found["errors"][first],
            np.ascontiguousarray(found["shapes"][:, first]),
            np.ascontiguousarray(found["states"][:, first]),
            found["directions"],
            effective,
            found["total_mass"],
            found["completeness"],
        )

    @property
    def frequencies(self) -> Array:
        """Frequencies Im lambda / (2 pi) [Hz]."""
        return self.eigenvalues.imag / (2 * np.pi)

    @property
    def damping_ratios(self) -> Array:
        """Damping ratios -Re lambda / abs(lambda); zero for zero eigenvalues."""
        modulus = np.abs(self.eigenvalues)
        return 0.0 + np.divide(-self.eigenvalues.real, modulus, out=np.zeros_like(modulus), where=modulus > 0)

    def __len__(self) -> int:
        return len(self.eigenvalues)

    def __str__(self) -> str:
        lines = [f"{'mode':>4}  {'frequency [Hz]':>16}  {'damping ratio':>14}"]
        for i, (f, d) in enumerate(zip(self.frequencies, self.damping_ratios), 1):
            lines.append(f"{i:4d}  {f:16.8g}  {d:14.6g}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<halfdof.Modes: {len(self)} modes>"


@dataclass(frozen=True)
class Response:
    """A frequency response, which unpacks as ``f, H``: the result of ``Reduced.response()``.

    Attributes
    ----------
    f : numpy.ndarray
        Frequencies [Hz].
    H : numpy.ndarray of complex, shape (n_frequencies, n_outputs, n_inputs)
        Response after the elimination, output per unit input; NaN where there is no response.
    before : numpy.ndarray of complex
        The same response, computed from the assembled matrices.
    rounding : numpy.ndarray
        Bound of the effect of rounding on the absolute value of `before`.
    missing : list of tuple
        Frequencies without response, with the reason.
    max_difference : float
        Largest relative difference of `H` and `before` beyond rounding.
    """

    f: Array
    H: ComplexArray
    before: ComplexArray
    rounding: Array
    missing: list[tuple[float, str]]
    max_difference: float
    output_names: list[str]
    input_names: list[str]

    def __iter__(self) -> Iterator[Any]:
        return iter((self.f, self.H))

    def __repr__(self) -> str:
        return (
            f"<halfdof.Response: {self.H.shape[1]} outputs, {self.H.shape[2]} inputs,"
            f" {len(self.f)} frequencies>"
        )

    def plot(self, axes: Any = None) -> Any:
        """Draw the absolute values over the frequency, and return the axes of Matplotlib."""
        from .plots import plot_response

        return plot_response(self, axes)


def _name(entries: list[tuple[int, float]], describe: Callable[[int], str]) -> str:
    if len(entries) == 1 and entries[0][1] == 1.0:
        return describe(entries[0][0])
    return " + ".join(f"{weight:g} x {describe(dof)}" for dof, weight in entries)


def response_by(
    core: Any,
    n_given: int,
    n: int,
    describe: Callable[[int], str],
    inputs: Any,
    outputs: Any,
    frequencies: Any,
    base: str | None,
) -> Response:
    """Return the response of a reduced system of the compiled part."""
    f = np.atleast_1d(np.asarray(frequencies, dtype=float))
    if f.ndim != 1:
        raise InvalidInput(f"frequencies has {f.ndim} dimensions. Give a list.")
    out_entries = []
    out_names = []
    is_one = isinstance(outputs, tuple) and len(outputs) == 2 and isinstance(outputs[0], str)
    for given in outputs if isinstance(outputs, (list, tuple, np.ndarray)) and not is_one else [outputs]:
        quantity, along = given if isinstance(given, tuple) else ("displacement", given)
        entries = as_direction(along, "an output")
        as_indices([dof for dof, _ in entries], n, "outputs")
        out_entries.append((str(quantity), entries))
        out_names.append(f"{quantity} of {_name(entries, describe)}")
    if isinstance(inputs, np.ndarray) and inputs.ndim == 2:
        if np.iscomplexobj(inputs):
            raise InvalidInput(
                "The load vectors are complex. Pass their real and imaginary parts as two columns."
            )
        loads = np.asarray(inputs, dtype=float)
        directions = None
        in_names = [f"load {i}" for i in range(loads.shape[1])]
        if n_given <= len(loads) < n:
            loads = np.vstack([loads, np.zeros((n - len(loads), loads.shape[1]))])
    else:
        given_inputs = inputs if isinstance(inputs, (list, tuple, np.ndarray)) else [inputs]
        directions = [as_direction(along, "an input") for along in given_inputs]
        for entries in directions:
            as_indices([dof for dof, _ in entries], n, "inputs")
        loads = np.zeros((n, len(directions)))
        for column, entries in enumerate(directions):
            for dof, weight in entries:
                loads[dof, column] += weight
        of = "force on" if base is None else f"{base} of the base at"
        in_names = [f"{of} {_name(entries, describe)}" for entries in directions]
    if base is None:
        if loads.shape[0] != n:
            raise InvalidInput(
                f"The load vectors have {loads.shape[0]} rows. They need one for each of the {n} DoFs."
            )
        found = core.frequency_response(f.tolist(), loads, out_entries)
    else:
        if directions is None:
            raise InvalidInput(
                "The inputs of a base motion are directions of constrained DoFs, not load vectors."
            )
        found = core.base_response(f.tolist(), directions, base, out_entries)
    _warn_of_rounding(f, found["before"], found["rounding"])
    return Response(
        f,
        found["after"],
        found["before"],
        found["rounding"],
        found["missing"],
        found["max_difference"],
        out_names,
        in_names,
    )


def _warn_of_rounding(f: Array, before: ComplexArray, rounding: Array) -> None:
    """Warn of frequencies at which rounding is as large as the largest entry of the response."""
    if before.size == 0:
        return
    largest = np.max(np.abs(before), axis=(1, 2), initial=0.0)
    lost = [float(value) for value in f[np.max(rounding, axis=(1, 2), initial=0.0) > largest]]
    if lost:
        shown = ", ".join(f"{value:g}" for value in lost[:5]) + (", ..." if len(lost) > 5 else "")
        warnings.warn(
            (
                f"At {len(lost)} frequencies ({shown} Hz) the response has no correct digit, because rounding"
                " is larger. The dynamic stiffness is nearly singular there: is the structure held?"
            ),
            ModelWarning,
            stacklevel=4,
        )


@dataclass(frozen=True)
class Branch:
    """An eigenvalue over a parameter.

    Attributes
    ----------
    number : int
        Number from one on.
    parameter : numpy.ndarray
        Values of the parameter, with those that were added to decide a continuation.
    eigenvalues : numpy.ndarray of complex
        The eigenvalue at each value [1/s].
    """

    number: int
    parameter: Array
    eigenvalues: ComplexArray


@dataclass(frozen=True)
class StabilityChange:
    """A value of the parameter at which a mode begins or ceases to grow.

    Attributes
    ----------
    branch : int
        Number of the branch.
    parameter, uncertainty : float
        The value and the bound of its error.
    eigenvalue : complex
        The eigenvalue there [1/s].
    begins_to_grow : bool
        Whether the mode grows above the value.
    shape : numpy.ndarray of complex
        Displacements of all DoFs.
    """

    branch: int
    parameter: float
    uncertainty: float
    eigenvalue: complex
    begins_to_grow: bool
    shape: ComplexArray


@dataclass(frozen=True)
class Branches:
    """Eigenvalues that are followed over a parameter: the result of ``follow_eigenvalues()``.

    Attributes
    ----------
    branches : list of Branch
        The eigenvalues, each with one number.
    stability : list of StabilityChange
        Where modes begin or cease to grow.
    undecided : list of tuple
        Steps (from, to, numbers of branches) in which a continuation could not be decided.
    growing_at_first : tuple of int
        Branches that grow at the first value.
    """

    branches: list[Branch]
    stability: list[StabilityChange]
    undecided: list[tuple[float, float, tuple[int, ...]]]
    growing_at_first: tuple[int, ...]
    text: str = field(repr=False)

    def __str__(self) -> str:
        return self.text.rstrip()

    def __repr__(self) -> str:
        return f"<halfdof.Branches: {len(self.branches)} branches>"

    def plot(self, axes: Any = None, *, name: str = "parameter") -> Any:
        """Draw the frequencies over the parameter, and return the axes of Matplotlib."""
        from .plots import plot_branches

        return plot_branches(self, axes, name)


def follow_eigenvalues(
    system: Callable[[float], Reduced],
    values: Sequence[float],
    count: int = 12,
    *,
    shift: complex = 0.0,
    name: str = "parameter",
) -> Branches:
    """Follow the eigenvalues nearest to a shift over a parameter, through crossings and veerings.

    Parameters
    ----------
    system : callable
        Returns the reduced system at a value of the parameter.
    values : sequence of float
        Strictly ascending or descending values.
    count : int
        Number of eigenvalues at each value.
    shift : complex
        Point of the complex plane [1/s].
    name : str
        Name of the parameter in the text.

    Returns
    -------
    Branches

    Examples
    --------
    Mode coupling (Hoffmann et al. 2002): flutter from mu = 3/4 on.

    >>> import halfdof, numpy as np
    >>> def brake(mu):
    ...     return halfdof.reduce(np.eye(2), None, [[2.0, 1 - 4 * mu / 3], [1.0, 2.0]])
    >>> found = halfdof.follow_eigenvalues(brake, np.linspace(0, 1, 11), 4)
    >>> bool(abs(found.stability[0].parameter - 0.75) < 1e-6)
    True
    """

    def core_system(value: float) -> _core.Reduced:
        reduced = system(value)
        if not isinstance(reduced, Reduced):
            raise InvalidInput(
                f"system({value:g}) is of the type {type(reduced).__name__}. It has to be the result of"
                " halfdof.reduce()."
            )
        return reduced._core

    found = _core.eigenvalue_branches(
        core_system, [float(v) for v in values], int(count), complex(shift), name
    )
    return Branches(
        [Branch(*branch) for branch in found["branches"]],
        [StabilityChange(*change) for change in found["stability"]],
        found["undecided"],
        found["growing_at_first"],
        found["text"],
    )


def with_resonances(frequencies: Sequence[float], eigenvalues: Any) -> Array:
    """Return frequencies [Hz] with others added that resolve the resonances of eigenvalues [1/s].

    Examples
    --------
    >>> import halfdof, numpy as np
    >>> f = halfdof.with_resonances([0.5, 1.0, 1.5], [-0.05 + 6.0j])
    >>> len(f) > 3
    True
    """
    values = [complex(value) for value in np.ravel(eigenvalues)]
    return np.asarray(_core.with_resonances([float(f) for f in frequencies], values, 1 / 6))


__all__ = [
    "Branch",
    "Branches",
    "Modes",
    "Response",
    "Spectra",
    "StabilityChange",
    "follow_eigenvalues",
    "with_resonances",
]
