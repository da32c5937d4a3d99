# SPDX-License-Identifier: LGPL-2.1-or-later
"""Exact elimination of degrees of freedom without inertia from assembled systems, and motion with friction
and contact.

A structure M q'' + C q' + K q = f(t) often has degrees of freedom (DoFs) without mass: a massless joint, an
electric potential, an internal variable of a viscoelastic material, a contact node. ``reduce()`` finds and
eliminates them exactly and returns a regular system, whose spectra, responses and motion with friction and
contact are those of the structure.

>>> import halfdof, numpy as np
>>> M, C = np.diag([1.0, 0.0]), np.zeros((2, 2))           # DoF 1 is a massless node
>>> K = np.array([[9.0, -9.0], [-9.0, 9.0]])
>>> reduced = halfdof.reduce(M, C, K, constrained=[])
>>> run = halfdof.simulate(reduced, [halfdof.DryFriction({1: 1.0}, 2.0)], step=1e-3, end=1.0, rate=[1.0, 0.0])

Units are any consistent units; times are called seconds. DoFs are counted from zero.
"""

from . import errors
from ._core import version as _version
from ._model import (
    Diagnosis,
    Labels,
    Motion,
    Reduced,
    State,
    StateForce,
    StateSpace,
    diagnose,
    reduce,
)
from .cases import reduce_case, run_case
from .builders import PronyFit, fit_loss_factor, fit_moduli, massless_contact, with_viscoelastic_branches
from .errors import (
    AmbiguousRank,
    BeyondLimit,
    BlowUp,
    ConsistencyWarning,
    Error,
    FileError,
    InvalidInput,
    KindChange,
    ModelWarning,
    NoConvergence,
    NoReactions,
    NotAvailable,
    NotFinite,
    SingularElimination,
    SingularMatrix,
    SingularPart,
    SingularPencil,
    UndefinedFunction,
)
from .files import Model, read_dofs, read_matrix, read_model, read_vector, write_matrices
from .functions import Differentiable, Table
from .inclusions import (
    Contact,
    DryFriction,
    FrictionalContact,
    Inclusion,
    Law,
    LawInclusion,
    StaticKineticFriction,
    WeakeningFriction,
)
from .memory import MemoryEquation
from .motion import STATES, Event, Point, Run, Verification, simulate
from .spectra import (
    Branch,
    Branches,
    Modes,
    Response,
    Spectra,
    StabilityChange,
    follow_eigenvalues,
    with_resonances,
)
from .structural import ReducedStructural, StructuralModes, reduce_structural

__version__: str = _version()

__all__ = [
    "AmbiguousRank",
    "BeyondLimit",
    "BlowUp",
    "Branch",
    "Branches",
    "ConsistencyWarning",
    "Contact",
    "Diagnosis",
    "Differentiable",
    "DryFriction",
    "Error",
    "Event",
    "FileError",
    "FrictionalContact",
    "Inclusion",
    "InvalidInput",
    "KindChange",
    "Labels",
    "Law",
    "LawInclusion",
    "MemoryEquation",
    "Model",
    "ModelWarning",
    "Modes",
    "Motion",
    "NoConvergence",
    "NoReactions",
    "NotAvailable",
    "NotFinite",
    "Point",
    "PronyFit",
    "Reduced",
    "ReducedStructural",
    "Response",
    "Run",
    "STATES",
    "SingularElimination",
    "SingularMatrix",
    "SingularPart",
    "SingularPencil",
    "Spectra",
    "StabilityChange",
    "State",
    "StateForce",
    "StateSpace",
    "StaticKineticFriction",
    "StructuralModes",
    "Table",
    "UndefinedFunction",
    "Verification",
    "WeakeningFriction",
    "diagnose",
    "errors",
    "fit_loss_factor",
    "fit_moduli",
    "follow_eigenvalues",
    "massless_contact",
    "read_dofs",
    "read_matrix",
    "read_model",
    "read_vector",
    "reduce",
    "reduce_case",
    "reduce_structural",
    "run_case",
    "simulate",
    "with_resonances",
    "with_viscoelastic_branches",
    "write_matrices",
]
