# SPDX-License-Identifier: LGPL-2.1-or-later
"""Friction and contact: laws with the directions on which they act.

An inclusion acts along one, two or three columns of H, M q'' + C q' + K q = f(t) + H r. Its law ties the
reaction r to the rate w = H^T q' - h'(t) (friction) or to the gap g = H^T q - h(t) (contact), both measured
from the motion h of a support or obstacle. A positive reaction acts along its column of H.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._model import Direction, as_direction
from .errors import InvalidInput
from .functions import Differentiable, Function, Table, as_function

Array = NDArray[np.float64]


class Inclusion:
    """A law with its directions. Users create one of the derived classes.

    Attributes
    ----------
    name : str or None
        Name for messages and results; a number is appended to the name of the class if it is None.
    n_directions : int
        Number of columns of H.
    """

    name: str | None
    n_directions: int

    def __init__(
        self,
        make_law: Callable[..., _core.Law],
        arguments: tuple[Any, ...],
        directions: Sequence[Direction],
        name: str | None,
    ) -> None:
        make_law(*arguments)  # refuses wrong arguments
        self._make_law, self._arguments = make_law, arguments
        self._directions = [as_direction(d, f"a direction of {type(self).__name__}") for d in directions]
        self.name = name
        self.n_directions = len(self._directions)

    def _law(self) -> _core.Law:
        """Return the law of one run.

        Runs in several threads do not share formulas, which serve one thread at a time.
        """
        return self._make_law(*self._arguments)

    def _signature(self) -> tuple[Any, ...]:
        """Return what a state has to agree with if a run continues from it; functions are not compared."""
        return (type(self).__name__, repr(self._directions), _without_functions(self._arguments))

    def __repr__(self) -> str:
        along = ", ".join(str(dict(d)) for d in self._directions)
        return f"<halfdof.{type(self).__name__} along {along}>"


def _without_functions(given: Any) -> str:
    if isinstance(given, (tuple, list)):
        return "(" + ", ".join(_without_functions(part) for part in given) + ")"
    return "function" if callable(given) or isinstance(given, Law) else repr(given)


def _negative(function: Function, name: str) -> Any:
    """Return minus a function of time."""
    if isinstance(function, str):
        return f"-({function})"
    if isinstance(function, Table):
        return as_function(Table(function.times, [-v for v in function.values], function.beyond), name)
    if isinstance(function, Differentiable):
        value, rate = function.value, function.rate
        return (lambda t: -value(t), lambda t: -rate(t))
    if callable(function):
        of = function
        return lambda t: -of(t)
    return -as_function(function, name)


class DryFriction(Inclusion):
    """Dry friction: r in [lower, threshold], r = lower where w > 0 and r = threshold where w < 0.

    Parameters
    ----------
    along : direction
        A DoF, or the weights of several DoFs: ``{12: 1.0, 15: -1.0}`` is friction between two DoFs.
    threshold : function of time
        Largest reaction [force]; without `lower`, in both directions.
    lower : function of time, optional
        The reaction where w > 0, not positive, if it is not -threshold.
    support : function of time
        Motion h of the surface on which the inclusion slides.
    name : str, optional
        Name for messages and results.

    Examples
    --------
    >>> import halfdof
    >>> pad = halfdof.DryFriction({12: 1.0}, 5.0, name="pad")
    >>> growing = halfdof.DryFriction(0, "5*(1 - exp(-t))")
    """

    def __init__(
        self,
        along: Direction,
        threshold: Function,
        *,
        lower: Function | None = None,
        support: Function = 0.0,
        name: str | None = None,
    ) -> None:
        if lower is None and isinstance(threshold, (int, float)) and not threshold >= 0:
            raise InvalidInput(
                f"The threshold of dry friction is {threshold}. It has to be zero or positive."
            )
        below = _negative(threshold, "threshold") if lower is None else as_function(lower, "lower")
        arguments = (below, as_function(threshold, "threshold"), as_function(support, "support"))
        super().__init__(_core.dry_friction, arguments, [along], name)


class StaticKineticFriction(Inclusion):
    """Dry friction with a larger threshold while it sticks.

    Parameters
    ----------
    along : direction
        As for ``DryFriction``.
    static, kinetic : function of time
        Thresholds while it sticks and while it slips, 0 <= kinetic <= static [force].
    support, name
        As for ``DryFriction``.

    Examples
    --------
    >>> import halfdof
    >>> belt = halfdof.StaticKineticFriction(0, 1.2, 1.0, support="0.5*t")
    """

    def __init__(
        self,
        along: Direction,
        static: Function,
        kinetic: Function,
        *,
        support: Function = 0.0,
        name: str | None = None,
    ) -> None:
        arguments = (
            as_function(static, "static"),
            as_function(kinetic, "kinetic"),
            as_function(support, "support"),
        )
        super().__init__(_core.static_kinetic, arguments, [along], name)


class WeakeningFriction(Inclusion):
    """Friction that decreases with the sliding speed v = abs(w).

    Parameters
    ----------
    along : direction
        As for ``DryFriction``.
    at_rest, kinetic : float
        Friction at rest and at large speeds [force].
    speed : float
        Speed v_0 over which it decreases [rate].
    curve : {"exponential", "hyperbolic", "gaussian"} or tuple
        f = f_k + (f_s - f_k) e^(-v/v_0), f_k + (f_s - f_k) / (1 + v/v_0), or f_k + (f_s - f_k)
        e^(-(v/v_0)^2). A tuple ``(f, df_dv, l)`` of two Python functions and the steepest decrease l >=
        -df/dv replaces all numbers.
    support, name
        As for ``DryFriction``.

    Examples
    --------
    >>> import halfdof
    >>> brake = halfdof.WeakeningFriction(0, 1.0, 0.6, 0.1, support="0.3*t")
    """

    def __init__(
        self,
        along: Direction,
        at_rest: float = 0.0,
        kinetic: float = 0.0,
        speed: float = 1.0,
        *,
        curve: str | tuple[Callable[[float], float], Callable[[float], float], float] = "exponential",
        support: Function = 0.0,
        name: str | None = None,
    ) -> None:
        if isinstance(curve, str):
            if curve not in ("exponential", "hyperbolic", "gaussian"):
                raise InvalidInput(
                    f'There is no curve "{curve}". Give exponential, hyperbolic, gaussian or three functions.'
                )
            of: tuple[Any, ...] = (curve, float(at_rest), float(kinetic), float(speed))
        else:
            of = (curve[0], curve[1], float(curve[2]))
        super().__init__(_core.weakening, (of, as_function(support, "support")), [along], name)


class Contact(Inclusion):
    """Contact without friction and adhesion: gap g >= 0, r >= 0, g r = 0.

    Parameters
    ----------
    along : direction
        The normal, from the obstacle into the body: the gap is ``H^T q + gap - obstacle(t)``.
    gap : float
        Gap at q = 0.
    obstacle : function of time
        Motion of the obstacle along the normal.
    restitution : float, optional
        Coefficient e of Newton's law of impact, for contacts of masses; without it they do not rebound.
    name : str, optional
        Name for messages and results.

    Examples
    --------
    A stop below DoF 3 at a distance of 1 mm, and a stop above it:

    >>> import halfdof
    >>> below = halfdof.Contact({3: 1.0}, gap=1e-3)
    >>> above = halfdof.Contact({3: -1.0}, gap=1e-3, restitution=0.5)
    """

    def __init__(
        self,
        along: Direction,
        gap: float = 0.0,
        *,
        obstacle: Function = 0.0,
        restitution: float | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__(_core.contact, (_raised(obstacle, gap), restitution), [along], name)


def _raised(obstacle: Function, gap: float) -> Any:
    """Return h(t) = obstacle(t) - gap."""
    gap = float(gap)
    given = as_function(obstacle, "obstacle")
    if isinstance(given, float):
        return given - gap
    if gap == 0.0:
        return given
    if isinstance(given, str):
        return f"({given}) - ({gap!r})"
    if isinstance(obstacle, Table):
        return (obstacle.times, [v - gap for v in obstacle.values], obstacle.beyond)
    if isinstance(obstacle, Differentiable):
        value = obstacle.value
        return (lambda t: value(t) - gap, obstacle.rate)
    return lambda t: given(t) - gap


class FrictionalContact(Inclusion):
    """Contact with Coulomb friction, in the plane or in space: g >= 0, r_n >= 0, g r_n = 0, abs(r_t) <= mu
    r_n.

    Parameters
    ----------
    normal : direction
        The normal, from the obstacle into the body.
    tangents : direction or sequence of direction
        One tangent (plane) or two orthonormal tangents (space).
    friction : function of time
        Coefficient of friction mu.
    gap, obstacle, restitution, name
        As for ``Contact``.
    support : function of time, or a sequence of them
        Motion of the obstacle along each tangent.

    Examples
    --------
    >>> import halfdof
    >>> foot = halfdof.FrictionalContact(1, 0, 0.3)
    """

    def __init__(
        self,
        normal: Direction,
        tangents: Direction | Sequence[Direction],
        friction: Function,
        *,
        gap: float = 0.0,
        obstacle: Function = 0.0,
        support: Function | Sequence[Function] = 0.0,
        restitution: float | None = None,
        name: str | None = None,
    ) -> None:
        along = list(tangents) if isinstance(tangents, (list, tuple)) else [tangents]
        if len(along) not in (1, 2):
            raise InvalidInput(
                f"A contact has one tangent in the plane or two in space; {len(along)} were given."
            )
        moving = list(support) if isinstance(support, (list, tuple)) else [support] * len(along)
        if len(moving) != len(along):
            raise InvalidInput(
                f"{len(moving)} motions of the support were given for {len(along)} tangents. Give one for"
                " each."
            )
        arguments = (
            as_function(friction, "friction"),
            _raised(obstacle, gap),
            [as_function(s, "support") for s in moving],
            restitution,
        )
        super().__init__(_core.coulomb, arguments, [normal, *along], name)


class Law(ABC):
    """Base class of set-valued laws that are written in Python.

    A law has no state. Its central function is the resolvent: for rho > 0 and a vector z, the reaction r of
    the unique pair (w, r) of the law with w = (r - z) / rho. A class that derives from Law sets the
    attributes and defines the methods below. Laws that explicit methods, runs that start in slip or
    prescribed motions use also define ``reaction_at(parameters, w, preferred)``, the reaction at a rate w;
    laws with an interval of reactions at rest define ``rest_interval(parameters)``, which event-driven runs
    need.

    Attributes
    ----------
    name : str
        Name for messages.
    levels : sequence of {"rate", "gap"}
        The quantity that the law constrains in each direction; its length is the number of directions.
    support : function of time
        Motion h of the support or obstacle of the first direction.
    one_sided_lipschitz_constant : float
        Least l >= 0 with (w1 - w2).(r1 - r2) <= l abs(w1 - w2)^2; zero if -r is a monotone function of w.
    is_autonomous : bool
        Whether the parameters do not depend on time.
    is_positively_homogeneous : bool
        Whether the reaction does not depend on the magnitude of w.

    Examples
    --------
    Dry friction:

    >>> import halfdof, numpy as np
    >>> class Coulomb(halfdof.Law):
    ...     name = "dry friction in Python"
    ...     def parameters(self, t, before): return [3.0]
    ...     def resolvent(self, p, rho, z): return np.clip(z, -p[0], p[0])
    ...     def project(self, p, r): return np.clip(r, -p[0], p[0])
    ...     def state(self, p, w, r, tolerance):
    ...         return "stick" if abs(w[0]) <= tolerance else "slip forward" if w[0] > 0 else "slip back"
    ...     def reaction_at(self, p, w, preferred):
    ...         return np.clip(preferred, -p[0], p[0]) if w[0] == 0 else -p[0] * np.sign(w)
    >>> reduced = halfdof.reduce([[1.0]], None, [[0.0]])
    >>> run = halfdof.simulate(reduced, [halfdof.LawInclusion(0, Coulomb())], step=1e-2, end=1.0, rate=[1.5])
    >>> bool(abs(run.v[-1, 0]) < 1e-12)
    True
    """

    name: str = "law"
    levels: Sequence[str] = ("rate",)
    support: Function = 0.0
    one_sided_lipschitz_constant: float = 0.0
    is_autonomous: bool = True
    is_positively_homogeneous: bool = True

    @abstractmethod
    def parameters(self, t: float, before: str) -> Sequence[float]:
        """Return at most six numbers that describe the law at a time; `before` is the contact state before
        the step.
        """

    @abstractmethod
    def resolvent(self, parameters: Sequence[float], rho: float, z: Array) -> Any:
        """Return the reaction r of the pair (w, r) with w = (r - z) / rho."""

    @abstractmethod
    def project(self, parameters: Sequence[float], reaction: Array) -> Any:
        """Return the reaction nearest to the given one that the law admits at rest."""

    @abstractmethod
    def state(self, parameters: Sequence[float], w: Array, r: Array, tolerance: float) -> str:
        """Return the contact state: stick, slip forward, slip back, slip, open or closed."""


class LawInclusion(Inclusion):
    """An inclusion with a law that is written in Python.

    Parameters
    ----------
    directions : direction or sequence of direction
        One direction for each of the levels of the law; a contact has its normal first.
    law : Law
        The law.
    name : str, optional
        Name for messages and results.
    """

    def __init__(
        self, directions: Direction | Sequence[Direction], law: Law, *, name: str | None = None
    ) -> None:
        if not isinstance(law, Law):
            raise InvalidInput(
                f"The law is of the type {type(law).__name__}. It has to derive from halfdof.Law."
            )
        for level in law.levels:
            if level not in ("rate", "gap"):
                raise InvalidInput(f'A law has no level "{level}". Give rate or gap.')
        along = list(directions) if isinstance(directions, (list, tuple)) else [directions]
        super().__init__(_core.python_law, (law,), along, name)
        self.law = law


def named(inclusions: Sequence[Inclusion]) -> list[tuple[str, Any, list[list[tuple[int, float]]]]]:
    """Return inclusions in the form that the compiled part takes, each with a name of its own."""
    if isinstance(inclusions, Inclusion):
        inclusions = [inclusions]
    for inclusion in inclusions:
        if not isinstance(inclusion, Inclusion):
            raise InvalidInput(
                f"An inclusion is of the type {type(inclusion).__name__}. Give objects such as"
                " halfdof.DryFriction or halfdof.Contact."
            )
    taken = {inclusion.name for inclusion in inclusions if inclusion.name}
    counts: dict[str, int] = {}
    all_named = []
    for inclusion in inclusions:
        name = inclusion.name
        while not name:
            kind = type(inclusion).__name__
            counts[kind] = counts.get(kind, 0) + 1
            candidate = f"{kind} {counts[kind]}"
            name = candidate if candidate not in taken else None
        all_named.append((name, inclusion._law(), inclusion._directions))
    return all_named


def signature_of(inclusions: Inclusion | Sequence[Inclusion]) -> tuple[Any, ...]:
    """Return what a state has to agree with if a run continues from it."""
    given = [inclusions] if isinstance(inclusions, Inclusion) else inclusions
    return tuple(inclusion._signature() for inclusion in given if isinstance(inclusion, Inclusion))


__all__ = [
    "Contact",
    "DryFriction",
    "FrictionalContact",
    "Inclusion",
    "Law",
    "LawInclusion",
    "StaticKineticFriction",
    "WeakeningFriction",
]
