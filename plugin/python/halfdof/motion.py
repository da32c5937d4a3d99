# SPDX-License-Identifier: LGPL-2.1-or-later
"""Motion in time with friction and contact."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._matrices import as_indices
from ._model import Load, Reduced
from .errors import ConsistencyWarning, InvalidInput, ModelWarning
from .inclusions import Inclusion, named, signature_of

Array = NDArray[np.float64]

#: Contact states, in the order of the numbers in ``Run.states``.
STATES = ("stick", "slip forward", "slip back", "slip", "open", "closed")

_ALL_METHODS = {"law_tolerance": 1e-12}
_OPTIONS: dict[str, dict[str, Any]] = {
    "implicit-euler": {},
    "moreau-jean": {
        "theta": 0.5,
        "impact_law": "newton",
        "position_correction": False,
        "relative_tolerance": None,
    },
    "generalized-alpha": {"spectral_radius": 0.8, "relative_tolerance": None},
    "event-driven": {
        "relative_tolerance": 1e-10,
        "absolute_tolerance": 0.0,
        "largest_step": np.inf,
        "shortest_flight": 0.0,
        "breakpoints": (),
        "max_states": 500,
        "impact_law": "newton",
    },
    "set-valued-euler": {},
    "set-valued-runge-kutta": {},
    "paoli-schatzman": {"penalty": None},
    "memory": {"n_eigenvalues": 0},
}


class Point(Protocol):
    """The point of a run that an observer gets. It is valid only during the call."""

    @property
    def t(self) -> float:
        """Time [s]."""

    @property
    def q(self) -> Array:
        """Displacements of all DoFs."""

    @property
    def v(self) -> Array:
        """Rates of all DoFs; zero where the state does not determine them."""

    @property
    def a(self) -> Array:
        """Accelerations of all DoFs; zero where the state does not determine them."""

    @property
    def y(self) -> Array:
        """States (q_I, q_C, v_I)."""

    @property
    def reactions(self) -> Array:
        """Reactions of the inclusions, as in ``Run.reactions``."""

    @property
    def contacts(self) -> list[str]:
        """Contact state of each inclusion."""

    @property
    def dissipated(self) -> float:
        """Energy that friction and impacts dissipated since the start."""


@dataclass(frozen=True)
class Event:
    """An impact or a change of the contact state of an inclusion.

    Attributes
    ----------
    begin, end : float
        Times before and after the event [s]; equal if the instant is located.
    inclusion : str
        Name of the inclusion.
    before, after : str
        Contact states.
    w_before, w_after : numpy.ndarray
        Rates of its directions.
    impulse : numpy.ndarray
        Impulse of an impact; zero if velocities do not jump.
    """

    begin: float
    end: float
    inclusion: str
    before: str
    after: str
    w_before: Array
    w_after: Array
    impulse: Array


@dataclass(frozen=True)
class Verification:
    """The largest violation of each check of a run.

    Attributes
    ----------
    passed : bool
        Whether the checks that the method keeps exactly, and the error of the steps, are within the
        tolerances.
    violations : dict
        Relative violation of each check.
    step_error : float
        Relative error of the worst step by its length.
    """

    passed: bool
    violations: dict[str, float]
    step_error: float
    text: str = field(repr=False)

    def __str__(self) -> str:
        return self.text.rstrip()


@dataclass(frozen=True)
class RunState:
    """The state of a run, from which ``simulate()`` can continue with the same inclusions.

    Attributes
    ----------
    core : object
        The state of the compiled part.
    inclusions : tuple
        What identifies the inclusions of the run.
    """

    core: Any = field(repr=False)
    inclusions: tuple[Any, ...] = field(repr=False)

    @property
    def t(self) -> float:
        """Time [s]."""
        return float(self.core.t)

    @property
    def y(self) -> Array:
        """States (q_I, q_C, v_I)."""
        return np.asarray(self.core.y)


@dataclass(frozen=True)
class Run:
    """A motion in time: the result of ``simulate()``.

    Attributes
    ----------
    t : numpy.ndarray of shape (n_times,)
        Times [s].
    q, v : numpy.ndarray of shape (n_times, n_recorded)
        Displacements and rates of the recorded DoFs. Rates that a state does not determine, those of
        algebraic DoFs, are zero.
    a : numpy.ndarray
        Accelerations, if they were asked for; otherwise without columns.
    dofs : numpy.ndarray of int
        The recorded DoFs.
    reactions : numpy.ndarray of shape (n_times, n_reactions)
        Reactions of the inclusions, one column for each direction of each inclusion, in the order in which
        the inclusions were given.
    states : numpy.ndarray of uint8, shape (n_times, n_inclusions)
        Contact states, as indices of ``halfdof.STATES``.
    gaps, slip_rates, impulses : numpy.ndarray of shape (n_times, n_directions)
        Gaps, rates, and integrals of the reactions of the directions after inclusions along one line were
        merged.
    direction_names : list of str
        Names of these directions.
    names : list of str
        Names of the inclusions.
    dissipated : numpy.ndarray of shape (n_times,)
        Energy that friction and impacts dissipated since the start.
    events : list of Event
        Impacts and changes of contact states.
    final : object
        The last state, from which ``simulate()`` can continue. It is later than the last of `t` if the run
        stopped between recorded points.
    is_complete : bool
        Whether the run reached its end.
    verification : Verification or None
        Result of the checks, if they were asked for.
    method : str
        Name of the method.
    outcome : str
        What becomes of each law after the elimination, and whether the motion is unique, in sentences.
    """

    t: Array
    q: Array
    v: Array
    a: Array
    dofs: NDArray[np.int64]
    reactions: Array
    states: NDArray[np.uint8]
    gaps: Array
    slip_rates: Array
    impulses: Array
    direction_names: list[str]
    names: list[str]
    dissipated: Array
    events: list[Event]
    final: Any = field(repr=False)
    is_complete: bool
    verification: Verification | None
    method: str
    outcome: str = field(repr=False)
    _columns: dict[str, slice] = field(repr=False)

    def __repr__(self) -> str:
        end = f", {len(self.events)} events" if self.events else ""
        until = f"t = {self.t[0]:g} to {self.t[-1]:g} s" if len(self.t) else "no points"
        return f"<halfdof.Run: {len(self.t)} points, {until}, {self.method}{end}>"

    def reaction(self, name: str) -> Array:
        """Return the reactions of one inclusion: shape (n_times,), or (n_times, d) if it has d directions."""
        if name not in self._columns:
            raise InvalidInput(
                f'There is no inclusion "{name}". The inclusions are: {", ".join(self.names)}.'
            )
        columns = self.reactions[:, self._columns[name]]
        return columns[:, 0] if columns.shape[1] == 1 else columns

    def contact(self, name: str) -> list[str]:
        """Return the contact states of one inclusion by name, one for each time."""
        if name not in self.names:
            raise InvalidInput(
                f'There is no inclusion "{name}". The inclusions are: {", ".join(self.names)}.'
            )
        if len(self.t) == 0:
            return []
        return [STATES[state] for state in self.states[:, self.names.index(name)]]

    def to_pandas(self) -> Any:
        """Return a pandas.DataFrame with the times as index.

        It has the columns q and v of each DoF, and the reactions by the names of the inclusions.
        """
        import pandas

        columns: dict[str, Any] = {}
        for i, dof in enumerate(self.dofs):
            columns[f"q {dof}"] = self.q[:, i]
            columns[f"v {dof}"] = self.v[:, i]
        for name in self.names:
            reactions = self.reactions[:, self._columns[name]]
            for k in range(reactions.shape[1]):
                columns[name if reactions.shape[1] == 1 else f"{name}, direction {k + 1}"] = reactions[:, k]
        return pandas.DataFrame(columns, index=pandas.Index(self.t, name="t"))

    def to_xarray(self) -> Any:
        """Return an xarray.Dataset with the dimensions t and dof."""
        import xarray

        of = {
            "q": (("t", "dof"), self.q),
            "v": (("t", "dof"), self.v),
            "dissipated": (("t",), self.dissipated),
        }
        for name in self.names:
            of[name] = (
                (("t",), self.reaction(name))
                if self.reaction(name).ndim == 1
                else (
                    ("t", f"directions of {name}"),
                    self.reaction(name),
                )
            )
        return xarray.Dataset(of, coords={"t": self.t, "dof": self.dofs})

    def plot(
        self,
        axes: Any = None,
        *,
        dofs: Sequence[int] | None = None,
        inclusions: Sequence[str] | None = None,
    ) -> Any:
        """Draw displacements and reactions over time, and return the axes of Matplotlib.

        Parameters
        ----------
        axes : optional
            Two axes, or one without inclusions; new ones if left out.
        dofs : sequence of int, optional
            DoFs that are drawn; the first four if left out.
        inclusions : sequence of str, optional
            Names of the inclusions that are drawn; the first four if left out. The reaction of a contact with
            mass is an impulse divided by the length of the step, which may be much larger than other
            reactions.
        """
        from .plots import plot_run

        return plot_run(self, axes, dofs, inclusions)


def simulate(
    reduced: Reduced,
    inclusions: Sequence[Inclusion] = (),
    *,
    end: float,
    step: float | None = None,
    method: str = "moreau-jean",
    start: float = 0.0,
    displacement: Any = None,
    rate: Any = None,
    state: Any = None,
    load: Load | None = None,
    load_rate: Callable[[float], Any] | None = None,
    dofs: Any = None,
    times: Any = None,
    every: int = 1,
    accelerations: bool = False,
    observer: Callable[[Point], Any] | None = None,
    verify: bool = False,
    tolerance: float = 1e-8,
    step_tolerance: float = 0.02,
    strict: bool = False,
    project: bool = False,
    **options: Any,
) -> Run:
    """Integrate M q'' + C q' + K q = f(t) + H r with the laws of the inclusions.

    Parameters
    ----------
    reduced : Reduced
        The system.
    inclusions : sequence of Inclusion
        Friction and contact; none for a smooth motion.
    end : float
        Time at the end [s].
    step : float
        Length of a step [s]. The method event-driven chooses its steps, and so do moreau-jean and
        generalized-alpha with the option `relative_tolerance`.
    method : str
        ``"moreau-jean"``, ``"generalized-alpha"``, ``"implicit-euler"``, ``"event-driven"``,
        ``"set-valued-euler"``, ``"set-valued-runge-kutta"``, ``"paoli-schatzman"`` or ``"memory"``.
    start : float
        Time at the start [s].
    displacement, rate : array_like of shape (n_dofs,) or dict, optional
        Initial displacements and rates of all DoFs, or of some: ``{12: 0.01}``; zero if left out.
    state : optional
        ``Run.final`` of an earlier run, from which this one continues; it replaces `start`,
        `displacement` and `rate`.
    load, load_rate : optional
        As for ``reduce()``; they replace the load of the reduced system.
    dofs : sequence of int, optional
        DoFs whose motion is recorded; all if left out, but not the multipliers of constraints.
    times : array_like, optional
        Ascending times at which the run is recorded [s], by interpolation within steps; every step if left
        out.
    every : int
        Without `times`, every k-th step is recorded.
    accelerations : bool
        Whether accelerations are recorded, too.
    observer : callable, optional
        ``observer(point)`` is called after every step; see ``Point``. An exception that it raises ends the
        run.
    verify : bool
        Whether each step is checked against the assembled matrices and the laws.
    tolerance, step_tolerance : float
        Largest violation of the checks that the method keeps exactly, and largest error of a step, that pass.
    strict : bool
        Whether initial values that contradict the equations are refused instead of changed.
    project : bool
        Whether plays whose reactions are not admissible at the start are relaxed instead of refused.
    **options
        Options of the method: ``theta``, ``impact_law`` ("newton", "poisson" or "sequential"),
        ``position_correction`` and ``relative_tolerance`` (moreau-jean); ``spectral_radius`` and
        ``relative_tolerance`` (generalized-alpha); ``relative_tolerance``, ``absolute_tolerance``,
        ``largest_step``, ``shortest_flight``, ``breakpoints``, ``max_states`` and ``impact_law``
        (event-driven); ``penalty`` (paoli-schatzman); ``n_eigenvalues`` (memory); ``law_tolerance`` (all).

    Returns
    -------
    Run

    Raises
    ------
    halfdof.Error
        If a step fails; the attribute `run` holds what was recorded before. Ctrl-C raises KeyboardInterrupt
        with the same attribute.

    Warns
    -----
    ConsistencyWarning
        If initial values were changed.

    Examples
    --------
    A block on a spring, held by dry friction:

    >>> import halfdof
    >>> reduced = halfdof.reduce([[1.0]], None, [[4.0]])
    >>> floor = halfdof.DryFriction(0, 0.5, name="floor")
    >>> run = halfdof.simulate(reduced, [floor], step=1e-3, end=20.0, displacement=[1.0])
    >>> abs(round(float(run.q[-1, 0]), 6)) <= 0.125, run.contact("floor")[-1]
    (True, 'stick')
    """
    if not isinstance(reduced, Reduced):
        raise InvalidInput(
            f"The system is of the type {type(reduced).__name__}. It has to be the result of"
            " halfdof.reduce()."
        )
    if load is None and load_rate is not None:
        raise InvalidInput("load_rate is given without load. Give both, or none.")
    if state is not None and not isinstance(state, RunState):
        raise InvalidInput(
            f"state is of the type {type(state).__name__}. It has to be Run.final of an earlier run; a new"
            " run starts from displacement and rate."
        )
    begin = float(start if state is None else state.t)
    chosen = _method_options(method, step, options, float(end) - begin)
    system = reduced if load is None else reduced.with_load(load, load_rate)
    motion = _core.Motion(system._core, named(inclusions), chosen.pop("law_tolerance"))
    signature = signature_of(inclusions)
    loads = system._load if isinstance(system._load, list) else []
    if method == "memory":
        if system._load is not None and not isinstance(system._load, list):
            raise InvalidInput("The method memory needs a load of single functions: {dof: function of time}.")
        chosen["loads"] = loads
    for text in motion.choose(method, chosen, system._prescribed + [function for _, function in loads]):
        warnings.warn(text, ModelWarning, stacklevel=2)
    if state is None:
        initial = motion.start(
            system._full(displacement, "displacement"), system._full(rate, "rate"), begin, strict, project
        )
        current = started(initial, displacement is not None or rate is not None)
    else:
        if displacement is not None or rate is not None:
            raise InvalidInput("state replaces displacement and rate. Give either state, or the other two.")
        if state.inclusions != signature:
            raise InvalidInput(
                "The state belongs to a run with other inclusions: their gaps and reactions are part of it."
                " Start from displacement and rate instead."
            )
        current = state.core.copy()
    recording = Recording(dofs, times, every, accelerations, observer, verify, tolerance, step_tolerance)
    return recorded_run(motion, system._n_given, system.n_dofs, current, float(end), recording, signature)


@dataclass(frozen=True)
class Recording:
    """What is recorded of a run; the parameters of ``simulate()`` with these names."""

    dofs: Any
    times: Any
    every: int
    accelerations: bool
    observer: Callable[[Point], Any] | None
    verify: bool
    tolerance: float
    step_tolerance: float


def started(initial: tuple[Any, int, str, list[str]], is_given: bool) -> Any:
    """Return the state of the start, and warn of given values that were changed."""
    state, n_changed, text, projected = initial
    if n_changed and is_given:
        warnings.warn(text.strip(), ConsistencyWarning, stacklevel=3)
    if projected:
        warnings.warn(
            f"The reactions of {', '.join(projected)} are not admissible at the start and were projected.",
            ConsistencyWarning,
            stacklevel=3,
        )
    return state


def recorded_run(
    motion: _core.Motion,
    n_given: int,
    n_dofs: int,
    current: Any,
    end: float,
    of: Recording,
    signature: tuple[Any, ...],
) -> Run:
    """Run from a state to the end, and return what was recorded; exceptions have it as the attribute run."""
    recorded = list(range(n_given)) if of.dofs is None else as_indices(of.dofs, n_dofs, "dofs")
    at = [] if of.times is None else _ascending(of.times, current.t, end)
    if of.every < 1 or of.every != int(of.every):
        raise InvalidInput(f"every is {of.every}. It has to be a whole number of at least 1.")
    recorder = _core.Recorder(recorded, of.accelerations, at, int(of.every), of.observer)
    if of.verify:
        motion.verify(recorder, (end - current.t) / 4096)
    try:
        motion.run(current, end, recorder)
    except BaseException as error:
        stopped = _result(motion, recorder, RunState(current, signature), recorded, of, False)
        error.run = stopped  # type: ignore[attr-defined]
        raise
    if motion.largest_residual > 0:
        warnings.warn(
            (
                "Because of rounding of gaps and rates, the laws are satisfied only to"
                f" {motion.largest_residual:.3g} in some steps."
            ),
            ConsistencyWarning,
            stacklevel=3,
        )
    return _result(motion, recorder, RunState(current, signature), recorded, of, True)


def _result(
    motion: _core.Motion,
    recorder: _core.Recorder,
    current: Any,
    dofs: list[int],
    of: Recording,
    is_complete: bool,
) -> Run:
    found = recorder.recorded()
    acting = motion.names
    events = [
        Event(b, e, acting[i], before, after, *vectors)
        for b, e, i, before, after, *vectors in found["events"]
    ]
    checked = None
    if of.verify and len(found["t"]):
        checked = Verification(**motion.verified(recorder, float(of.tolerance), float(of.step_tolerance)))
    columns: dict[str, slice] = {}
    first = 0
    for name, n_directions in motion.given:
        columns[name] = slice(first, first + n_directions)
        first += n_directions
    return Run(
        t=found["t"],
        q=found["q"],
        v=found["v"],
        a=found["a"],
        dofs=np.array(dofs, dtype=np.int64),
        reactions=found["reactions"],
        states=found["contacts"],
        gaps=found["gaps"],
        slip_rates=found["slip_rates"],
        impulses=found["impulses"],
        direction_names=motion.direction_names,
        names=list(columns),
        dissipated=found["dissipated"],
        events=events,
        final=current,
        is_complete=is_complete,
        verification=checked,
        method=motion.method,
        outcome=motion.outcome,
        _columns=columns,
    )


def _method_options(method: str, step: float | None, given: dict[str, Any], length: float) -> dict[str, Any]:
    if method not in _OPTIONS:
        raise InvalidInput(f'There is no method "{method}". The methods are: {", ".join(_OPTIONS)}.')
    options = {**_OPTIONS[method], **_ALL_METHODS}
    for name, value in given.items():
        if name not in options:
            raise InvalidInput(
                f'The method {method} has no option "{name}". Its options are: {", ".join(sorted(options))}.'
            )
        options[name] = _as_kind_of(options[name], value, name)
    controls = method == "event-driven" or options.get("relative_tolerance") is not None
    if controls and step is not None:
        raise InvalidInput(f"The method {method} chooses its steps by relative_tolerance. Leave out step.")
    if not controls and step is None:
        more = " or relative_tolerance" if "relative_tolerance" in options else ""
        raise InvalidInput(f"The method {method} needs the length of a step: give step{more}.")
    if "penalty" in options and options["penalty"] is None:
        raise InvalidInput("The method paoli-schatzman needs the option penalty, lambda > 0 [s^2].")
    options["step"] = None if step is None else float(step)
    options["run_length"] = length
    if "breakpoints" in options:
        options["breakpoints"] = list(options["breakpoints"])
    return options


def _as_kind_of(default: Any, value: Any, name: str) -> Any:
    """Return an option as a number, a word or a flag, as its default is."""
    kind = "flag" if isinstance(default, bool) else "word" if isinstance(default, str) else "number"
    if isinstance(default, (bool, str)):
        if isinstance(value, type(default)):
            return value
        raise InvalidInput(f"The option {name} is {value!r}. It has to be a {kind}.")
    if isinstance(default, int):
        kind = "whole number"
    try:
        if isinstance(default, tuple):
            kind = "list of numbers"
            return tuple(float(number) for number in value)
        if isinstance(default, int) and int(value) != value:
            raise ValueError
        return int(value) if isinstance(default, int) else None if value is None else float(value)
    except (TypeError, ValueError):
        raise InvalidInput(f"The option {name} is {value!r}. It has to be a {kind}.") from None


def _ascending(times: Any, begin: float, end: float) -> list[float]:
    at = [float(t) for t in np.atleast_1d(np.asarray(times, dtype=float))]
    if any(b <= a for a, b in zip(at, at[1:])):
        raise InvalidInput("times do not ascend strictly.")
    if not np.all(np.isfinite(at)):
        raise InvalidInput("times are not finite.")
    if at and (at[0] < begin or at[-1] > end):
        raise InvalidInput(
            f"times reach from {at[0]:g} to {at[-1]:g} s, but the run is from {begin:g} to {end:g} s."
        )
    return at


__all__ = ["Event", "Point", "Run", "STATES", "Verification", "simulate"]
