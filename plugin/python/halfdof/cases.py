# SPDX-License-Identifier: LGPL-2.1-or-later
"""Cases of the program halfdof: TOML files that describe a model, its inclusions and a run."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from . import _core
from ._model import Reduced
from .errors import ModelWarning
from .files import Path
from .motion import Point, Recording, Run, recorded_run, started


def _settings(given: Mapping[str, float] | None) -> dict[str, float]:
    return {name: float(value) for name, value in (given or {}).items()}


def reduce_case(file: Path, *, set: Mapping[str, float] | None = None) -> Reduced:
    """Read the model of a case and reduce it.

    Parameters
    ----------
    file : path
        The case.
    set : dict, optional
        Values of parameters in place of those of the case.

    Returns
    -------
    Reduced
    """
    core = _core.reduce_case(os.fspath(file), _settings(set))
    reduced = Reduced(core, core.n_dofs, [])
    reduced._warn()
    return reduced


def run_case(
    file: Path,
    *,
    set: Mapping[str, float] | None = None,
    dofs: Any = None,
    times: Any = None,
    every: int = 1,
    accelerations: bool = False,
    observer: Callable[[Point], Any] | None = None,
    verify: bool = False,
    tolerance: float = 1e-8,
    step_tolerance: float = 0.02,
) -> Run:
    """Run a case, and return the motion instead of writing the files of its section [output].

    Parameters
    ----------
    file : path
        The case; ``halfdof simulate --explain`` lists its sections and keys.
    set : dict, optional
        Values of parameters in place of those of the case.
    dofs, times, every, accelerations, observer, verify, tolerance, step_tolerance
        As for ``simulate()``.

    Returns
    -------
    Run

    Examples
    --------
    >>> import halfdof, numpy as np, scipy.io, os, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> for name, A in [("M", np.eye(1)), ("K", 4 * np.eye(1))]:
    ...     scipy.io.mmwrite(os.path.join(folder, name + ".mtx"), A)
    >>> case = os.path.join(folder, "case.toml")
    >>> with open(case, "w") as text:
    ...     _ = text.write('''
    ... [parameters]
    ... threshold = 0.5
    ... [system]
    ... mass = "M.mtx"
    ... stiffness = "K.mtx"
    ... [initial]
    ... displacement = [1.0]
    ... [[inclusion]]
    ... name = "pad"
    ... law = "dry-friction"
    ... direction = [{dof = 0}]
    ... lower = "-threshold"
    ... upper = "threshold"
    ... [integrator]
    ... method = "moreau-jean"
    ... step = 0.01
    ... end = 5.0
    ... [output]
    ... file = "run.csv"
    ... ''')
    >>> run = halfdof.run_case(case, set={"threshold": 1.0})
    >>> run.t[-1].item()
    5.0
    """
    found = _core.read_case(os.fspath(file), _settings(set))
    for text in found["warnings"]:
        warnings.warn(text, ModelWarning, stacklevel=2)
    current = started(found["start"], True)
    recording = Recording(dofs, times, every, accelerations, observer, verify, tolerance, step_tolerance)
    n = found["reduced"].n_dofs
    return recorded_run(found["motion"], n, n, current, found["end"], recording, (os.fspath(file),))


__all__ = ["reduce_case", "run_case"]
