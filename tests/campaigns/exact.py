# SPDX-License-Identifier: LGPL-2.1-or-later
"""The exact reference of a model, by PARI: every double is a dyadic rational, and only the roots are rounded.

The program itself decides small models by FLINT and Arb; this is other code on purpose.
"""

import math
import random

import cypari2

pari = cypari2.Pari()
pari.allocatemem(2**29, silent=True)
X = pari("x")
PRIME = 2**61 - 1  # ranks modulo it are those over the rationals, but for a chance of 1e-17 or so
DIGITS_BITS = 256  # of numbers that are not exact
ONE = pari("bitprecision(1., %d)" % DIGITS_BITS)


def rational(value):
    """A double, or a fraction, as a rational of PARI."""
    numerator, denominator = value.as_integer_ratio()
    return pari(numerator) / denominator


def rational_matrix(rows):
    return pari.matrix(len(rows), len(rows[0]) if rows else 0, [rational(v) for row in rows for v in row])


def modular(rows):
    """A matrix of doubles or fractions modulo PRIME, as lists of integers."""
    result = []
    for row in rows:
        pairs = [v.as_integer_ratio() for v in row]
        result.append([a * pow(b, -1, PRIME) % PRIME if a else 0 for a, b in pairs])
    return result


def modular_matrix(rows):
    return pari.matrix(len(rows), len(rows[0]), [v for row in rows for v in row]) * pari.Mod(1, PRIME)


class Root:
    """A root of det P: a double near it, its multiplicity, and the exact value to many digits."""

    def __init__(self, value, multiplicity, digits=None):
        self.value, self.multiplicity = complex(value), multiplicity
        self.digits = digits if digits is not None else pari(0)

    def __repr__(self):
        times = f" ({self.multiplicity} times)" if self.multiplicity > 1 else ""
        return f"{self.value.real:.17g}{self.value.imag:+.17g}i{times}"


def squarefree_factors(f):
    """[(m, g)]: f = product of g^m up to a constant, each g squarefree (Yun 1976)."""
    factors, m = [], 1
    a = f.gcd(f.deriv())
    b, c = f / a, f.deriv() / a
    d = c - b.deriv()
    while b.poldegree() > 0:
        a = b.gcd(d)
        if a.poldegree() > 0:
            factors.append((m, a))
        b, c = b / a, d / a
        d = c - b.deriv()
        m += 1
    return factors


def simple_roots(g):
    """Roots of a squarefree polynomial over the rationals, certified by Newton's discs n |g / g'|."""
    g = g / g.content()
    degree, slope = g.poldegree(), g.deriv()
    bits = DIGITS_BITS
    while bits <= 2**15:
        roots, good = [], True
        for root in g.polroots(precision=bits):
            real, imaginary = root.real(), root.imag()
            size = root.abs(precision=bits)
            tiny = size * pari(2) ** (-bits // 4)
            if imaginary.abs() < tiny:
                root = real
            elif real.abs() < tiny:
                root = imaginary * pari("I")
            at, rate = g(root), slope(root)
            good = rate != 0 and (at / rate).abs(precision=bits) * degree < size * pari(2) ** -80
            if not good:
                break
            roots.append(root)
        if good and len(roots) == degree and apart(roots, bits):
            return roots
        bits *= 2
    raise ArithmeticError("the roots of a polynomial could not be told apart")


def apart(roots, bits):
    """Whether all of them differ by more than what they may be off."""
    return all((a - b).abs(precision=bits) > (a.abs(precision=bits) + b.abs(precision=bits)) * pari(2) ** -76
               for i, a in enumerate(roots) for b in roots[:i])


def polynomial_roots(f):
    """Distinct roots of a polynomial that is not zero, with multiplicities."""
    zeros = int(f.valuation(X)) if f.poldegree() > 0 else 0
    roots = [Root(0, zeros)] if zeros else []
    f = f / X**zeros
    if f.poldegree() > 0:
        for multiplicity, g in squarefree_factors(f):
            for root in simple_roots(g):
                roots.append(Root(complex(float(root.real()), float(root.imag())), multiplicity, root))
    return roots


class Pencil:
    """P(x) = x^2 M + x C + K over the rationals. Shapes: n x n each."""

    def __init__(self, M, C, K):
        self.M, self.C, self.K = M, C, K
        self.n = len(K)
        self._exact = None
        self._determinant = None
        self._roots = None
        self._largest_block = {}

    @property
    def exact(self):
        if self._exact is None:
            self._exact = [rational_matrix(A) for A in (self.M, self.C, self.K)]
        return self._exact

    @property
    def determinant(self):
        if self._determinant is None:
            M, C, K = self.exact
            P = M * X**2 + C * X + K
            self._determinant = P.matdet() if self.n else pari(1)
            if self._determinant.type() != "t_POL":
                self._determinant = self._determinant * X**0
        return self._determinant

    @property
    def is_regular(self):
        return self.determinant != 0

    @property
    def n_finite(self):
        return max(int(self.determinant.poldegree(X)), 0)

    @property
    def roots(self):
        if self._roots is None:
            self._roots = polynomial_roots(self.determinant)
        return self._roots

    def at(self, s):
        """P(s) for a number of PARI."""
        M, C, K = self.exact
        return M * s**2 + C * s + K

    def inverse(self, s):
        """P(s)^-1."""
        return self.at(s) ** -1

    def determinant_at(self, s):
        """det P(s), up to a factor that does not depend on s."""
        return self.at(s).matdet()

    def weight(self, size):
        """|s|^2 |M| + |s| |C| + |K| in doubles."""
        return [[size * size * abs(float(m)) + size * abs(float(c)) + abs(float(k)) for m, c, k in zip(*rows)]
                for rows in zip(self.M, self.C, self.K)]

    def largest_block(self, root):
        """No Jordan block of this root is larger: one more than multiplicity minus dim ker P(root)."""
        if root.multiplicity == 1:
            return 1
        key = root.value
        if key not in self._largest_block:
            P = self.at(root.digits)
            self._largest_block[key] = root.multiplicity - (self.n - numerical_rank(P)) + 1
        return self._largest_block[key]

    def significant_bits(self):
        """The most that an entry has."""
        numerators = (abs(float(v).as_integer_ratio()[0]) for A in (self.M, self.C, self.K) for row in A
                      for v in row if v)
        return max(((n // (n & -n)).bit_length() for n in numerators), default=0)

    def backward_error(self, z):
        """The smallest change of equilibrated entries (about) of which z is an eigenvalue: under smaller ones
        P(z) stays regular, because |P^-1| |change| has a norm below one."""
        try:
            inverse = absolute(self.at(number(z)) ** -1)
        except cypari2.PariError:
            return 0.0
        rows, columns = equilibrated(self.weight(abs(z)))
        return 1 / sum(c * v * r for c, of_column in zip(columns, inverse) for v, r in zip(of_column, rows))

    def uncertainty(self, root):
        """What rounding may do to a simple root at the very most: a million roundings of the entries,
        to first order. More is no excuse for a value. Of multiple roots nothing is said."""
        if root.multiplicity > 1:
            return math.inf
        beside = root.digits * pari(2) ** -90 if root.value != 0 else self._smallest_step()
        try:
            inverse = self.at((root.digits + beside) * ONE) ** -1
        except cypari2.PariError:  # a pivot has lost its digits: the same with fractions
            inverse = self.at((root.digits + beside).bestappr(2**DIGITS_BITS)) ** -1
        residue = absolute(inverse * beside)  # adj P / (det P)'
        rows, columns = equilibrated(self.weight(abs(root.value)))
        return 1e6 * 2.0**-52 * sum(c * v * r for c, of_column in zip(columns, residue)
                                    for v, r in zip(of_column, rows))

    def _smallest_step(self):
        """From zero, far below all other roots."""
        return min((root.digits.abs(precision=DIGITS_BITS) for root in self.roots if root.value != 0),
                   default=pari(1)) * pari(2) ** -90

    def index(self):
        """Indices that the half-DoF state may be said to have, as a set, and that of the companion form."""
        M, C, K = (modular(A) for A in (self.M, self.C, self.K))
        n = self.n
        columns = [j for j in range(n) if any(M[i][j] for i in range(n))]
        rows = [i for i in range(n) if any(M[i])]
        halves = set()
        if len(columns) <= len(rows):
            halves.add(index_of(*smallest_form(M, C, K, columns)))
        if len(rows) <= len(columns):
            halves.add(index_of(*smallest_form(*(transposed(A) for A in (M, C, K)), rows)))
        halves.add(index_of(*kernel_form(M, C, K)))
        return halves, index_of(*companion_form(M, C, K))

    def transfer(self, s):
        """P(s)^-1 for an exact or long complex s; None if s is an eigenvalue."""
        try:
            return self.inverse(s)
        except cypari2.PariError:
            return None

    def roots_of_motion(self):
        """Of a singular pencil that leaves only algebraic DoFs undetermined, such as multipliers of redundant
        constraints: the roots of its Smith form, which are those of the motion. Otherwise None.

        They are the roots of the greatest common divisor of all minors of the order of the rank, or of
        determinants of random combinations of rows and columns.
        """
        M, C, K = self.exact
        at_random = modular_matrix(self.modular_at_random())
        rank = int(at_random.matrank())
        kernel = at_random.matker()
        moving = [i for i in range(self.n) if any(A[k][i] for A in (self.M, self.C) for k in range(self.n))]
        if any(kernel[i, j] != 0 for i in moving for j in range(self.n - rank)):
            return None
        if rank == 0:
            return []
        rng, divisor = random.Random(5), pari(0)
        for _ in range(4):
            left = pari.matrix(rank, self.n, [rng.randint(-9, 9) for _ in range(rank * self.n)])
            right = pari.matrix(self.n, rank, [rng.randint(-9, 9) for _ in range(rank * self.n)])
            minor = (left * (M * X**2 + C * X + K) * right).matdet() * X**0
            divisor = divisor.gcd(minor)
        return polynomial_roots(divisor * X**0)

    def modular_at_random(self):
        s = random.Random(7).randrange(PRIME)
        return [[(s * s * m + s * c + k) % PRIME for m, c, k in zip(*rows)]
                for rows in zip(*(modular(A) for A in (self.M, self.C, self.K)))]


class ClosedFormPencil(Pencil):
    """A regular pencil whose roots are known without its determinant."""

    @property
    def determinant(self):
        raise NotImplementedError("the spectrum is known in closed form")

    @property
    def is_regular(self):
        return True

    @property
    def n_finite(self):
        return sum(root.multiplicity for root in self.roots)

    def inverse(self, s):
        return (self.at(s) * ONE) ** -1

    def determinant_at(self, s):
        return (self.at(s) * ONE).matdet()


def number(z):
    """A complex double as an exact number of PARI, long enough for what is computed from it."""
    z = complex(z)
    exact = rational(z.real) + rational(z.imag) * pari("I")
    return exact


def absolute(matrix):
    """Absolute values of a matrix of PARI, in doubles."""
    n_rows, n_columns = (int(k) for k in matrix.matsize())
    return [[float(matrix[i, j].abs(precision=DIGITS_BITS)) for j in range(n_columns)] for i in range(n_rows)]


def numerical_rank(P):
    """Of a matrix with DIGITS_BITS bits: what elimination leaves below 2^-60 of its terms counts as zero."""
    n_rows, n_columns = (int(k) for k in P.matsize())
    rows = [[P[i, j] for j in range(n_columns)] for i in range(n_rows)]
    scales = [[float(v.abs(precision=DIGITS_BITS)) for v in row] for row in rows]
    rank, free = 0, list(range(n_columns))
    while rows and free:
        best, at = 0.0, None
        for i, row in enumerate(rows):
            for j in free:
                if scales[i][j] == 0:
                    continue
                ratio = float(row[j].abs(precision=DIGITS_BITS)) / max(scales[i])
                if ratio > best:
                    best, at = ratio, (i, j)
        if at is None or best < 2.0**-60:
            return rank
        i, j = at
        pivot, scale = rows.pop(i), scales.pop(i)
        for row, of_row in zip(rows, scales):
            factor = row[j] / pivot[j]
            size = float(factor.abs(precision=DIGITS_BITS))
            for k in free:
                row[k] = row[k] - factor * pivot[k]
                of_row[k] += size * scale[k]
        free.remove(j)
        rank += 1
    return rank


def equilibrated(W):
    """r and c with r_i c_j at least W_ij of a nonnegative matrix: divided by them no entry exceeds one, and
    each row and column holds a one."""
    columns = [max(column) or 1.0 for column in zip(*W)]
    rows = [max(w / c for w, c in zip(row, columns)) or 1.0 for row in W]
    return rows, [max(w / r for w, r in zip(column, rows)) or 1.0 for column in zip(*W)]


def transposed(A):
    return [list(row) for row in zip(*A)]


def smallest_form(M, C, K, columns):
    """E and A of the states (q, v_I): C q' + M_I v' = -K q, q_I' = v. All modulo PRIME."""
    n, m = len(K), len(columns)
    E = [C[i] + [M[i][j] for j in columns] for i in range(n)]
    E += [[int(j == column) for j in range(n)] + [0] * m for column in columns]
    A = [[-v for v in K[i]] + [0] * m for i in range(n)]
    A += [[0] * n + [int(k == l) for l in range(m)] for k in range(m)]
    return E, A


def companion_form(M, C, K):
    n = len(K)
    one, none = [[int(i == j) for j in range(n)] for i in range(n)], [0] * n
    E = [one[i] + none for i in range(n)] + [none + M[i] for i in range(n)]
    A = [none + one[i] for i in range(n)] + [[-v for v in K[i]] + [-v for v in C[i]] for i in range(n)]
    return E, A


def kernel_form(M, C, K):
    """The smallest form in coordinates of which those of ker M come last."""
    n = len(K)
    matrix = modular_matrix(M)
    rank = int(matrix.matrank())
    if rank == n:
        return smallest_form(M, C, K, list(range(n)))
    kernel = matrix.matker()
    basis = kernel.matsupplement()  # the kernel first
    order = list(range(n - rank, n)) + list(range(n - rank))
    S = pari.matrix(n, n, [basis[i, j] for i in range(n) for j in order])
    turned = [[[int(AS[i, j].lift()) for j in range(n)] for i in range(n)]
              for AS in (matrix * S, modular_matrix(C) * S, modular_matrix(K) * S)]
    return smallest_form(*turned, list(range(rank)))


def index_of(E, A):
    """The nilpotency index of a regular pencil x E - A modulo PRIME: ranks of powers of (mu E - A)^-1 E."""
    mu = random.Random(11).randrange(PRIME)
    N = len(E)
    S = modular_matrix([[(mu * e - a) % PRIME for e, a in zip(*rows)] for rows in zip(E, A)])
    E = modular_matrix([[e % PRIME for e in row] for row in E])
    T = S.matsolve(E)
    power, rank, index = T, int(T.matrank()), 1
    if rank == N:
        return 0
    while True:
        power = power * T
        next_rank = int(power.matrank())
        if next_rank == rank:
            return index
        rank, index = next_rank, index + 1
