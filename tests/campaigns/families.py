# SPDX-License-Identifier: LGPL-2.1-or-later
"""Families of small models. Each function takes a random.Random and returns a Model."""

import math
from fractions import Fraction

from model import Model

TINY = [2.0**-52, 2.0**-40, 1e-12, 2.0**-33, 1e-9]


def zeros(n, m=None):
    return [[0] * (n if m is None else m) for _ in range(n)]


def identity(n):
    return diagonal([1] * n)


def diagonal(values):
    return [[v if i == j else 0 for j in range(len(values))] for i, v in enumerate(values)]


def transposed(A):
    return [list(row) for row in zip(*A)]


def product(A, B):
    columns = transposed(B)
    return [[sum(a * b for a, b in zip(row, column)) for column in columns] for row in A]


def blocks(*parts):
    """Block diagonal matrices: each part a triple M, C, K."""
    n = sum(len(part[2]) for part in parts)
    result = [zeros(n) for _ in range(3)]
    at = 0
    for part in parts:
        for whole, A in zip(result, part):
            for i, row in enumerate(A):
                whole[at + i][at:at + len(row)] = row
        at += len(part[2])
    return result


def transformed(matrices, left, right):
    """left^T A right."""
    return [product(product(transposed(left), A), right) for A in matrices]


def scaled(matrices, rows, columns, rate):
    """Row, column and time units: powers of two, so that nothing is rounded."""
    return [[[row * v * column * rate**power for v, column in zip(values, columns)]
             for values, row in zip(A, rows)] for A, power in zip(matrices, (0, 1, 2))]


def integers(rng, n, size=4, density=0.6):
    return [[rng.randint(-size, size) if rng.random() < density else 0 for _ in range(n)] for _ in range(n)]


def symmetric(rng, n, size=4, density=0.6):
    A = integers(rng, n, size, density)
    return [[A[min(i, j)][max(i, j)] for j in range(n)] for i in range(n)]


def definite(rng, n, size=3):
    """A symmetric positive definite integer matrix."""
    A = symmetric(rng, n, size, 0.5)
    for i, row in enumerate(A):
        row[i] = sum(abs(v) for v in row) + rng.randint(1, size)
    return A


def skew(rng, n, size=4):
    A = integers(rng, n, size)
    return [[A[i][j] if i < j else -A[j][i] if i > j else 0 for j in range(n)] for i in range(n)]


def low_rank(rng, n, rank, size=2):
    left, right = integers(rng, n, size, 0.7), integers(rng, n, size, 0.7)
    return product([row[:rank] for row in left], right[:rank]) if rank else zeros(n)


def unimodular(rng, n, steps=None):
    """An integer matrix of determinant +-1."""
    U = identity(n)
    for _ in range(steps if steps is not None else 2 * n):
        i, j = rng.randrange(n), rng.randrange(n)
        if i != j:
            factor = rng.choice([-2, -1, 1, 2])
            U[i] = [a + factor * b for a, b in zip(U[i], U[j])]
    return U


def springs(n, links):
    """The matrix of springs (or dampers) between DoFs: links (i, j, k), j None for the ground."""
    K = zeros(n)
    for i, j, k in links:
        K[i][i] += k
        if j is not None:
            K[j][j] += k
            K[i][j] -= k
            K[j][i] -= k
    return K


def chain(n, values, ground=None):
    """Springs between neighbours, and one from the first to the ground."""
    links = [(i, i + 1, values[i]) for i in range(n - 1)]
    return springs(n, links + ([(0, None, ground)] if ground else []))


def small(rng, n=None, low=1, high=9):
    return rng.randint(low, high) if n is None else [rng.randint(low, high) for _ in range(n)]


def structure(rng, n=None):
    """A damped chain or net of masses, some without mass."""
    n = n or rng.randint(1, 6)
    masses = [rng.choice([0, 1, 2, 3]) if n > 1 else 1 for _ in range(n)]
    masses[0] = masses[0] or 1
    extra = [(i, j, small(rng)) for i in range(n) for j in range(i + 2, n) if rng.random() < 0.2]
    grounds = [(0, None, small(rng)), (n - 1, None, small(rng))]
    K = springs(n, [(i, i + 1, small(rng)) for i in range(n - 1)] + extra + grounds)
    C = chain(n, [rng.choice([0, 0, 1, 2]) for i in range(n)], rng.choice([0, 1]))
    return diagonal(masses), C, K


def units(rng):
    n = rng.randint(1, 6)
    if rng.random() < 0.5:
        matrices = structure(rng, n)
        columns = [2.0 ** rng.randint(-20, 20) for _ in range(n)]
        rows = columns
    else:
        matrices = [low_rank(rng, n, rng.randint(0, n)), integers(rng, n), integers(rng, n, density=0.9)]
        rows, columns = ([2.0 ** rng.randint(-20, 20) for _ in range(n)] for _ in range(2))
    return Model(*reversed(scaled(list(reversed(matrices)), rows, columns, 2.0 ** rng.randint(-40, 40))))


def jordan_block(rng):
    """One root, or pair, in a block of order 2 to 4, as a triple M, C, K."""
    a = rng.choice([1, 2, 3, 5, 0.5])
    square, line = (1, 2 * a, a * a), (0, 1, a)  # (x + a)^2, x + a
    cell = rng.choice([1, -1, 2, 4])
    kind = rng.choice(["damper", "three", "four", "oscillator", "free", "symmetric"])
    if kind == "damper":
        parts, links = [square], []
    elif kind == "three":
        parts, links = [square, line], [(0, 1, cell)]
    elif kind == "four":
        parts, links = [square, square], [(0, 1, cell)]
    elif kind == "oscillator":
        parts, links = [(1, 0, a * a)] * 2, [(0, 1, cell)]
    elif kind == "free":
        parts, links = [(1, 0, 0)] * 2, [(0, 1, cell)]
    else:  # [0 p; p c]: symmetric, (x + a)^2 or (x + a)^4
        p = rng.choice([line, square])
        return [[[0, v], [v, w]] for v, w in zip(p, (0, 0, cell))]
    n = len(parts)
    matrices = [diagonal([part[k] for part in parts]) for k in range(3)]
    for i, j, value in links:
        matrices[2][i][j] = value
    return matrices if n else None


def jordan(rng):
    parts = [jordan_block(rng) for _ in range(rng.choice([1, 1, 2]))]
    if rng.random() < 0.4:
        parts.append(structure(rng, rng.randint(1, 2)))
    return mixed(rng, blocks(*parts), chance=0.7)


def mixed(rng, matrices, chance=1.0):
    """Congruent where that keeps a symmetric model symmetric, else equivalent; unimodular."""
    n = len(matrices[2])
    if n == 1 or rng.random() >= chance:
        return Model(*matrices)
    right = unimodular(rng, n, rng.randint(1, 2 * n))
    is_symmetric = all(A == transposed(A) for A in matrices)
    left = right if is_symmetric and rng.random() < 0.8 else unimodular(rng, n, rng.randint(0, 2 * n))
    return Model(*transformed(matrices, left, right))


def free_bodies(rng):
    parts = []
    ratio = 0
    for _ in range(rng.randint(1, 3)):
        n, stiffness = rng.randint(1, 3), 2.0**ratio
        K = [[stiffness * v for v in row] for row in chain(n, small(rng, n))]
        C = zeros(n)
        if rng.random() < 0.4:
            factor = 2.0 ** rng.randint(-6, 2) * math.sqrt(2.0 ** (ratio - ratio % 2))
            C = [[factor * v for v in row] for row in chain(n, small(rng, n))]
        parts.append((diagonal(small(rng, n)), C, K))
        ratio = rng.choice([0, rng.randint(-60, 60), rng.randint(-20, 20)])
    if rng.random() < 0.3:
        parts.append(structure(rng, rng.randint(1, 2)))
    return Model(*blocks(*parts))


def pieces(rng):
    """Uncoupled DoFs in any order: masses, free, braked, on springs, falling; others relax, drift, follow."""
    parts = []
    for _ in range(rng.randint(2, 6)):
        a, b = (rng.choice([0.8, 0.9, 1, 1.1, 1.2, 3]) for _ in range(2))  # moduli that are near each other
        masses = [(1, 0, 0), (1, a, 0), (1, 0, a), (1, 0.1 * a, b), (1, 0, -a)]
        parts.append(rng.choice(masses + [(0, 1, a), (0, a, 0), (0, 0, a)]))
    return Model(*(diagonal([part[k] for part in parts]) for k in range(3)))


def gyroscopic(rng):
    n = rng.randint(2, 5)
    K = zeros(n)
    kind = rng.choice(["free", "bound", "buckling"])
    if kind == "bound":
        K = springs(n, [(i, i + 1, small(rng)) for i in range(n - 1)])
    elif kind == "buckling":
        K = diagonal([rng.choice([-2, -1, 0, 1, 2]) for _ in range(n)])
    M = diagonal([rng.choice([1, 2, 6, 2.0**-31]) for _ in range(n)])
    if rng.random() < 0.5:
        M = definite(rng, n)
    C = skew(rng, n)
    if rng.random() < 0.2:
        C = [[a + b for a, b in zip(*rows)] for rows in zip(C, chain(n, small(rng, n)))]
    return Model(M, C, K)


def indefinite(rng):
    n = rng.randint(1, 5)
    M = symmetric(rng, n) if rng.random() < 0.6 else low_rank_symmetric(rng, n)
    C = symmetric(rng, n) if rng.random() < 0.5 else zeros(n)
    return Model(M, C, symmetric(rng, n, 9, 0.8))


def low_rank_symmetric(rng, n):
    left = integers(rng, n, 2, 0.7)
    signs = diagonal([rng.choice([-1, 0, 0, 1]) for _ in range(n)])
    return product(product(left, signs), transposed(left))


def dual(rng):
    """[0 A; A^T 0] of a model, or with a symmetric block beside: every eigenvalue of A twice."""
    n = rng.randint(1, 3)
    matrices = [integers(rng, n), integers(rng, n), integers(rng, n, 5, 0.9)]
    if rng.random() < 0.6:
        matrices = structure(rng, n)
    beside = [zeros(n)] * 3
    if rng.random() < 0.3:
        beside = [zeros(n), zeros(n), symmetric(rng, n)]
    return Model(*([[0] * n + row for row in A] + [list(a) + list(b) for a, b in zip(transposed(A), B)]
                   for A, B in zip(matrices, beside)))


def multipliers_in_matrices(rng):
    """Multipliers of displacements in K, of rates in C, sometimes one of both, sometimes on clamped DoFs."""
    n, m = rng.randint(2, 5), rng.randint(1, 2)
    M, C, K = structure(rng, n)
    if rng.random() < 0.6:
        M = diagonal(small(rng, n))
    bordered = [[list(row) + [0] * m for row in A] + [[0] * (n + m) for _ in range(m)] for A in (M, C, K)]
    for i in range(m):
        row = sparse_row(rng, n)
        rate = rng.random() < 0.5
        for j, v in enumerate(row):
            bordered[1 if rate else 2][n + i][j] = bordered[1 if rate else 2][j][n + i] = v
        if rate and rng.random() < 0.4:
            for j, v in enumerate(sparse_row(rng, n)):
                bordered[2][n + i][j] = v
                bordered[2][j][n + i] = v if rng.random() < 0.8 else 0
    constrained = [rng.randrange(n)] if rng.random() < 0.25 else []
    order = list(range(n + m))
    if rng.random() < 0.4:
        rng.shuffle(order)
    matrices = [[[A[i][j] for j in order] for i in order] for A in bordered]
    return Model(*matrices, constrained=[order.index(i) for i in constrained])


def sparse_row(rng, n):
    row = [0] * n
    for j in rng.sample(range(n), min(n, rng.choice([1, 2, 2, 3]))):
        row[j] = rng.choice([-2, -1, 1, 1, 2, 3])
    return row


def constraint_files(rng):
    """Constraints of displacements and rates beside the matrices, also on clamped DoFs, also twice."""
    n = rng.randint(2, 6)
    M, C, K = structure(rng, n)
    if rng.random() < 0.7:
        M = diagonal(small(rng, n))
    m = rng.randint(1, 2)
    on_rates = rng.random() < 0.5
    rate = [sparse_row(rng, n) if on_rates and rng.random() < 0.7 else [0] * n for _ in range(m)]
    position = [sparse_row(rng, n) if not any(r) or rng.random() < 0.4 else [0] * n for r in rate]
    if m == 2 and any(rate[0]) and rng.random() < 0.5:  # with one direction, so that one may hide another
        (rate if any(rate[1]) else position)[1] = [rng.choice([1, -1, 3]) * v for v in rate[0]]
    if rng.random() < 0.1:
        rate.append([2 * v for v in rate[0]])
        position.append([2 * v for v in position[0]])
    constrained = [rng.randrange(n)] if rng.random() < 0.3 else []
    return Model(M, C, K, constrained, [row for row in rate] if any(map(any, rate)) else None,
                 position if any(map(any, position)) else None)


def massless_constraints(rng):
    """Two to four constraints of rates and displacements in one row or several, on DoFs of which most have no mass."""
    n = rng.randint(3, 6)
    M, C, K = (diagonal([rng.choice([0, 0, 0, 0, 1, 2]) for _ in range(n)]) for _ in range(3))
    for _ in range(rng.randint(0, 1)):
        i, j = rng.sample(range(n), 2)
        for k, (a, b) in enumerate([(i, i), (j, j), (i, j), (j, i)]):
            K[a][b] += 2 if k < 2 else -2
    m = rng.randint(2, n)
    rows = integers(rng, n, 2, 0.7), integers(rng, n, 2, 0.7)
    rate = [rows[0][i] if rng.random() < 0.4 else [0] * n for i in range(m)]
    position = [rows[1][i] if not any(r) or rng.random() < 0.7 else [0] * n for i, r in enumerate(rate)]
    if rng.random() < 0.3:  # one follows from others
        i, j, factor = rng.randrange(m), rng.randrange(m), rng.choice([0, 0, 1, -1])
        for rows in (rate, position):
            rows.append([2 * a + factor * b for a, b in zip(rows[i], rows[j])])
    constrained = [rng.randrange(n)] if rng.random() < 0.2 else []
    return Model(M, C, K, constrained, rate if any(map(any, rate)) else None,
                 position if any(map(any, position)) else None)


def redundant_constraints(rng):
    """Free bodies under constraints that let them move, some of which follow from the others."""
    n = rng.randint(2, 6)
    M, C, K = free_chain(rng, n)
    if rng.random() < 0.4:
        C = chain(n, [rng.choice([0, 1, 2]) for _ in range(n)])
    rows = []
    for _ in range(rng.randint(1, 2)):
        row = sparse_row(rng, n)
        if rng.random() < 0.8:
            row[-1] -= sum(row)
        rows.append(row)

    def combination():
        factors = [rng.randint(-3, 3) for _ in rows]
        return [sum(factor * row[j] for factor, row in zip(factors, rows)) for j in range(n)]

    none, kind = [0] * n, rng.random()
    given = [(row, none) if kind < 0.5 else (none, row) for row in rows]
    for _ in range(rng.randint(1, 2)):
        further = combination()
        given.append((further, none) if kind < 0.5 or kind > 0.8 else (none, further))
    rng.shuffle(given)
    given = [pair for pair in given if any(map(any, pair))] or [([1] + none[1:], none)]
    rate, position = map(list, zip(*given))
    return Model(M, C, K, [], rate if any(map(any, rate)) else None, position if any(map(any, position)) else None)


def clamped(rng):
    """Structures of which some DoFs are clamped, whose rows may hold anything."""
    M, C, K = structure(rng, rng.randint(2, 6))
    n = len(K)
    constrained = rng.sample(range(n), rng.randint(1, n - 1))
    if rng.random() < 0.5:
        M = definite(rng, n)
    return Model(M, C, K, constrained)


def rotated(rng):
    """Turned by a random orthogonal matrix and rounded: the rounded model is what is given."""
    base = rng.choice([two_kinds, indefinite, multipliers_in_matrices, structure_model, unsymmetric])(rng)
    n = base.n
    Q = [[Fraction(v) for v in row] for row in orthogonal(rng, n)]
    turned = transformed([[[Fraction(v) for v in row] for row in A] for A in base.matrices()], Q, Q)
    return Model(*turned, nominal=turned)


def orthogonal(rng, n):
    Q = identity(n)
    for i in range(n):
        for j in range(i):
            angle = rng.uniform(0, 2 * math.pi)
            Q = givens(Q, i, j, math.cos(angle), math.sin(angle))
    return Q


def givens(Q, i, j, c, s):
    result = [list(row) for row in Q]
    for row in result:
        row[i], row[j] = c * row[i] - s * row[j], s * row[i] + c * row[j]
    return result


def structure_model(rng):
    return Model(*structure(rng, rng.randint(2, 5)))


def unimodularly_mixed(rng):
    bases = [two_kinds, multipliers_in_matrices, structure_model, free_bodies_of_integers, unsymmetric]
    base = rng.choice(bases)(rng)
    return mixed(rng, base.matrices())


def free_chain(rng, n):
    return diagonal(small(rng, n)), zeros(n), chain(n, small(rng, n))


def free_bodies_of_integers(rng):
    return Model(*blocks(free_chain(rng, rng.randint(1, 2)), free_chain(rng, rng.randint(1, 3))))


def stiffness_ratios(rng):
    n = rng.randint(2, 6)
    values = [2.0 ** rng.choice([0, 0, rng.randint(0, 60)]) * small(rng, None, 1, 7) for _ in range(n)]
    masses = [rng.choice([0, 1, 1, 2, 5]) for _ in range(n)]
    masses[-1] = masses[-1] or 1
    ground = rng.choice([None, 1, 2.0 ** rng.randint(0, 60)])
    C = zeros(n)
    if rng.random() < 0.5:
        C = chain(n, [rng.choice([0, 1, 2.0 ** rng.randint(0, 30)]) for _ in range(n)])
    return Model(diagonal(masses), C, chain(n, values, ground))


def tiny_entries(rng):
    n = rng.randint(1, 5)
    M, C, K = (([list(row) for row in A]) for A in structure(rng, n))
    for _ in range(rng.randint(1, 2)):
        i, tiny = rng.randrange(n), rng.choice(TINY)
        if rng.random() < 0.6:
            M[i][i] = tiny
        else:
            C[i][i] = tiny if rng.random() < 0.7 else C[i][i] + tiny
    if rng.random() < 0.2 and n > 1:
        i, j = rng.sample(range(n), 2)
        M[i][j] = rng.choice(TINY)
    return Model(M, C, K)


def unsymmetric(rng):
    n = rng.randint(1, 5)
    M, C = (low_rank(rng, n, rng.randint(0, n)) for _ in range(2))
    K = integers(rng, n, 5, 0.8)
    return Model(M, C, K)


def sparse_integers(rng):
    """Sparse M and C without any symmetry: null columns, null rows, high index."""
    n = rng.randint(2, 5)
    return Model(integers(rng, n, 3, 0.2), integers(rng, n, 3, 0.25), integers(rng, n, 4, 0.5))


def high_index(rng):
    """Servo constraints at the far end of a chain, and chains of integrators: to index 10 or so."""
    if rng.random() < 0.5:
        n = rng.randint(1, 4)
        M = diagonal(small(rng, n, 1, 3))
        K = chain(n, small(rng, n, 1, 5), rng.choice([None, 1, 2]))
        C = chain(n, [rng.choice([0, 0, 1]) for _ in range(n)])
        M, C, K = ([list(row) + [0] for row in A] + [[0] * (n + 1)] for A in (M, C, K))
        K[n][0] = 1  # the first is prescribed
        K[n - 1][n] = 1  # by a force on the last
        return extended(rng, (M, C, K))
    n = rng.randint(2, 6)
    M, C, K = zeros(n), zeros(n), identity(n)
    for i in range(n - 1):
        rng.choice([M, C, C])[i][i + 1] = rng.choice([1, 1, -1, 2])
    if rng.random() < 0.4:
        K[rng.randrange(n)][0] += 1
    return extended(rng, (M, C, K))


def extended(rng, matrices):
    if rng.random() < 0.5:
        matrices = blocks(matrices, structure(rng, rng.randint(1, 2)))
    return mixed(rng, matrices, chance=0.4)


def singular(rng):
    n = rng.randint(2, 5)
    kind = rng.choice(["column", "row", "repeated", "kronecker", "floating", "multiplier"])
    M, C, K = [low_rank(rng, n, rng.randint(0, n)), integers(rng, n), integers(rng, n, 5, 0.9)]
    if kind == "column" or kind == "row":
        j = rng.randrange(n)
        for A in (M, C, K):
            for row in A:
                row[j] = 0
        if kind == "row":
            M, C, K = transposed(M), transposed(C), transposed(K)
    elif kind == "repeated":
        i, j = rng.sample(range(n), 2)
        for A in (M, C, K):
            A[i] = [2 * v for v in A[j]]
    elif kind == "kronecker":
        M, C, K = zeros(n), zeros(n), zeros(n)
        for i in range(n - 1):
            rng.choice([M, C])[i][i] = 1
            K[i][i + 1] = 1
    elif kind == "floating":
        M, C, K = blocks(structure(rng, n - 1), (zeros(2), zeros(2), springs(2, [(0, 1, small(rng))])))
    else:
        M, C, K = ([list(row) + [0] for row in A] + [[0] * (n + 1)] for A in structure(rng, n))
        if rng.random() < 0.5:
            M[n][n - 1] = 1
    model = mixed(rng, (M, C, K), chance=0.5)
    return model


def overdamped(rng):
    n = rng.randint(1, 6)
    K = chain(n, small(rng, n), rng.choice([None, None, 1]))
    factor = 10.0 ** rng.randint(1, 9) if rng.random() < 0.5 else 2.0 ** rng.randint(3, 30)
    C = [[factor * v for v in row] for row in K]
    if rng.random() < 0.4:
        C = chain(n, [float(2 ** rng.randint(10, 25)) for _ in range(n)])
    return Model(diagonal(small(rng, n)), C, K)


def repeated(rng):
    part = rng.choice([structure, free_chain])(rng, rng.randint(1, 2))
    return mixed(rng, blocks(*[part] * rng.randint(2, 3)), chance=0.5)


def two_kinds(rng):
    """Zener elements and joints: inner nodes without mass, some with dampers, some with springs alone."""
    n = rng.randint(2, 6)
    kinds = [rng.choice("ICK") for _ in range(n)]
    kinds[0] = rng.choice("II" + kinds[0])
    M = diagonal([small(rng) if kind == "I" else 0 for kind in kinds])
    links_K, links_C = [(0, None, small(rng))], []
    for i in range(1, n):
        j = rng.randrange(i)
        links_K.append((i, j, small(rng)))
        if kinds[i] != "K" and kinds[j] != "K" and rng.random() < 0.6:
            links_C.append((i, j, small(rng)))
    for i, kind in enumerate(kinds):
        if kind == "C":
            links_C.append((i, None, small(rng)))
    return Model(M, springs(n, links_C), springs(n, links_K))


def graded_couplings(rng):
    """Equal or nearly equal oscillators, large one way of a coupling and tiny the other."""
    n = rng.randint(2, 4)
    stiffness = rng.choice([1, 4, 25, 2.0 ** 20])
    damping = rng.choice([0, 0.125, 1, 2]) if stiffness < 2 else rng.choice([0, 1, 2 * math.sqrt(stiffness)])
    C = diagonal([damping if rng.random() < 0.8 else 1.0 for _ in range(n)])
    K = diagonal([float(stiffness)] * n)
    for _ in range(rng.randint(1, 2)):
        i, j = rng.sample(range(n), 2)
        large = rng.choice([30, 60, 100])
        K[i][j] = 2.0 ** large
        K[j][i] = 2.0 ** -(large + rng.choice([4, 8, 20]))
    return Model(identity(n), C, K)


def graded_compliances(rng):
    """Nearly singular pairs of springs beside ordinary ones and parts of higher index, coupled or not."""
    parts = [structure(rng, rng.randint(1, 2))]
    if rng.random() < 0.8:
        parts.append(rng.choice([([[1, 0], [0, 0]], [[0, 1], [1, 0]], [[1, 0], [0, 1]]),
                                 ([[1, 0], [0, 0]], [[0, 0], [1, 0]], [[1, 1], [0, rng.choice([0, 1])]])]))
    for _ in range(rng.randint(1, 2)):
        k, soft = rng.choice([1, 4, 2.0 ** 10]), 2.0 ** -rng.randint(4, 40)
        parts.append((zeros(2), zeros(2), [[k, k], [k, k * (1 + soft)]]))
    parts.append((zeros(1), zeros(1), [[rng.randint(1, 3)]]))
    rng.shuffle(parts)
    M, C, K = blocks(*parts)
    if rng.random() < 0.5:
        i, j = rng.sample(range(len(K)), 2)
        K[i][j] += 1
        K[j][i] += rng.choice([1, -1])
    return Model(M, C, K)


def large_chain(rng):
    """Chains of 60 to 450 masses; closed form of springs k, dampers beta k: x^2 + beta mu x + mu = 0."""
    n = rng.choice([60, 90, 130, 200, 300, 420, 450])
    k = 2.0 ** rng.randint(-10, 30)
    beta = rng.choice([0, 0.001, 0.1, 1e3, 1e9]) / math.sqrt(k)
    free = rng.random() < 0.6
    links = [(i, i + 1, k) for i in range(n - 1)] + ([] if free else [(0, None, k), (n - 1, None, k)])
    K = springs(n, links)
    beta = math.ldexp(1, round(math.log2(beta))) if beta else 0.0
    return Model(identity(n), [[beta * v for v in row] for row in K], K, roots=("chain", n, k, beta, free))
