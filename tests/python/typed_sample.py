# SPDX-License-Identifier: LGPL-2.1-or-later
"""A program whose types mypy checks against those of the package."""

import numpy as np
from numpy.typing import NDArray

import halfdof


def decay(threshold: float) -> NDArray[np.float64]:
    """Return the displacements of a block that friction brings to rest."""
    reduced: halfdof.Reduced = halfdof.reduce(np.eye(1), None, 4 * np.eye(1))
    spectra: halfdof.Spectra = reduced.compare_spectra(2, shift=0.1j)
    f, H = reduced.response([0], [("rate", 0)], [1.0])
    assert spectra.passed and H.shape == (len(f), 1, 1)

    def show(point: halfdof.Point) -> None:
        print(point.t, point.q[0])

    pad = halfdof.DryFriction({0: 1.0}, threshold)
    run: halfdof.Run = halfdof.simulate(reduced, [pad], step=0.1, end=1.0, displacement=[1.0], observer=show)
    A, B, C, D = reduced.state_space([0], [0])
    assert A.shape == (2, 2) and B.shape == (2, 1) and C.shape == (1, 2) and D.shape == (1, 1)
    return run.q[:, 0]
