# SPDX-License-Identifier: LGPL-2.1-or-later
"""The enumerating solver beside closed forms; the judge on right and wrong motions."""

import math

from enumerating import Reference
from nonsmooth_families import NONE, Case, Constant, Table, contact, coulomb, element, play


class Failure(Exception):
    pass


def expect(found, expected, tolerance):
    if abs(found - expected) > tolerance:
        raise Failure(f"expected {expected}, found {found}")


def plays_are_hysteresis_loops():
    """K q + r = f with |r| <= 1: q lags behind f by 1 / K."""
    load = Table([0, 1, 2, 4], [0, 4, -4, 4])
    rows = Reference(Case(([[0]], [[0]], [[2]]), [([1], load)], [play([1.0], Constant(1))]), 8).rows
    for t, q in ((0.2, 0), (1, 1.5), (1.2, 1.5), (2, -1.5), (2.4, -1.5), (4, 1.5)):
        expect(rows[round(10 * t)][0], q, 1e-12)


def masses_land_and_stay():
    """Falls with q = -t^2 / 2 onto a plate at -0.5, and stays there."""
    case = Case(([[1]], [[0]], [[0]]), [([1], Constant(-1))], [contact([1.0], Constant(-0.5))])
    rows = Reference(case, 64).rows
    expect(rows[5][0], -0.125, 1e-3)
    expect(rows[-1][0], -0.5, 1e-12)


def coulomb_slips_at_its_cone():
    """Pressed by 2 with mu = 0.5: what exceeds 1 moves the tangent."""
    loads = [([1, 0], Constant(-2)), ([0, 1], Table([0, 4], [0, 4]))]
    law = coulomb([1.0, 0.0], [0.0, 1.0], Constant(0.5), NONE)
    rows = Reference(Case(([[0] * 2] * 2, [[0] * 2] * 2, [[1, 0], [0, 2]]), loads, [law]), 8).rows
    expect(rows[5][1], 0, 1e-12)
    expect(rows[-1][1], 1.5, 1e-12)


def elements_are_met_in_every_state():
    """q + 2 q^3 = f - r with |r| <= 1, up to f = 4; and q' + q'|q'| = 2."""
    held = Case(([[0]], [[0]], [[1]]), [([1], Table([0, 4], [0, 4]))], [play([1.0], Constant(1))],
                elements=[element([1], 2.0)])
    expect(Reference(held, 8).rows[-1][0], 1, 1e-12)
    damped = Case(([[0]], [[1]], [[0]]), [([1], Constant(2))], [contact([1.0], Constant(-1))],
                  elements=[element([1], 0.0, 1.0)])
    expect(Reference(damped, 8).rows[-1][0], 4, 1e-11)


def peaks_between_two_steps_are_uncertain():
    """A stop pushes a damper up to 0.3 at 80.5 ms, between two steps; all of them see 0.27."""
    push = Table([0, 0.0705, 0.0805, 0.0905], [-0.3, -0.3, 0.3, -0.3])
    reference = Reference(Case(([[0]], [[1]], [[1]]), [], [contact([1.0], push)]), 25)
    peak = 0.3 * math.exp(-(0.1 - 0.0805))
    if abs(reference.rows[1][0] - peak) > 3 * reference.uncertainty:
        raise Failure("an obstacle that peaks between two steps is said to be known")


def judges_tell_motions_apart():
    import nonsmooth
    load = Table([0, 1, 4], [0, 4, -4])
    reference = Reference(Case(([[0]], [[1]], [[2]]), [([1], load)], [play([1.0], Constant(1))]), 8)
    right = reference.rows
    scaled = [[1.03 * v for v in row] for row in right]
    frozen = [right[min(k, 12)] for k in range(len(right))]
    if nonsmooth.judged(reference, right, right):
        raise Failure("a right motion is called wrong")
    for wrong in (scaled, frozen, right[:-1]):
        if not nonsmooth.judged(reference, wrong, wrong):
            raise Failure("a wrong motion is called right")


def run():
    plays_are_hysteresis_loops()
    masses_land_and_stay()
    coulomb_slips_at_its_cone()
    elements_are_met_in_every_state()
    peaks_between_two_steps_are_uncertain()
    judges_tell_motions_apart()
