# SPDX-License-Identifier: LGPL-2.1-or-later
"""Families of models of 41 to 300 DoFs: direct sums of small ones, mixed, whose exact spectra are cheap."""

import math

import families
import graphs
from exact import DIGITS_BITS, ONE, ClosedFormPencil, Root, pari
from families import integers, small, springs, zeros
from model import Model
from sums import Mixture, Part, model_of

FEWEST, MOST = 41, 300


def size(rng, most=MOST):
    """Three of four are less than 120."""
    return int(FEWEST * (most / FEWEST) ** (rng.random() ** 2))


def parts_of(rng, n, makers, copies=0.2):
    """Regular parts with at least n DoFs together, some more than once."""
    parts = []
    while n > 0:
        if parts and rng.random() < copies:
            part = rng.choice(parts)
        else:
            part = Part(matrices_of(rng.choice(makers)(rng)))
        if part.is_regular:
            parts.append(part)
            n -= part.n
    return parts


def matrices_of(made):
    return made.matrices() if hasattr(made, "matrices") else made


def stir(rng, mixture, steps, symmetric, lines=None, most=2):
    """Elementary steps between lines, each of which takes part in a few of them only."""
    lines = list(lines or range(mixture.n))
    left = {i: most for i in lines}
    for _ in range(steps):
        i, j = rng.sample(lines, 2)
        which = (True, True) if symmetric else rng.choice([(True, True), (True, False), (False, True)])
        if left[i] and left[j] and mixture.add(i, j, rng.choice([-1, 1]), *which):
            left[i] -= 1
            left[j] -= 1


def shuffled(rng, n):
    order = list(range(n))
    rng.shuffle(order)
    return order


def permute(rng, mixture, symmetric):
    rows = shuffled(rng, mixture.n)
    mixture.permute(rows, rows if symmetric else shuffled(rng, mixture.n))


def scale(rng, mixture, symmetric, most=20):
    rows, columns = ([2.0 ** rng.randint(-most, most) for _ in range(mixture.n)] for _ in range(2))
    mixture.scale(rows, rows if symmetric else columns)


def mixed(rng, parts, symmetric=None, chance_of_units=0.2):
    """A model of parts: congruent where that keeps it symmetric, or equivalent."""
    mixture = Mixture(parts)
    if symmetric is None:
        symmetric = is_symmetric(mixture) or rng.random() < 0.3
    if rng.random() < 0.8:
        stir(rng, mixture, rng.randint(1, mixture.n // 2), symmetric)
    if rng.random() < chance_of_units:
        scale(rng, mixture, symmetric)
    if rng.random() < 0.8:
        permute(rng, mixture, symmetric or rng.random() < 0.5)
    return model_of(mixture)


def is_symmetric(mixture):
    return all(A[j].get(i) == v for A in mixture.matrices for i, row in enumerate(A) for j, v in row.items())


def free_chain(rng):
    return families.free_chain(rng, rng.randint(1, 4))


def damped_free_chain(rng):
    """A free chain, with dampers between its masses or, of one of them, to the ground."""
    n = rng.randint(1, 4)
    M, _, K = families.free_chain(rng, n)
    C = families.chain(n, [rng.choice([0, 1, 2]) for _ in range(n)], rng.choice([None, None, 1, 3]))
    return M, C, K


def gyroscopic_free_body(rng):
    """Without stiffness, or with springs between its DoFs only; skew C."""
    n = rng.randint(2, 4)
    M = families.definite(rng, n) if rng.random() < 0.5 else families.diagonal(small(rng, n, 1, 3))
    K = zeros(n) if rng.random() < 0.5 else families.chain(n, small(rng, n))
    return M, families.skew(rng, n, 3), K


def gyroscopic_body(rng):
    """On springs, or buckling."""
    n = rng.randint(1, 4)
    M = families.definite(rng, n) if rng.random() < 0.5 else families.diagonal(small(rng, n, 1, 3))
    K = families.diagonal([rng.choice([-2, -1, 1, 2, 5]) for _ in range(n)])
    if rng.random() < 0.5:
        K = families.chain(n, small(rng, n), small(rng))
    return M, families.skew(rng, n, 3), K


def drifting_nodes(rng):
    """Nodes without mass on dampers: each set keeps a constant, and springs inside let the rest relax."""
    n = rng.randint(1, 3)
    C = springs(n, [(0, None, small(rng))] + [(i, i + 1, small(rng)) for i in range(n - 1)])
    K = families.chain(n, [rng.choice([0, small(rng)]) for _ in range(n)])
    return zeros(n), C, K


def unsymmetric_with_zeros(rng):
    """Integers with a singular K."""
    n = rng.randint(2, 4)
    M = families.low_rank(rng, n, rng.randint(1, n))
    C = integers(rng, n, 3) if rng.random() < 0.7 else families.skew(rng, n)
    return M, C, families.low_rank(rng, n, rng.randint(0, n - 1))


def bounded_integers(rng):
    """Regular M or C, integers of any K."""
    n = rng.randint(1, 4)
    if rng.random() < 0.5:
        return families.definite(rng, n), integers(rng, n, 3), integers(rng, n, 5, 0.8)
    return zeros(n), families.definite(rng, n), integers(rng, n, 5, 0.8)


STRUCTURES = [families.structure, families.structure, families.two_kinds]
SYMMETRIC = STRUCTURES + [free_chain, damped_free_chain]
UNSYMMETRIC = [families.unsymmetric, bounded_integers]


def mid_structures(rng):
    return mixed(rng, parts_of(rng, size(rng), rng.choice([STRUCTURES, SYMMETRIC])))


def mid_indefinite(rng):
    """Symmetric without definiteness, dual and gyroscopic parts."""
    makers = rng.choice([[families.indefinite], [families.indefinite, families.structure], [families.dual],
                         [gyroscopic_body], [gyroscopic_body, families.structure]])
    return mixed(rng, parts_of(rng, size(rng), makers))


def mid_unsymmetric(rng):
    makers = rng.choice([UNSYMMETRIC, [bounded_integers], [families.unsymmetric], UNSYMMETRIC + STRUCTURES])
    return mixed(rng, parts_of(rng, size(rng), makers), symmetric=False)


def mid_zeros(rng):
    """Zeros of free bodies, of gyroscopic ones, of constants of motion, of singular K, among other parts."""
    n = size(rng)
    kinds = [free_chain, damped_free_chain, gyroscopic_free_body, drifting_nodes, unsymmetric_with_zeros]
    with_zeros = parts_of(rng, max(1, int(n * rng.random() ** 2)), rng.sample(kinds, rng.randint(1, 2)))
    others = rng.choice([[families.structure], UNSYMMETRIC, [gyroscopic_body]])
    rest = n - sum(part.n for part in with_zeros)
    return mixed(rng, with_zeros + parts_of(rng, rest, others))


def jordan_block(rng):
    return families.jordan_block(rng)


def mid_jordan(rng):
    """Critical damping and other Jordan blocks, to order four, among structures."""
    n = size(rng, 120)
    some = parts_of(rng, max(1, int(n * rng.random())), [jordan_block])
    return mixed(rng, some + parts_of(rng, n - sum(part.n for part in some), [families.structure]))


def mid_scaled(rng):
    """Any parts, in other units of time (2^+-40), rows and columns (2^+-20)."""
    makers = rng.choice([STRUCTURES, SYMMETRIC, UNSYMMETRIC, [gyroscopic_body], [families.indefinite]])
    rate, weight = rng.randint(-40, 40), rng.choice([0, rng.randint(-40, 40)])
    parts = [part.faster(rate, weight) for part in parts_of(rng, size(rng), makers)]
    return mixed(rng, parts, chance_of_units=rng.choice([0, 1]))


def mid_spread(rng):
    """Slow beside fast parts, ratio 2^20 to 2^60, with masses or with springs that are of one size. Each is
    mixed in itself; sometimes all are mixed together, as far as doubles hold that."""
    n = size(rng)
    groups, parts = rng.randint(2, 3), []
    makers = rng.choice([STRUCTURES, STRUCTURES, SYMMETRIC, UNSYMMETRIC, [gyroscopic_body]])
    ends, rate = [], 0
    for k in range(groups):
        weight = rng.choice([0, -rate, -2 * rate])
        parts += [p.faster(rate, weight) for p in parts_of(rng, n // groups + (k < n % groups), makers)]
        ends.append(sum(part.n for part in parts))
        rate += rng.randint(20, 60) // (groups - 1)
    mixture = Mixture(parts)
    symmetric = is_symmetric(mixture)
    for begin, end in zip([0] + ends, ends):
        stir(rng, mixture, rng.randint(0, (end - begin) // 2), symmetric, range(begin, end))
    if rng.random() < 0.3:
        stir(rng, mixture, rng.randint(1, 6), symmetric)
    permute(rng, mixture, symmetric or rng.random() < 0.5)
    return model_of(mixture)


def mid_multipliers(rng):
    """Multipliers of displacements and of rates inside the matrices."""
    def part(rng):
        model = families.multipliers_in_matrices(rng)
        return model.pencil()[0]
    makers = [part] if rng.random() < 0.5 else [part, families.structure, families.structure]
    return mixed(rng, parts_of(rng, size(rng, 150), makers))


def mid_constraints(rng):
    """Constraints beside the matrices."""
    n, parts = size(rng, 150), []
    some = rng.choice([1, 0.5, 0.2])
    while sum(part.n - part.n_multipliers for part in parts) < n:
        if rng.random() < some:
            model = families.constraint_files(rng)
            while model.constrained:
                model = families.constraint_files(rng)
            matrices, _ = model.pencil()
            part = Part(matrices, n_multipliers=model.n_rows)
        else:
            part = Part(families.structure(rng))
        if part.is_regular:
            parts.append(part)
    mixture = Mixture(parts)
    lines = [i for k, part in enumerate(parts) for i in mixture.lines_of(k)[:part.n - part.n_multipliers]]
    rows = sorted(set(range(mixture.n)).difference(lines))
    stir(rng, mixture, rng.randint(0, n // 2), True, lines)
    if rng.random() < 0.2:
        units = [2.0 ** rng.randint(-20, 20) if i in lines else 1.0 for i in range(mixture.n)]
        mixture.scale(units, units)
    if rng.random() < 0.8:
        rng.shuffle(lines)
        rng.shuffle(rows)
    mixture.permute(lines + rows, lines + rows)
    return model_of(mixture)


def mid_index(rng):
    """Parts of any index, by sparse integers, servo constraints and integrators."""
    makers = rng.choice([[families.sparse_integers], [families.high_index, families.structure],
                         [families.sparse_integers, families.structure, families.structure]])
    return mixed(rng, parts_of(rng, size(rng, 120), makers))


def graph(rng, n):
    """With about n nodes, at least n."""
    kind = rng.choice(["path", "fixed path", "ring", "grid", "tube", "star", "copies"])
    if kind == "path":
        return graphs.path(n)
    if kind == "fixed path":
        return graphs.fixed_path(n)
    if kind == "ring":
        return graphs.ring(n)
    if kind == "star":
        arms = 2 * rng.randint(2, 6)
        return graphs.star(arms, max(1, -(-n // arms)))
    if kind == "copies":
        count = rng.randint(2, 8)
        one = rng.choice([graphs.path, graphs.ring, graphs.fixed_path])
        return one(max(3, -(-n // count))).copies(count)
    width = rng.randint(3, 6)
    length = max(3, -(-n // width))
    across = graphs.ring if kind == "tube" else graphs.path
    return graphs.times(across(width), graphs.path(length))


def mid_assembled(rng):
    """Chains, rings, grids, tubes and stars, free or held, of equal links: all in closed form."""
    n, rate = size(rng), 2.0 ** rng.choice([0, 0, rng.randint(-20, 20)])
    kind = rng.choice(["damped", "damped", "joints", "zener", "diffusion", "gyroscopic"])
    whole = graph(rng, n if kind in ("damped", "diffusion") else max(4, n // 2))
    if kind == "damped":
        damping = rng.choice([0, 0, 2.0 ** rng.randint(-10, 10) * 1.25])
        outer = rng.choice([0, 0, 2.0 ** rng.randint(-10, 4) * 1.125])
        material = graphs.Material(kind, rate * rate, damping * rate, outer * rate)
    elif kind == "diffusion":
        material = graphs.Material(kind, rate)
    else:
        material = graphs.Material(kind, rate * rate, rate * 2.0 ** rng.randint(-6, 6) * 1.25)
    matrices = material.matrices(whole)
    order = shuffled(rng, len(matrices[2])) if rng.random() < 0.5 else range(len(matrices[2]))
    matrices = [[[A[i][j] for j in order] for i in order] for A in matrices]
    return Model(*matrices, reference=graphs.GraphPencil(matrices, whole, material))


class TriangularPencil(ClosedFormPencil):
    """P = x^2 M + K with an upper triangular M of determinant one and K = diag(squares): x = +-i sqrt(square)."""

    def __init__(self, matrices, squares):
        super().__init__(*matrices)
        self.squares = squares

    @property
    def roots(self):
        rates = [(ONE * square).sqrt(precision=DIGITS_BITS) * sign for square in self.squares for sign in (1, -1)]
        return [Root(complex(0, float(rate)), 1, rate * pari("I")) for rate in rates]

    def uncertainty(self, root):
        """Rounding may move all of them anywhere: the inverse of M grows like 2^n."""
        return math.inf

    def backward_error(self, z):
        return 0.0


def mid_triangular(rng):
    """Masses that are regular by their integers alone: numbers of eigenvalues and indices that no floating-point
    rank can tell."""
    n = size(rng)
    above = rng.choice([-2, -3, 2])
    M = [[1 if i == j else above if j == i + 1 else 0 for j in range(n)] for i in range(n)]
    squares = [(i + 1) ** rng.choice([1, 2]) for i in range(n)]
    squares = sorted(set(squares))[:n]
    squares += [max(squares) + 1 + i for i in range(n - len(squares))]
    K = [[squares[i] if i == j else 0 for j in range(n)] for i in range(n)]
    matrices = [M, zeros(n), K]
    if rng.random() < 0.5:
        matrices = [[list(row) for row in zip(*A)] for A in matrices]
    return Model(*matrices, reference=TriangularPencil(matrices, squares))
