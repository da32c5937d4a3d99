# SPDX-License-Identifier: LGPL-2.1-or-later
"""Pictures of results with Matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import InvalidInput

if TYPE_CHECKING:
    from .motion import Run
    from .spectra import Branches, Response, Spectra

#: No more curves are drawn in one panel.
MOST_CURVES = 4


def _axes(axes: Any, n: int = 1) -> Any:
    """Return the given axes, or new ones."""
    if axes is not None:
        return axes
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("Pictures need Matplotlib (Debian: python3-matplotlib).") from error
    figure, new = plt.subplots(n, 1, sharex=True, figsize=(8, 2.6 * n + 0.6), constrained_layout=True)
    return new


def plot_spectra(spectra: Spectra, axes: Any = None) -> Any:
    """Draw both spectra in the complex plane."""
    axes = _axes(axes)
    axes.plot(spectra.before.real, spectra.before.imag, "o", fillstyle="none", label="before the elimination")
    axes.plot(spectra.after.real, spectra.after.imag, "+", label="after the elimination")
    axes.set_xlabel("real part [1/s]")
    axes.set_ylabel("imaginary part [1/s]")
    axes.legend()
    axes.grid(True, alpha=0.3)
    return axes


def plot_response(response: Response, axes: Any = None) -> Any:
    """Draw the absolute values of the first few entries."""
    axes = _axes(axes)
    pairs = [(o, i) for o in range(response.H.shape[1]) for i in range(response.H.shape[2])]
    for o, i in pairs[:MOST_CURVES]:
        axes.loglog(
            response.f,
            np.abs(response.H[:, o, i]),
            label=f"{response.output_names[o]}, {response.input_names[i]}",
        )
    axes.set_xlabel("frequency [Hz]")
    axes.set_ylabel("output per unit input")
    axes.legend(fontsize="small")
    axes.grid(True, which="both", alpha=0.3)
    return axes


def plot_branches(branches: Branches, axes: Any = None, name: str = "parameter") -> Any:
    """Draw frequencies and real parts over the parameter, with changes of stability."""
    pair = _axes(axes, 2)
    for branch in branches.branches:
        pair[0].plot(branch.parameter, branch.eigenvalues.imag / (2 * np.pi), color="C0", linewidth=1)
        pair[1].plot(branch.parameter, branch.eigenvalues.real, color="C0", linewidth=1)
    for change in branches.stability:
        pair[0].plot(change.parameter, change.eigenvalue.imag / (2 * np.pi), "o", color="C3")
        pair[1].plot(change.parameter, change.eigenvalue.real, "o", color="C3")
    pair[0].set_ylabel("frequency [Hz]")
    pair[1].set_ylabel("real part [1/s]")
    pair[1].set_xlabel(name)
    for panel in pair:
        panel.grid(True, alpha=0.3)
    return pair


def plot_run(
    run: Run, axes: Any = None, dofs: Sequence[int] | None = None, inclusions: Sequence[str] | None = None
) -> Any:
    """Draw displacements of some DoFs and reactions of some inclusions over time."""
    places = {int(dof): i for i, dof in enumerate(run.dofs)}
    chosen: Any = run.dofs[:MOST_CURVES] if dofs is None else dofs
    shown = [int(dof) for dof in chosen]
    for dof in shown:
        if dof not in places:
            raise InvalidInput(f"DoF {dof} was not recorded. The run has {len(places)} recorded DoFs.")
    names = run.names[:MOST_CURVES] if inclusions is None else list(inclusions)
    panels = _axes(axes, 2 if names else 1)
    upper = panels[0] if names else panels
    for dof in shown:
        upper.plot(run.t, run.q[:, places[dof]], label=f"DoF {dof}")
    upper.set_ylabel("displacement")
    lower = panels[1] if names else upper
    for name in names:
        reaction = run.reaction(name)
        lower.plot(run.t, reaction if reaction.ndim == 1 else reaction[:, 0], label=name)
    if names:
        lower.set_ylabel("reaction")
    lower.set_xlabel("time [s]")
    for panel in panels if names else [upper]:
        panel.legend(fontsize="small", loc="upper right")
        panel.grid(True, alpha=0.3)
    return panels
