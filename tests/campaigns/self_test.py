# SPDX-License-Identifier: LGPL-2.1-or-later
"""Hand-made right and wrong answers: the judges must tell them apart. Runs before every campaign."""

import math
import random

import families
import graphs
import judge
import mid_families
from catalogue import FAMILIES
from exact import Pencil, Root, pari


class Failure(Exception):
    pass


def expect(findings, *labels):
    """The labels that were found must be these."""
    found = {label for label, _ in findings}
    if found != set(labels):
        raise Failure(f"expected {sorted(labels)}, found {findings}")


def pencil(M, C, K):
    return Pencil(*([[float(v) for v in row] for row in A] for A in (M, C, K)))


def spectrum_of(*matrices):
    its_pencil = pencil(*matrices)
    return judge.Spectrum(its_pencil.roots, its_pencil)


def roots_are_exact():
    found = sorted((root.value.real, root.value.imag, root.multiplicity)
                   for root in pencil([[1, 0, 0], [0, 1, 0], [0, 0, 0]], [[0] * 3, [0] * 3, [0, 0, 1]],
                                      [[0] * 3, [0, 1, 0], [0, 0, 0.5]]).roots)
    assert found == [(-0.5, 0, 1), (0, -1, 1), (0, 0, 2), (0, 1, 1)], found
    stiff = pencil([[2.0**-60]], [[1]], [[2.0**-60]]).roots
    assert sorted(root.value.real for root in stiff) == [-(2.0**60), -(2.0**-60)], stiff


def indices_are_exact():
    assert pencil([[1, 0], [0, 0]], [[0, 1], [1, 0]], [[1, 0], [0, 1]]).index() == ({3}, 4)
    assert pencil([[1]], [[1]], [[1]]).index() == ({0}, 0)
    assert pencil([[0, 0], [0, 0]], [[0, 0], [0, 0]], [[1, 0], [0, 1]]).index() == ({1}, 2)
    assert pencil([[0]], [[1]], [[1]]).index() == ({0}, 1)


def motions_beside_redundant_constraints():
    # q'' + q = 0 beside a DoF without equation; with q = 0 twice; with 2 q' + q = 0 and q' = 0.
    free = pencil([[1, 0], [0, 0]], [[0, 0], [0, 0]], [[1, 0], [0, 0]])
    assert not free.is_regular
    assert sorted(root.value.imag for root in free.roots_of_motion()) == [-1, 1]
    none, mass, rates = [[0] * 3] * 3, [[1, 0, 0], [0] * 3, [0] * 3], [[0] * 3, [2, 0, 0], [1, 0, 0]]
    assert pencil(mass, none, [[1, 2, 1], [2, 0, 0], [1, 0, 0]]).roots_of_motion() == []
    assert pencil(mass, rates, [[1, 2, 1], [1, 0, 0], [0] * 3]).roots_of_motion() == []
    assert pencil([[0, 0], [0, 0]], [[1, 0], [0, 0]], [[0, 1], [0, 0]]).roots_of_motion() is None


def sums_know_what_their_parts_know():
    """The reference of a mixture is that of its matrices, in everything a judge asks."""
    for seed in range(12):
        rng = random.Random(seed)
        makers = [families.structure, mid_families.bounded_integers, mid_families.free_chain]
        parts = mid_families.parts_of(rng, 6, makers)
        if seed % 3:
            parts = [part.faster(4 * k % 7, -3 * k % 5) for k, part in enumerate(parts)]
        model = mid_families.mixed(rng, parts, chance_of_units=0.5)
        fast, slow = model.reference, Pencil(*model.pencil()[0])
        assert model.pencil()[0] == [fast.M, fast.C, fast.K]
        assert fast.n_finite == slow.n_finite and fast.index() == slow.index()
        ours, theirs = ({(root.value, root.multiplicity): root for root in p.roots} for p in (fast, slow))
        assert sorted(map(str, ours)) == sorted(map(str, theirs)), (ours, theirs)
        for key, root in ours.items():
            assert fast.largest_block(root) <= slow.largest_block(theirs[key])
            assert near(fast.uncertainty(root), slow.uncertainty(theirs[key])), key
        s, t = pari("3/7 + I/5"), pari("-2 + I/3")
        assert fast.inverse(s) == slow.inverse(s)
        ratios = [p.determinant_at(s) / p.determinant_at(t) for p in (fast, slow)]
        assert near(float((ratios[0] / ratios[1]).abs()), 1.0), ratios
        assert near(fast.backward_error(0.3 + 0.1j), slow.backward_error(0.3 + 0.1j))


def graphs_are_in_closed_form():
    ring, grid = graphs.ring(4), graphs.times(graphs.path(3), graphs.path(2))
    shapes = [graphs.path(4), graphs.fixed_path(3), ring, grid, graphs.star(4, 1), graphs.path(2).copies(2)]
    materials = [graphs.Material("damped", 4.0), graphs.Material("damped", 4.0, 0.25, 0.5),
                 graphs.Material("joints", 2.0), graphs.Material("zener", 2.0, 0.625),
                 graphs.Material("diffusion", 2.0), graphs.Material("gyroscopic", 1.0, 1.25)]
    for shape, material in ((shape, material) for shape in shapes for material in materials):
        ours = graphs.GraphPencil(material.matrices(shape), shape, material)
        theirs = Pencil(ours.M, ours.C, ours.K)
        left = list(theirs.roots)
        for root in ours.roots:
            same = min(left, key=lambda other: abs(other.value - root.value))
            assert abs(same.value - root.value) <= 1e-14 * abs(root.value), (material.kind, root, same)
            assert same.multiplicity == root.multiplicity, (material.kind, root, same)
            assert ours.largest_block(root) <= theirs.largest_block(same), (material.kind, root)
            left.remove(same)
        assert not left, (material.kind, left)


def near(a, b):
    return a == b or abs(a - b) <= 1e-9 * abs(b)


def lists_of_all():
    spectrum = spectrum_of([[1, 0], [0, 1]], [[0.5, -0.5], [-0.5, 0.5]], [[4, -4], [-4, 4]])  # a free pair
    pair = next(root.value for root in spectrum.roots if root.value.imag > 0)
    right = [0, 0, pair, pair.conjugate()]
    expect(judge.judge_all(right, spectrum))
    expect(judge.judge_all([z * (1 + 1e-7) for z in right], spectrum))
    expect(judge.judge_all(right[1:], spectrum), "missing")
    expect(judge.judge_all(right + [pair], spectrum), "duplicate")
    expect(judge.judge_all([0, 0, pair, pair], spectrum), "duplicate", "missing")
    expect(judge.judge_all([0, 0, 0, pair], spectrum), "duplicate", "missing")
    off = [0, 0, pair * (1 + 1e-5), pair.conjugate()]
    expect(judge.judge_all(off, spectrum), "value", "missing")
    expect(judge.judge_all(off, spectrum, [0, 0, 1e-4, 0]), "value", "missing")  # it need not be so uncertain
    expect(judge.judge_all([1e-9, -1e-9, pair, pair.conjugate()], spectrum))  # the square root of rounding
    expect(judge.judge_all([1e-3, -1e-3, pair, pair.conjugate()], spectrum), "value", "missing")
    expect(judge.judge_all([], spectrum), "missing")
    expect(judge.judge_all([0], judge.Spectrum([])), "false zero")


def blocks_and_copies():
    block = spectrum_of([[1]], [[2]], [[1]])  # critically damped
    expect(judge.judge_all([-1 + 1e-8j, -1 - 1e-8j], block))
    expect(judge.judge_all([-1 + 1e-4j, -1 - 1e-4j], block), "value", "missing")
    expect(judge.judge_all([-1 + 1e-8j, -1 - 1e-8j, -1, -1], block), "duplicate")
    copies = spectrum_of([[1, 0], [0, 1]], [[0, 0], [0, 0]], [[4, 0], [0, 4]])  # nothing excuses 1e-5 here
    expect(judge.judge_all([2j, 2j, -2j, -2j], copies))
    expect(judge.judge_all([2.00002j, 2j, -2.00002j, -2j], copies), "value", "missing")


def scales_apart():
    spectrum = judge.Spectrum([Root(-1e-9, 1), Root(-3e11, 1)])
    expect(judge.judge_all([-1e-9, -3e11], spectrum))
    expect(judge.judge_all([0, -3e11], spectrum), "false zero", "missing")
    expect(judge.judge_all([0, -3e11], spectrum, [1e-8, 0]))  # the radius says so
    expect(judge.judge_all([-1e-9, 0], spectrum), "false zero", "missing")
    unsure = spectrum_of([[1, 0], [0, 1]], [[0, 0], [0, 0]], [[2**40 + 1, -(2**40)], [-(2**40), 2**40]])
    slow = min((root.value for root in unsure.roots), key=abs)
    fast = max((root.value for root in unsure.roots), key=abs)
    listed = [slow * (1 + 1e-5), slow.conjugate(), fast, fast.conjugate()]
    expect(judge.judge_all(listed, unsure, [1e-4, 0, 0, 0]))  # a difference of much larger numbers
    expect(judge.judge_all(listed, unsure), "value", "missing")
    small = judge.Spectrum([Root(0, 1), Root(-1, 1)])
    expect(judge.judge_all([1e-17, -1], small), "rounding for zero", "missing")


def zeros_without_an_excuse():
    free = pencil([[1, 0], [0, 1]], [[0.5, -0.5], [-0.5, 0.5]], [[4, -4], [-4, 4]])
    spectrum = judge.Spectrum(free.roots, free, has_exact_zeros=True)
    pair = [root.value for root in spectrum.roots if root.value != 0]
    expect(judge.judge_all([0, 0] + pair, spectrum))
    expect(judge.judge_all([1e-17, 0] + pair, spectrum), "rounding for zero", "missing")
    expect(judge.judge_all([1e-8, -1e-8] + pair, spectrum), "value", "missing")
    expect(judge.judge_all([1e-8, 0] + pair, spectrum, [1e-7, 0, 0, 0]))
    lists = {"agreed": True, "after": {"finite": [[0, 0], [0, 0]]}, "uncertainties": [0, 1e-7],
             "before": {"finite": [[1e-8, 0], [0, 0]]}}
    expect(judge.judge_modes(lists, spectrum, {"count": 2, "shift": 0}))
    expect(judge.judge_modes(dict(lists, uncertainties=[0, None]), spectrum, {"count": 2, "shift": 0}),
           "before: value")


def lists_of_the_nearest():
    values = [Root(z, m) for z, m in ((0, 2), (-0.9, 1), (1j, 1), (-1j, 1), (-5 + 2j, 1), (-5 - 2j, 1))]
    spectrum = judge.Spectrum(values)
    nearest = judge.judge_nearest
    expect(nearest([0, 0, -0.9], spectrum, 3, 0))
    expect(nearest([0, 0, 1j, -1j], spectrum, 3, 0), "not nearest")
    expect(nearest([0, 0, -0.9, 1j, -1j], spectrum, 4, 0))
    expect(nearest([0, 0, -0.9, 1j], spectrum, 4, 0), "conjugate")
    expect(nearest([0, -0.9], spectrum, 2, 0), "not nearest")
    expect(nearest([0, -0.9], spectrum, 3, 0), "missing")
    expect(nearest([1j, -1j], spectrum, 1, 0.2 + 0.9j))
    expect(nearest([1j, -1j, 1j, -1j], spectrum, 2, 0.2 + 0.9j), "duplicate")
    expect(nearest([-5 + 2j, -5 - 2j], spectrum, 1, -4 + 2j))
    expect(nearest([0, 0, -0.9, 1j, -1j, -5 + 2j, -5 - 2j], spectrum, 30, 0))
    expect(nearest([0, 0, -0.9, 1j, -1j, -5 + 2j, -5 - 2j], spectrum, 3, 0), "not nearest")
    tied = judge.Spectrum([Root(1, 1), Root(-1, 1), Root(1j, 1), Root(-1j, 1)])
    expect(nearest([1], tied, 1, 0))
    expect(nearest([-1], tied, 1, 0))
    expect(nearest([], tied, 1, 0), "missing")


def zeros_that_stand_for_slow_pairs():
    slow = pencil([[1, 0], [0, 1]], [[0, 0], [0, 0]], [[2.0**60 + 256, -(2.0**60)], [-(2.0**60), 2.0**60]])
    spectrum = judge.Spectrum(slow.roots, slow)
    radius = 16.0
    assert sum(abs(root.value) <= radius for root in spectrum.roots) == 2
    nearest = judge.judge_nearest
    expect(nearest([0], spectrum, 1, 0, [radius]))
    expect(nearest([0, 0], spectrum, 2, 1e3 + 1e3j, [radius, radius]))
    expect(nearest([0], spectrum, 1, 0), "false zero")
    expect(nearest([0], spectrum, 2, 0, [radius]), "missing")
    # One of the pair that zeros stand for is nearer to the shift than the next pair, the other is farther.
    k = 2.0**51
    pairs = pencil(families.diagonal([2, 2, 1]), families.zeros(3), [[3, -2, 0], [-2, k + 2, -k], [0, -k, k]])
    spectrum = judge.Spectrum(pairs.roots, pairs)
    next_pair = sorted((root.value for root in spectrum.roots), key=lambda z: abs(z.imag))[2:4]
    radii = [1.0, 1.0, 0.1, 0.1]
    expect(nearest([0, 0] + next_pair, spectrum, 2, -0.126 - 0.6j, radii))
    expect(nearest(next_pair, spectrum, 2, -0.126 - 0.6j, radii[2:]), "missing")


def answers_of_modes():
    spectrum = judge.Spectrum([Root(-1, 1), Root(-2, 1)])
    both = {"finite": [[-1, 0], [-2, 0]]}
    right = {"agreed": True, "before": both, "after": both, "uncertainties": [0, 0]}
    expect(judge.judge_modes(right, spectrum, {}))
    expect(judge.judge_modes(dict(right, after={"finite": []}), spectrum, {}), "empty")
    expect(judge.judge_modes(dict(right, before={"finite": [[-1, 0]]}), spectrum, {}), "before: missing")
    expect(judge.judge_modes(dict(right, before={"finite": [[-5, 1]]}), spectrum, {}), "nothing compared")
    off = {"finite": [[-1, 0], [-3, 0]]}
    expect(judge.judge_modes(dict(right, before=off), spectrum, {"count": 2, "shift": 0}), "before: value")
    cut = {"agreed": True, "before": {"finite": [[-2, 0]]}, "after": {"finite": [[-2, 0]]}}
    expect(judge.judge_modes(cut, spectrum, {"count": 1, "shift": 0}), "after: not nearest")
    moved = dict(cut, shift_used=[-3, 0])
    expect(judge.judge_modes(moved, spectrum, {"count": 1, "shift": 0}), "after: not nearest")


def answers_of_inspect():
    link = pencil([[0, 0], [0, 1]], [[0, 0], [0, 0]], [[0, 1], [1, 0]])  # a multiplier holds a mass
    right = {"pencil": "regular", "n_finite": 0, "n_infinite": 4, "index": 3, "index_companion": 4,
             "largest_index": None}
    expect(judge.judge_inspect(right, link))
    expect(judge.judge_inspect(dict(right, pencil="singular"), link), "pencil")
    expect(judge.judge_inspect(dict(right, n_finite=1), link), "n_finite")
    expect(judge.judge_inspect(dict(right, index=1), link), "index")
    expect(judge.judge_inspect(dict(right, index=None, n_finite=None), link))
    rounded = pencil([[1, 0], [0, 0.1]], [[0, 0], [0, 0]], [[1, 0], [0, 1]])
    fewer = {"pencil": "regular", "n_finite": 2, "n_infinite": 2}
    expect(judge.judge_inspect(fewer, rounded), "n_finite", "n_infinite")
    expect(judge.judge_inspect(dict(fewer, n_rounded=2), rounded))
    expect(judge.judge_inspect(dict(fewer, n_finite=4, n_infinite=0, n_rounded=2), rounded))
    expect(judge.judge_inspect(dict(fewer, n_rounded=2), pencil([[1, 0], [0, 3]], [[0, 0], [0, 0]],
                                                                [[1, 0], [0, 1]])), "n_finite", "n_infinite")
    expect(judge.judge_inspect(dict(right, largest_index=2), link), "largest_index")
    expect(judge.judge_inspect({"pencil": "regular"}, pencil([[0]], [[0]], [[0]])), "pencil")


def reduced_systems():
    oscillator = pencil([[2]], [[0.5]], [[8]])
    points = [(pari("1/2 + I/3"), 0.6), (pari("-3 + 2*I"), 3.6)]
    right = {"A": [[0, 1], [-4, -0.25]], "B": [[0], [0.5]], "C_o": [[1, 0]], "D_o": [[0]]}

    def judged(error=0, largest=1, **changes):
        answer = {"matrices": dict(right, **changes), "outputs": [0], "errors": [[(1.0, largest, error)]],
                  "constrained": []}
        return judge.judge_reduced(answer, set(), oscillator, [0], points)

    expect(judged())
    expect(judged(B=[[0], [0.500001]]), "transfer")
    expect(judged(A=[[0, 1], [-4.0001, -0.25]]), "transfer", "eigenvalues")
    expect(judged(A=[[0, 2], [-2, -0.25]], C_o=[[2, 0]], B=[[0], [0.5]]), "transfer")
    expect(judged(D_o=[[1e-3]]), "transfer")
    expect(judged(D_o=[[1e-6]]), "transfer")
    expect(judged(D_o=[[1e-6]], error=5e-7))
    expect(judged(D_o=[[1e-3]], error=1e-4), "transfer")
    expect(judged(D_o=[[1e-8]], error=1e-9, largest=1e-10))  # as large as its error, so perhaps zero
    expect(judged(D_o=[[1e-6]], error=1e-9, largest=1e-10), "transfer")
    expect(judged(A=[[-4]], B=[[1]], C_o=[[1]]), "states")
    expect(judged(E=[[1, 0], [0, 2]], A=[[0, 1], [-8, -0.5]], B=[[0], [1]]))
    expect(judged(E=[[1, 0], [0, 1]], A=[[0, 1], [-8, -0.5]], B=[[0], [1]]), "transfer", "eigenvalues")


def responses():
    spring = pencil([[0]], [[0]], [[4]])
    header = ["frequency [Hz]", "Re q_0/f_0 [m]", "Im q_0/f_0 [m]", "|q_0/f_0| [m]", "phase",
              "Re q_0/f_0 before [m]", "Im q_0/f_0 before [m]", "error of q_0/f_0 [m]"]

    def judged(after, imaginary, before, left_out=(), model=spring, error=0.0):
        row = [1.0, after, imaginary, 0.25, 0, before, 0, error]
        return judge.judge_response([row], header, left_out, model, [0])

    expect(judged(0.25, 0, 0.25))
    expect(judged(0.25, 1e-3, 0.25), "after: transfer")
    expect(judged(0.25, 0, 0.5), "before: transfer")
    expect(judged(0.5, 0, 0.5, left_out={0}))
    expect(judged(0.5, 0, 0.25, error=1.0), "after: transfer")  # nothing excuses it
    soft = pencil([[1]], [[0]], [[math.nextafter(4 * math.pi**2, 40)]])  # resonant to the last digit
    expect(judged(1e20, 0, 1e20, model=soft, error=1e20))
    expect(judged(1e20, 0, 1e20, model=soft), "after: transfer", "before: transfer")


def names_are_found():
    assert judge.loads_left_out("") == set()
    some = "halfdof: Loads on 2 combinations of the equations of DoF 3, DoF 12 (joint) would have to be."
    assert judge.loads_left_out(some) == {3, 12}
    many = "Loads on 20 combinations of the equations of DoF 3, ... would have to be differentiated."
    assert judge.loads_left_out(many) is None
    assert len({family.name for family in FAMILIES}) == len(FAMILIES)


TESTS = [roots_are_exact, indices_are_exact, motions_beside_redundant_constraints,
         sums_know_what_their_parts_know, graphs_are_in_closed_form, lists_of_all, blocks_and_copies,
         scales_apart, zeros_without_an_excuse, lists_of_the_nearest, zeros_that_stand_for_slow_pairs,
         answers_of_modes, answers_of_inspect,
         reduced_systems, responses, names_are_found]


def run():
    for test in TESTS:
        try:
            test()
        except (Failure, AssertionError) as error:
            raise SystemExit(f"The campaign's own test {test.__name__} fails: {error}") from error
