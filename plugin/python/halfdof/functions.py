# SPDX-License-Identifier: LGPL-2.1-or-later
"""Functions of time: thresholds, loads, motions of supports and obstacles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Union

import numpy as np

from . import _core
from .errors import InvalidInput


class Table:
    """A function of time that is linear between points.

    Parameters
    ----------
    times : sequence of float
        Strictly ascending times [s].
    values : sequence of float
        Values at these times.
    beyond : {"hold", "repeat", "refuse"}
        Beyond the table, the first and last values continue, the table is one period, or an error is raised.

    Examples
    --------
    >>> import halfdof
    >>> ramp = halfdof.Table([0.0, 1.0], [0.0, 3.0])
    >>> brake = halfdof.DryFriction({0: 1.0}, ramp)
    """

    def __init__(self, times: Sequence[float], values: Sequence[float], beyond: str = "hold") -> None:
        if beyond not in ("hold", "repeat", "refuse"):
            raise InvalidInput(
                f'A table has no behaviour "{beyond}" beyond its ends. Give hold, repeat or refuse.'
            )
        self.times = [float(t) for t in times]
        self.values = [float(v) for v in values]
        self.beyond = beyond
        _core.check_table(self.times, self.values, beyond)

    def __repr__(self) -> str:
        return f"<halfdof.Table: {len(self.times)} points, t = {self.times[0]:g} to {self.times[-1]:g} s>"


class Differentiable:
    """A function of time with its derivatives, for Python functions.

    A Python function alone is differentiated numerically where a derivative is needed, with about eight
    correct digits; formulas, tables and numbers are differentiated exactly.

    Parameters
    ----------
    value : callable
        The value at a time [s].
    rate : callable
        The first derivative from the right.
    acceleration : callable, optional
        The second derivative, which only the motion of constrained DoFs with inertia needs.

    Examples
    --------
    >>> import halfdof, math
    >>> shaker = halfdof.Differentiable(math.sin, math.cos, lambda t: -math.sin(t))
    """

    def __init__(
        self,
        value: Callable[[float], float],
        rate: Callable[[float], float],
        acceleration: Callable[[float], float] | None = None,
    ) -> None:
        self.value = value
        self.rate = rate
        self.acceleration = acceleration


#: A number, a formula in t such as ``"0.05*sin(10*pi*t^2)"`` (+ - * / ^, comparisons, c ? a : b, sin, cos,
#: exp, ln, sqrt, abs, sign, min, max, pi, e), a table, or a Python function of time.
Function = Union[float, str, Table, Differentiable, Callable[[float], float]]


def as_function(given: Any, name: str) -> Any:
    """Return the form of a function of time that the compiled part takes."""
    if isinstance(given, Table):
        return (given.times, given.values, given.beyond)
    if isinstance(given, Differentiable):
        return (given.value, given.rate)
    if isinstance(given, str) or callable(given):
        return given
    if isinstance(given, (int, float, np.integer, np.floating)) and not isinstance(given, bool):
        return float(given)
    raise InvalidInput(
        f"{name} is of the type {type(given).__name__}. A function of time is a number, a formula in t, a"
        " halfdof.Table or a Python function."
    )


def as_motion(given: Any, name: str) -> Any:
    """Return the form of a prescribed motion, which needs two derivatives."""
    if isinstance(given, Differentiable):
        if given.acceleration is None:
            raise InvalidInput(
                f"{name} has no acceleration. Give it as the third function of halfdof.Differentiable."
            )
        return [given.value, given.rate, given.acceleration]
    if callable(given):
        raise InvalidInput(
            f"{name} is a Python function without derivatives. Give a formula, or"
            " halfdof.Differentiable(value, rate, acceleration)."
        )
    return as_function(given, name)
