# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reduction of assembled systems."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._matrices import as_csc, as_indices, as_vector, copied, from_csc
from .errors import ConsistencyWarning, InvalidInput, ModelWarning, SingularPart
from .functions import Function, as_function, as_motion

if TYPE_CHECKING:
    from .spectra import Branches, Modes, Response, Spectra

Array = NDArray[np.float64]
#: A load on all DoFs: one function of time for each loaded DoF, a constant vector, or a Python function of
#: time that returns one force for each DoF.
Load = Union[Mapping[int, Function], Sequence[float], Array, Callable[[float], Any]]
#: A direction: a DoF, or the weights of several DoFs, as {12: 1.0, 15: -1.0}.
Direction = Union[int, Mapping[int, float]]

_LARGEST_DENSE = 5e8


def as_direction(given: Any, name: str) -> list[tuple[int, float]]:
    """Return a direction as pairs (DoF, weight)."""
    if isinstance(given, (int, np.integer)) and not isinstance(given, bool):
        return [(int(given), 1.0)]
    if isinstance(given, Mapping):
        entries = [(int(dof), float(weight)) for dof, weight in given.items()]
        _core.check_direction(entries)
        return entries
    raise InvalidInput(
        f"{name} is of the type {type(given).__name__}. A direction is a DoF, or a dictionary of weights such"
        " as {12: 1.0, 15: -1.0}."
    )


def as_load(load: Any, load_rate: Any, n: int) -> Any:
    """Return the form of a load that the compiled part takes."""
    if load is None:
        if load_rate is not None:
            raise InvalidInput("load_rate is given without load. Give both, or none.")
        return None
    if isinstance(load, Mapping):
        if load_rate is not None:
            raise InvalidInput(
                "load_rate is not needed beside functions of single DoFs, which are differentiated."
            )
        as_indices(list(load), n, "load")
        return [(int(dof), as_function(function, f"the load on DoF {dof}")) for dof, function in load.items()]
    if callable(load):
        return (
            _checked_load(load, n, "load"),
            None if load_rate is None else _checked_load(load_rate, n, "load_rate"),
        )
    if isinstance(load, (list, tuple)) and any(isinstance(entry, str) for entry in load):
        raise InvalidInput('load is a list with text. A load of single DoFs is a dictionary: {12: "sin(t)"}.')
    constant = np.array(as_vector(load, n, "load"))
    return (lambda t: constant, lambda t: np.zeros(n))


def _checked_load(function: Callable[[float], Any], n: int, name: str) -> Callable[[float], Array]:
    def checked(time: float) -> Array:
        return as_vector(function(time), n, f"{name}({time:g})")

    return checked


@dataclass(frozen=True)
class Labels:
    """Names of the degrees of freedom, for messages and tables.

    Attributes
    ----------
    node : sequence of int
        Number of the node of each DoF; -1 for none.
    component : sequence of str
        Name of the component of each DoF, such as ``"x"`` or ``"phi"``.
    points : array_like of shape (n_dofs, d), optional
        Coordinates of the nodes, d = 1, 2 or 3.

    Examples
    --------
    >>> import halfdof
    >>> labels = halfdof.Labels(node=[0, 0, 1, 1], component=["x", "y", "x", "y"])
    """

    node: Sequence[int]
    component: Sequence[str]
    points: Any = None

    def _as_tuple(self, n: int) -> tuple[Any, ...]:
        if len(self.node) != n or len(self.component) != n:
            raise InvalidInput(
                f"The labels have {len(self.node)} nodes and {len(self.component)} components. Each of the"
                f" {n} DoFs needs one of both."
            )
        names = list(dict.fromkeys(self.component))
        places = {name: i for i, name in enumerate(names)}
        points: list[list[float]] = []
        dimension = 0
        if self.points is not None:
            coordinates = np.asarray(self.points, dtype=float)
            if coordinates.ndim != 2 or coordinates.shape[0] != n or not 1 <= coordinates.shape[1] <= 3:
                raise InvalidInput(
                    f"The points have the shape {coordinates.shape}. They need the shape ({n}, d) with d = 1,"
                    " 2 or 3."
                )
            dimension = coordinates.shape[1]
            padded = np.zeros((n, 3))
            padded[:, :dimension] = coordinates
            points = padded.tolist()
        component = [places[name] for name in self.component]
        return (names, component, [int(node) for node in self.node], points, dimension)


@dataclass(frozen=True)
class StateForce:
    """A force that depends on the state: M q'' + C q' + K q + p(q, q', t) = f.

    Parameters
    ----------
    function : callable
        ``function(q, v, t)`` returns ``(p, dp_dq, dp_dv)``: the forces on all DoFs and their derivatives with
        respect to displacements and rates, sparse or dense matrices, or None for zero.
    damping_pattern : sparse matrix, optional
        A matrix with a nonzero entry wherever dp_dv may have one. The kinds of the DoFs follow from it.
    depends_on_time : bool
        Whether p depends on t explicitly.

    Examples
    --------
    A hardening spring between DoF 0 and the ground:

    >>> import halfdof, numpy as np, scipy.sparse as sparse
    >>> def spring(q, v, t):
    ...     return np.array([q[0]**3]), sparse.diags([3 * q[0]**2]), None
    >>> reduced = halfdof.reduce([[1.0]], None, [[4.0]], state_force=halfdof.StateForce(spring))
    """

    function: Callable[[Array, Array, float], tuple[Any, Any, Any]]
    damping_pattern: Any = None
    depends_on_time: bool = False

    def _as_tuple(self, n: int) -> tuple[Any, ...]:
        def converted(q: Array, v: Array, t: float) -> tuple[Any, Any, Any]:
            result = self.function(q, v, t)
            if not isinstance(result, tuple) or len(result) != 3:
                raise InvalidInput("A state force has to return three things: p, dp/dq and dp/dv.")
            p, stiffness, damping = result
            return (
                as_vector(p, n, "The state force p"),
                None if stiffness is None else copied(as_csc(stiffness, "dp/dq", (n, n))),
                None if damping is None else copied(as_csc(damping, "dp/dv", (n, n))),
            )

        pattern = (
            None if self.damping_pattern is None else as_csc(self.damping_pattern, "damping_pattern", (n, n))
        )
        return (converted, pattern, self.depends_on_time)


@dataclass(frozen=True)
class State:
    """The states y = (q_I, q_C, v_I) of a reduced system at a time.

    Attributes
    ----------
    t : float
        Time [s].
    y : numpy.ndarray
        Displacements of inertial and viscous DoFs, and rates of inertial DoFs.
    """

    t: float
    y: Array


@dataclass(frozen=True)
class Motion:
    """Displacements, rates and accelerations of all DoFs at one instant.

    Attributes
    ----------
    q, v, a : numpy.ndarray of shape (n_dofs,)
        Displacements, rates and accelerations. Rates of algebraic DoFs, and accelerations of viscous and
        algebraic DoFs are zero here, because a state does not determine them.
    """

    q: Array
    v: Array
    a: Array


@dataclass(frozen=True)
class Diagnosis:
    """Properties of the equations of a system.

    Attributes
    ----------
    is_regular : bool
        Whether the equations determine the motion.
    method : str
        The first method of reduction that applies; ``"none"`` if there is none.
    n_finite, n_infinite : int or None
        Numbers of finite and infinite eigenvalues; None if they were not determined.
    index : int or None
        Index of the differential-algebraic equations.
    problems : tuple of SingularPart
        What is wrong, with the DoFs, the cause and the remedy.
    text : str
        All of this in sentences.
    """

    is_regular: bool
    method: str
    n_finite: int | None
    n_infinite: int | None
    index: int | None
    problems: tuple[SingularPart, ...]
    text: str = field(repr=False)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class StateSpace:
    """Matrices of a state-space form, which can be unpacked as ``A, B, C, D``.

    E y' = A y + B u, z = C y + D u, where E is the identity if it is None.

    Attributes
    ----------
    A, B, C, D : numpy.ndarray
        Shapes (n_states, n_states), (n_states, n_inputs), (n_outputs, n_states), (n_outputs, n_inputs).
    """

    A: Array
    B: Array
    C: Array
    D: Array

    def __iter__(self) -> Iterator[Array]:
        return iter((self.A, self.B, self.C, self.D))


def _description(
    mass: Any,
    damping: Any,
    stiffness: Any,
    constrained: Any,
    constraints: Any,
    prescribed: Any,
    labels: Labels | None,
    state_force: StateForce | None,
) -> tuple[_core.Assembled, int]:
    if stiffness is None:
        raise InvalidInput("The stiffness is missing. Pass a matrix, possibly of zeros.")
    K = as_csc(stiffness, "stiffness")
    n = K[3][0]
    shape = (n, n)
    if K[3] != shape:
        raise InvalidInput(f"The stiffness is {K[3][0]} x {K[3][1]}. It has to be square.")
    clamped = as_indices(constrained, n, "constrained")
    motions: dict[int, Any] = {}
    for dof, function in (prescribed or {}).items():
        as_indices([dof], n, "prescribed")
        if dof not in clamped:
            raise InvalidInput(
                f"prescribed moves DoF {dof}, which is not constrained. Add it to `constrained`."
            )
        motions[int(dof)] = as_motion(function, f"the motion of DoF {dof}")
    in_order = [motions.get(dof, 0.0) for dof in clamped] if motions else None
    rows = None
    if constraints is not None:
        rows = _constraints(constraints, n)
    assembled = _core.Assembled(
        None if mass is None else as_csc(mass, "mass", shape),
        None if damping is None else as_csc(damping, "damping", shape),
        K,
        clamped,
        in_order,
        None if labels is None else labels._as_tuple(n),
        rows,
        None if state_force is None else state_force._as_tuple(n),
    )
    return assembled, n


def _constraints(given: Any, n: int) -> tuple[Any, Any, Any]:
    """Return constraints A_1 q' + A_2 q = b as (A_2, A_1, b); given is A_2, (A_2, A_1) or (A_2, A_1, b)."""
    parts = given if isinstance(given, tuple) else (given,)
    if not 1 <= len(parts) <= 3:
        raise InvalidInput("constraints is (A2, A1) or (A2, A1, b) of A1 q' + A2 q = b, or A2 alone.")
    matrices = [
        None if part is None else as_csc(part, f"constraints[{i}]") for i, part in enumerate(parts[:2])
    ]
    matrices += [None] * (2 - len(matrices))
    for matrix in matrices:
        if matrix is not None and matrix[3][1] != n:
            raise InvalidInput(
                f"A matrix of the constraints has {matrix[3][1]} columns. It needs one for each of the"
                f" {n} DoFs."
            )
    right_sides = None
    if len(parts) == 3 and parts[2] is not None:
        right_sides = [as_motion(b, f"the right side of constraint {i}") for i, b in enumerate(parts[2])]
    return (matrices[0], matrices[1], right_sides)


def diagnose(
    mass: Any,
    damping: Any,
    stiffness: Any,
    *,
    constrained: Any = None,
    constraints: Any = None,
    labels: Labels | None = None,
    max_dense: int = 1000,
) -> Diagnosis:
    """Diagnose a system, also one that cannot be reduced.

    Parameters
    ----------
    mass, damping, stiffness, constrained, constraints, labels
        As for ``reduce()``.
    max_dense : int
        Largest number of free DoFs for which ranks are computed where counting does not suffice.

    Returns
    -------
    Diagnosis

    Examples
    --------
    Two massless DoFs that nothing holds:

    >>> import halfdof
    >>> diagnosis = halfdof.diagnose([[1, 0], [0, 0]], None, [[1, 0], [0, 0]])
    >>> diagnosis.is_regular
    False
    >>> diagnosis.problems[0].dofs
    (1,)
    """
    system, _ = _description(mass, damping, stiffness, constrained, constraints, None, labels, None)
    return Diagnosis(**_core.diagnose(system, max_dense))


def reduce(
    mass: Any,
    damping: Any,
    stiffness: Any,
    *,
    constrained: Any = None,
    constraints: Any = None,
    load: Load | None = None,
    load_rate: Callable[[float], Any] | None = None,
    prescribed: Mapping[int, Function] | None = None,
    labels: Labels | None = None,
    state_force: StateForce | None = None,
    method: str = "auto",
    null_tolerance: float = 0.0,
    nearly_null: float = 1e-12,
) -> Reduced:
    """Eliminate the degrees of freedom without inertia from M q'' + C q' + K q = f(t).

    Parameters
    ----------
    mass, damping, stiffness : sparse matrix or array_like of shape (n_dofs, n_dofs), or None
        M, C and K, in any format of scipy.sparse or as arrays. None is zero, except for the stiffness.
        Matrices in CSC format with ascending rows are used without a copy of their entries where the library
        does not change them; do not change them while the reduced system is used.
    constrained : sequence of int or mask, optional
        DoFs that rest, or move as `prescribed` says.
    constraints : tuple, optional
        ``(A2, A1)`` or ``(A2, A1, b)`` of additional constraints A1 q' + A2 q = b(t), where b is a list of
        functions of time. Each row brings a multiplier, a DoF after the assembled ones.
    load : optional
        f(t): a dictionary of functions of time for single DoFs, a constant vector, or a Python function that
        returns one force for each DoF. ``simulate()`` takes another one.
    load_rate : callable, optional
        f'(t) of a Python function `load`. Only rates of algebraic DoFs need it.
    prescribed : dict, optional
        Motions of constrained DoFs, for example ``{0: "0.01*sin(20*t)"}``. A Python function needs its
        derivatives, as ``Differentiable(value, rate, acceleration)``.
    labels : Labels, optional
        Node and component of each DoF, for messages.
    state_force : StateForce, optional
        A force that depends on displacements and rates.
    method : {"auto", "null-columns", "kernel", "constraints", "weierstrass"}
        Method of the reduction; ``"auto"`` takes the first one that suffices.
    null_tolerance : float
        A column of M or C is null if its 1-norm is at most this fraction of the largest one of the same
        matrix.
    nearly_null : float
        A column that is not null, but below this fraction of the largest, gives a warning.

    Returns
    -------
    Reduced

    Raises
    ------
    InvalidInput
        If a matrix, an index or an option is wrong.
    SingularElimination
        If the half DoFs cannot be eliminated; its attributes `parts` and `dofs` name the causes.

    Warns
    -----
    ModelWarning
        If columns are nearly null, were dropped by the tolerance, or constraints are redundant.

    Notes
    -----
    The states are y = (q_I, q_C, v_I): displacements of inertial DoFs, displacements of viscous DoFs (with
    damping, but no mass) and rates of inertial DoFs. Algebraic DoFs (without mass and damping) follow from
    the states and loads (Simionatto et al., Eqs. (1), (2), (31), (32)).

    Examples
    --------
    A mass on a spring and a damper in series, joined by a massless node:

    >>> import halfdof, numpy as np
    >>> M = np.diag([2.0, 0.0])
    >>> C = np.diag([0.0, 1.0])
    >>> K = np.array([[8.0, -8.0], [-8.0, 8.0]])
    >>> reduced = halfdof.reduce(M, C, K)
    >>> reduced.n_states, reduced.viscous.tolist()
    (3, [1])
    """
    system, n_given = _description(
        mass, damping, stiffness, constrained, constraints, prescribed, labels, state_force
    )
    for name in system.triangular:
        warnings.warn(
            (
                f"The {name} has entries on one side of its diagonal only. If it is symmetric, pass both"
                " triangles."
            ),
            ModelWarning,
            stacklevel=2,
        )
    core = _core.Reduced(system, method, float(null_tolerance), float(nearly_null))
    reduced = Reduced(core, n_given, [as_function(f, "prescribed") for f in (prescribed or {}).values()])
    reduced._warn()
    return reduced if load is None and load_rate is None else reduced.with_load(load, load_rate)


class Reduced:
    """A system without half degrees of freedom: the result of ``reduce()``.

    Attributes
    ----------
    n_dofs : int
        Number of assembled DoFs, including the multipliers of constraints.
    n_states : int
        N_s = 2 N_I + N_C.
    method : str
        Method of the reduction.
    """

    def __init__(self, core: _core.Reduced, n_given: int, prescribed: list[Any]) -> None:
        self._core = core
        self._n_given = n_given
        self._prescribed = prescribed
        self._load: Any = None
        self.n_dofs: int = core.n_dofs
        self.n_states: int = core.n_states
        self.method: str = core.method

    @cached_property
    def inertial(self) -> NDArray[np.int64]:
        """The DoFs with mass."""
        return self._core.inertial

    @cached_property
    def viscous(self) -> NDArray[np.int64]:
        """The DoFs with damping, but without mass."""
        return self._core.viscous

    @cached_property
    def algebraic(self) -> NDArray[np.int64]:
        """The DoFs without mass and damping."""
        return self._core.algebraic

    @cached_property
    def constrained(self) -> NDArray[np.int64]:
        """The constrained DoFs."""
        return self._core.constrained

    def _warn(self) -> None:
        for text in self._core.warnings:
            warnings.warn(text, ModelWarning, stacklevel=3)
        if self._core.n_dropped_columns:
            warnings.warn(
                (
                    f"{self._core.n_dropped_columns} columns of the mass and the damping are null by"
                    " null_tolerance, but not zero. Their entries are replaced by zeros."
                ),
                ModelWarning,
                stacklevel=3,
            )
        for text in self._core.redundant_constraints:
            warnings.warn(f"Constraints are redundant: {text}.", ModelWarning, stacklevel=3)

    def __str__(self) -> str:
        return self._core.summary().rstrip()

    def __repr__(self) -> str:
        kinds = f"{len(self.inertial)} inertial, {len(self.viscous)} viscous, {len(self.algebraic)} algebraic"
        return (
            f"<halfdof.Reduced: {self.n_dofs} DoFs ({kinds}), {self.n_states} states, method {self.method}>"
        )

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{kind}</td><td>{len(dofs)}</td><td>{states}</td></tr>"
            for kind, dofs, states in [
                ("inertial", self.inertial, "displacement and rate"),
                ("viscous", self.viscous, "displacement"),
                ("algebraic", self.algebraic, "none"),
                ("constrained", self.constrained, "none"),
            ]
        )
        return (
            "<table><thead><tr><th>kind</th><th>DoFs</th><th>states of each</th></tr></thead>"
            f"<tbody>{rows}</tbody></table><p>{self.n_states} states, method {self.method}</p>"
        )

    def describe(self, dof: int) -> str:
        """Return the description of a DoF with its labels, as messages have it."""
        return self._core.describe(as_indices([dof], self.n_dofs, "dof")[0])

    @property
    def reason(self) -> str:
        """Why weaker methods of reduction did not suffice; empty for null columns."""
        return self._core.reason

    def with_load(self, load: Load | None, load_rate: Callable[[float], Any] | None = None) -> Reduced:
        """Return the same system under another load, which is not reduced again.

        Parameters
        ----------
        load, load_rate
            As for ``reduce()``.
        """
        given = as_load(load, load_rate, self._n_given)
        other = Reduced(self._core.with_load(given), self._n_given, self._prescribed)
        other._load = given
        return other

    def _full(self, values: Any, name: str) -> Array:
        """Return one number for each DoF from an array, a dictionary or None; what is left out is zero."""
        if values is None:
            return np.zeros(self.n_dofs)
        if isinstance(values, Mapping):
            full = np.zeros(self.n_dofs)
            full[as_indices(list(values), self.n_dofs, name)] = [float(value) for value in values.values()]
            return full
        if self._n_given < self.n_dofs and np.shape(values) == (self._n_given,):
            values = np.concatenate([np.asarray(values, dtype=float), np.zeros(self.n_dofs - self._n_given)])
        return as_vector(values, self.n_dofs, name)

    def _states(self, state: State) -> Array:
        """Return the states of this system."""
        if np.shape(state.y) != (self.n_states,):
            raise InvalidInput(
                f"The state has {np.size(state.y)} entries, but the system has {self.n_states} states."
                " Take a state of this system, such as that of consistent_state()."
            )
        return as_vector(state.y, self.n_states, "state")

    def diagnosis(self, max_dense: int = 300) -> Diagnosis:
        """Return the properties of the equations: numbers of eigenvalues and the index."""
        return Diagnosis(**self._core.diagnosis(max_dense))

    def consistent_state(
        self, displacement: Any = None, rate: Any = None, t: float = 0.0, *, strict: bool = False
    ) -> State:
        """Return the state of given displacements and rates.

        Parameters
        ----------
        displacement, rate : array_like of shape (n_dofs,) or dict, optional
            Displacements and rates of all DoFs, or of some: ``{12: 0.01}``; zero if left out. Values that the
            equations determine, such as the displacements of algebraic DoFs, are replaced.
        t : float
            Time [s].
        strict : bool
            Whether given values that contradict the equations are refused instead of changed.

        Warns
        -----
        ConsistencyWarning
            If given values were changed.
        """
        time, y, (n_changed, text) = self._core.consistent_state(
            self._full(displacement, "displacement"), self._full(rate, "rate"), float(t), strict
        )
        given = displacement is not None or rate is not None
        if n_changed and given:
            warnings.warn(text.strip(), ConsistencyWarning, stacklevel=2)
        return State(time, y)

    def equilibrium(self, load: Any, t: float = 0.0) -> State:
        """Return the state at rest under a constant load, one force for each DoF."""
        time, y = self._core.equilibrium(self._full(load, "load"), float(t))
        return State(time, y)

    def lift(self, state: State) -> Motion:
        """Return displacements, rates and accelerations of all DoFs at a state."""
        return Motion(*self._core.lift(state.t, self._states(state)))

    def derivative(self, state: State) -> Array:
        """Return y' = A y + B F(t) at a state."""
        return self._core.apply(state.t, self._states(state))

    def about(self, state: State) -> Reduced:
        """Return the system of small motions about a state; the system itself if it has no state force."""
        other = Reduced(self._core.about(state.t, self._states(state)), self._n_given, self._prescribed)
        other._load = self._load
        return other

    def compare_spectra(
        self,
        count: int | None = None,
        *,
        shift: complex = 0.0,
        band: tuple[float, float] | None = None,
        max_decay: float = np.inf,
        region: tuple[complex, complex] | None = None,
        kind: str = "all",
        order: str = "modulus",
        tolerance: float = 1e-6,
        certify: bool = False,
    ) -> Spectra:
        """Compute eigenvalues before and after the elimination, and compare them.

        Parameters
        ----------
        count : int, optional
            Number of eigenvalues nearest to the shift; all eigenvalues if neither `count`, `band` nor
            `region` is given (for small systems).
        shift : complex
            Point of the complex plane [1/s].
        band : tuple of float, optional
            All eigenvalues with frequencies between two limits f_1 and f_2 [Hz] and with absolute real parts
            below 2 pi min(2 f_2, 4 (f_2 - f_1)) [1/s]; they are counted. Strongly damped ones are outside.
        max_decay : float
            Of the band, only eigenvalues with smaller absolute real parts [1/s].
        region : tuple of complex, optional
            All eigenvalues in the rectangle between two corners [1/s], which are counted, and their
            conjugates.
        kind : {"all", "oscillating", "relaxing", "unstable"}
            Kind of the `count` eigenvalues.
        order : {"modulus", "frequency"}
            Order of the eigenvalues.
        tolerance : float
            Largest relative difference at which two eigenvalues agree.
        certify : bool
            Whether the eigenvalues are also counted by the argument principle where that is expensive.

        Returns
        -------
        Spectra

        Examples
        --------
        >>> import halfdof, numpy as np
        >>> M, C = np.diag([2.0, 0.0]), np.diag([0.0, 1.0])
        >>> K = np.array([[8.0, -8.0], [-8.0, 8.0]])
        >>> spectra = halfdof.reduce(M, C, K).compare_spectra()
        >>> spectra.passed, len(spectra.after)
        (True, 3)
        """
        from .spectra import Spectra

        if kind not in ("all", "oscillating", "relaxing", "unstable"):
            raise InvalidInput(
                f'There is no kind "{kind}" of eigenvalues. Give all, oscillating, relaxing or unstable.'
            )
        if order not in ("modulus", "frequency"):
            raise InvalidInput(f'There is no order "{order}". Give modulus or frequency.')
        if sum(choice is not None for choice in (count, band, region)) > 1:
            raise InvalidInput("Give only one of count, band and region.")
        if count is None and (kind != "all" or certify or shift != 0):
            raise InvalidInput("kind, certify and shift belong to count, which is missing.")
        if band is None and np.isfinite(max_decay):
            raise InvalidInput("max_decay belongs to band, which is missing.")
        if (band is not None or region is not None) and order != "modulus":
            raise InvalidInput("order belongs to count: bands are ordered by frequency, regions by modulus.")
        if band is not None:
            return Spectra(
                **_core.compare_band(self._core, float(band[0]), float(band[1]), float(max_decay), tolerance)
            )
        if region is not None:
            return Spectra(
                **_core.compare_region(self._core, complex(region[0]), complex(region[1]), tolerance)
            )
        if count is None:
            return Spectra(**_core.compare_all(self._core, tolerance, order == "frequency"))
        return Spectra(
            **_core.compare_spectra(
                self._core, int(count), complex(shift), tolerance, certify, kind, order == "frequency"
            )
        )

    def modes(self, count: int = 12, *, shift: complex = 0.0) -> Modes:
        """Return the modes with eigenvalues nearest to a shift, with their shapes on all DoFs.

        Parameters
        ----------
        count : int
            Number of modes. A conjugate pair of eigenvalues is one mode, and so is a real eigenvalue.
        shift : complex
            Point of the complex plane [1/s].

        Returns
        -------
        Modes

        Examples
        --------
        >>> import halfdof, numpy as np
        >>> modes = halfdof.reduce(np.eye(2), None, np.diag([1.0, 9.0])).modes(2)
        >>> (2 * np.pi * modes.frequencies).round(6).tolist()
        [1.0, 3.0]
        """
        from .spectra import Modes

        # Of each conjugate pair one eigenvalue is a mode.
        return Modes._from(_core.modes(self._core, 2 * int(count), complex(shift)), int(count))

    def response(
        self,
        inputs: Any,
        outputs: Any,
        frequencies: Any,
        *,
        base: str | None = None,
    ) -> Response:
        """Return the frequency response before and after the elimination.

        Parameters
        ----------
        inputs : list of direction, or array of shape (n_dofs, n_inputs)
            Unit forces along directions (a DoF, or a dictionary of weights), or load vectors; with `base`,
            directions of constrained DoFs that move.
        outputs : list
            Each output is a direction, whose displacement is meant, or a tuple (quantity, direction) with the
            quantity ``"displacement"``, ``"rate"``, ``"acceleration"`` or ``"reaction"``.
        frequencies : array_like
            Frequencies [Hz].
        base : {"displacement", "rate", "acceleration"}, optional
            The quantity of the unit motion of supports, instead of forces. Displacements of the outputs are
            absolute.

        Returns
        -------
        Response
            It unpacks as ``f, H`` with H of shape (n_frequencies, n_outputs, n_inputs).

        Examples
        --------
        >>> import halfdof, numpy as np
        >>> reduced = halfdof.reduce([[1.0]], [[0.1]], [[(2 * np.pi)**2]])
        >>> f, H = reduced.response([0], [0], [0.5, 1.0])
        >>> bool(np.isclose(abs(H[1, 0, 0]), 1 / (0.1 * 2 * np.pi)))
        True
        """
        from .spectra import response_by

        return response_by(
            self._core, self._n_given, self.n_dofs, self.describe, inputs, outputs, frequencies, base
        )

    def state_space(
        self, inputs: Any = None, outputs: Any = None, *, max_bytes: float = _LARGEST_DENSE
    ) -> StateSpace:
        """Return dense matrices of y' = A y + B u, z = C y + D u.

        Parameters
        ----------
        inputs : list of int, optional
            DoFs with forces u; all DoFs if left out.
        outputs : list, optional
            DoFs, or tuples (quantity, DoF); the displacements of all DoFs if left out.
        max_bytes : float
            Largest memory of a matrix.

        Returns
        -------
        StateSpace
            It unpacks as ``A, B, C, D``, for ``scipy.signal.StateSpace`` or ``control.ss``.

        Raises
        ------
        NotAvailable
            If an output depends on the rate of the load, which this form does not have.

        Examples
        --------
        >>> import halfdof, numpy as np
        >>> M, C = np.diag([2.0, 0.0]), np.diag([0.0, 1.0])
        >>> K = np.array([[8.0, -8.0], [-8.0, 8.0]])
        >>> A, B, C_, D_ = halfdof.reduce(M, C, K).state_space([0], [0, 1])
        >>> A.shape, B.shape, C_.shape, D_.shape
        ((3, 3), (3, 1), (2, 3), (2, 1))
        """
        from .errors import NotAvailable

        columns = list(range(self.n_dofs)) if inputs is None else as_indices(inputs, self.n_dofs, "inputs")
        rows = (
            [("displacement", i) for i in range(self.n_dofs)]
            if outputs is None
            else [self._output(o) for o in outputs]
        )
        A = self._core.state_matrix(max_bytes)
        B = self._core.input_matrix(max_bytes)[:, columns]
        C, D, D_rate = self._core.output_matrices(rows, max_bytes)
        if np.any(D_rate[:, columns]):
            which = [rows[i] for i in np.flatnonzero(np.any(D_rate[:, columns], axis=1))]
            raise NotAvailable(
                f"The outputs {which} depend on the rate of the load, since they are rates or accelerations"
                " of DoFs that follow the load at once. A state-space form with A, B, C and D has no such"
                " term. Take the displacements as outputs."
            )
        return StateSpace(A, np.ascontiguousarray(B), C, np.ascontiguousarray(D[:, columns]))

    def sparse_state_space(self, *, max_fill: float = 3.0) -> tuple[Any, Any, Any]:
        """Return sparse E, A and B of E y' = A y + B f, where f has one force for each DoF.

        Raises
        ------
        BeyondLimit
            If the elimination would fill the matrices by more than `max_fill`.
        """
        E, A, B = self._core.sparse_pencil(float(max_fill))
        return from_csc(E), from_csc(A), from_csc(B)

    def write_state_space(self, folder: str, *, outputs: Any = None, formats: Sequence[str] = ()) -> float:
        """Write the state-space form for other programs, and return the largest relative error of its
        transfer functions.

        Parameters
        ----------
        folder : str
            Folder of Matrix Market files, a MATLAB file and a README.md that explains them.
        outputs : list, optional
            As for ``state_space()``.
        formats : sequence of {"abcde", "npz", "octave"}
            Further formats.
        """
        for name in formats:
            if name not in ("abcde", "npz", "octave"):
                raise InvalidInput(f'There is no format "{name}". Give abcde, npz or octave.')
        rows = [] if outputs is None else [self._output(o) for o in outputs]
        error, lost = self._core.write_state_space(str(folder), rows, list(formats))
        if lost:
            warnings.warn(lost, ModelWarning, stacklevel=2)
        return float(error)

    def _output(self, given: Any) -> tuple[str, int]:
        quantity, dof = given if isinstance(given, tuple) else ("displacement", given)
        return (str(quantity), as_indices([dof], self.n_dofs, "outputs")[0])
