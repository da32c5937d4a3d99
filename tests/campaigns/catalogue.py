# SPDX-License-Identifier: LGPL-2.1-or-later
"""All families of models."""

import families
import mid_families


class Family:
    """How models are made. lenient: false refusals do not count. often: in how many rounds of 8."""

    def __init__(self, make, lenient=False, often=8):
        self.make, self.name, self.lenient, self.often = make, make.__name__, lenient, often


FAMILIES = [
    Family(families.units), Family(families.jordan, lenient=True), Family(families.free_bodies),
    Family(families.pieces), Family(families.gyroscopic), Family(families.indefinite),
    Family(families.dual), Family(families.multipliers_in_matrices), Family(families.constraint_files),
    Family(families.massless_constraints), Family(families.redundant_constraints), Family(families.clamped),
    Family(families.rotated, lenient=True), Family(families.unimodularly_mixed),
    Family(families.stiffness_ratios), Family(families.tiny_entries, lenient=True),
    Family(families.unsymmetric), Family(families.sparse_integers), Family(families.high_index),
    Family(families.singular), Family(families.overdamped), Family(families.repeated),
    Family(families.two_kinds),
    Family(families.graded_couplings, lenient=True), Family(families.graded_compliances, lenient=True),
    Family(families.large_chain, often=1),
    Family(mid_families.mid_structures, often=1), Family(mid_families.mid_indefinite, often=1),
    Family(mid_families.mid_unsymmetric, often=1), Family(mid_families.mid_zeros, often=1),
    Family(mid_families.mid_jordan, lenient=True, often=1), Family(mid_families.mid_scaled, often=1),
    Family(mid_families.mid_spread, often=1), Family(mid_families.mid_multipliers, often=1),
    Family(mid_families.mid_constraints, often=1), Family(mid_families.mid_index, often=1),
    Family(mid_families.mid_assembled, often=1), Family(mid_families.mid_triangular, lenient=True, often=1),
]
