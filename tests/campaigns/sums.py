# SPDX-License-Identifier: LGPL-2.1-or-later
"""Direct sums of small models, mixed without rounding: hundreds of DoFs whose exact spectra are cheap.

P(x) = L (P_1(x) + P_2(x) + ...) R with products L and R of elementary matrices. Spectra are those of the
parts, and P(s)^-1 = R^-1 (P_1(s)^-1 + ...) L^-1.
"""

import copy
import math
from fractions import Fraction

import cypari2

from exact import DIGITS_BITS, ONE, X, Pencil, Root, number, pari, simple_roots
from model import Model


class Part:
    """A small model of exact entries, 2^rate times as fast as it is given, and times 2^weight."""

    def __init__(self, matrices, rate=0, weight=0, n_multipliers=0):
        self.base = Pencil(*([[Fraction(v) for v in row] for row in A] for A in matrices))
        self.rate, self.weight = rate, weight
        self.n_multipliers = n_multipliers  # its last lines are constraints beside the matrices
        self.is_plain = False
        self._factors = None

    @property
    def n(self):
        return self.base.n

    @property
    def is_regular(self):
        return self.base.is_regular

    def faster(self, rate, weight=0):
        """A copy in another time; what is known of the base is kept."""
        part = copy.copy(self)
        part.rate, part.weight = self.rate + rate, self.weight + weight
        return part

    def matrices(self):
        """M, C, K in its own time and weight."""
        factors = [Fraction(2) ** (self.weight + power * self.rate) for power in (0, 1, 2)]
        return [[[v * factor for v in row] for row in A]
                for A, factor in zip((self.base.M, self.base.C, self.base.K), factors)]

    @property
    def factors(self):
        """[(irreducible factor of det P, multiplicity, its roots)], in the time of the base."""
        if self._factors is None:
            self._factors = []
            determinant = self.base.determinant
            if determinant.poldegree(X) > 0:
                table = determinant.factor()
                for k in range(int(table.matsize()[0])):
                    factor, multiplicity = table[k, 0], int(table[k, 1])
                    digits = [pari(0)] if factor(pari(0)) == 0 else simple_roots(factor)
                    self._factors.append((factor, multiplicity, digits))
        return self._factors

    def key(self, factor):
        """The factor in the time of all, such that equal ones have equal keys."""
        scaled = factor(X * pari(2) ** -self.rate)
        scaled = scaled / scaled.content()
        return str(-scaled if scaled.pollead() < 0 else scaled)

    def inverse(self, s):
        """P(s)^-1 of an exact s."""
        base = self.base.at(s * pari(2) ** -self.rate) ** -1
        return base * pari(2) ** -(self.weight + 2 * self.rate)

    def residue(self, digits):
        """adj P / (det P)' at a simple root of the base."""
        adjugate = self.base.at(digits * ONE).matadjoint()
        slope = self.base.determinant.deriv()(digits * ONE)
        return adjugate * (pari(2) ** -(self.weight + self.rate) / slope)


class Mixture:
    """The direct sum, and what is done to its rows and columns, one step after the other."""

    def __init__(self, parts):
        self.parts, self.steps = list(parts), []
        self.begins, n = [], 0
        for part in self.parts:
            self.begins.append(n)
            n += part.n
        self.n = n
        self.matrices = [[{} for _ in range(n)] for _ in range(3)]
        for part, begin in zip(self.parts, self.begins):
            for whole, A in zip(self.matrices, part.matrices()):
                for i, row in enumerate(A):
                    whole[begin + i] = {begin + j: v for j, v in enumerate(row) if v}

    def lines_of(self, k):
        """Rows or columns of part k before any permutation."""
        return range(self.begins[k], self.begins[k] + self.parts[k].n)

    def add(self, i, j, factor, rows=True, columns=True):
        """Adds a multiple of line j to line i, unless a double would not hold the result."""
        changed = []
        for A in self.matrices:
            new = {k: dict(row) for k, row in enumerate(A) if (rows and k == i) or (columns and j in row)}
            if rows:
                add_to(new[i], A[j], factor)
            for row in new.values() if columns else ():
                if j in row:
                    add_to(row, {i: row[j]}, factor)
            if not all(float(v) == v for row in new.values() for v in row.values()):
                return False
            changed.append(new)
        for A, new in zip(self.matrices, changed):
            for k, row in new.items():
                A[k] = row
        self.steps.append(("add", i, j, factor, rows, columns))
        return True

    def scale(self, rows, columns):
        """Multiplies rows and columns by powers of two."""
        rows, columns = [Fraction(v) for v in rows], [Fraction(v) for v in columns]
        self.matrices = [[{j: r * v * columns[j] for j, v in row.items()} for r, row in zip(rows, A)]
                         for A in self.matrices]
        self.steps.append(("scale", rows, columns))

    def permute(self, rows, columns):
        """Line k becomes what was line rows[k] or columns[k]."""
        place = {old: new for new, old in enumerate(columns)}
        self.matrices = [[{place[j]: v for j, v in A[i].items()} for i in rows] for A in self.matrices]
        self.steps.append(("permute", list(rows), list(columns)))

    @property
    def n_multipliers(self):
        return sum(part.n_multipliers for part in self.parts)

    def dense(self):
        return [[[float(row.get(j, 0)) for j in range(self.n)] for row in A] for A in self.matrices]

    def undone(self, inverse):
        """R^-1 inverse L^-1 of rows of a matrix, as dictionaries."""
        left = undo(inverse, self.steps, of_columns=True)
        return transposed(undo(transposed(left, self.n), self.steps, of_columns=False), self.n)

    def again(self, parts, steps):
        """A mixture of other parts, by such steps."""
        mixture = Mixture(parts)
        for step in steps:
            {"add": mixture.add, "scale": mixture.scale, "permute": mixture.permute}[step[0]](*step[1:])
        return mixture

    def without_part(self, k):
        rows = columns = set(self.lines_of(k))
        steps = []
        for step in self.steps:
            if step[0] == "add":
                _, i, j, *rest = step
                if not rows.union(columns).intersection((i, j)):
                    steps.append(("add", without(rows, i), without(rows, j), *rest))
            elif step[0] == "scale":
                steps.append(("scale", *([v for i, v in enumerate(values) if i not in gone]
                                         for values, gone in zip(step[1:], (rows, columns)))))
            else:
                steps.append(("permute", *([without(gone, i) for i in order if i not in gone]
                                           for order, gone in zip(step[1:], (rows, columns)))))
                rows, columns = ({new for new, old in enumerate(order) if old in gone}
                                 for order, gone in zip(step[1:], (rows, columns)))
        return self.again(self.parts[:k] + self.parts[k + 1:], steps)

    def smaller(self):
        """Simpler mixtures: without a part, with a simpler one, without a step."""
        for k in range(len(self.parts) if len(self.parts) > 1 else 0):
            yield self.without_part(k)
        for k, part in enumerate(self.parts):
            if not part.is_plain and not part.n_multipliers:
                yield self.again(self.parts[:k] + [plain_part(part.n)] + self.parts[k + 1:], self.steps)
        for k, step in enumerate(self.steps):
            if step[0] != "permute" or not self.n_multipliers:
                yield self.again(self.parts, self.steps[:k] + self.steps[k + 1:])


def without(gone, i):
    return i - sum(other < i for other in gone)


def plain_part(n):
    """Masses on springs of their own."""
    one = [[int(i == j) for j in range(n)] for i in range(n)]
    part = Part((one, [[0] * n] * n, [[(i + 1) * v for v in row] for i, row in enumerate(one)]))
    part.is_plain = True
    return part


def add_to(row, other, factor):
    for j, v in list(other.items()):
        value = row.get(j, 0) + factor * v
        if value:
            row[j] = value
        else:
            row.pop(j, None)


def transposed(rows, n):
    result = [{} for _ in range(n)]
    for i, row in enumerate(rows):
        for j, v in row.items():
            result[j][i] = v
    return result


def undo(rows, steps, of_columns):
    """(... F_2^-1 F_1^-1) rows, where F_1, F_2, ... were done to columns; the same of rows, transposed."""
    rows = [dict(row) for row in rows]
    for step in steps:
        if step[0] == "add":
            _, i, j, factor, on_rows, on_columns = step
            if on_columns if of_columns else on_rows:
                add_to(rows[j], rows[i], -factor)
        elif step[0] == "scale":
            rows = [{j: v * d.denominator / d.numerator for j, v in row.items()}
                    for row, d in zip(rows, step[1 + of_columns])]
        else:
            rows = [rows[k] for k in step[1 + of_columns]]
    return rows


class SumPencil(Pencil):
    """The exact reference of a mixture, which asks its parts."""

    def __init__(self, mixture):
        super().__init__(*mixture.dense())
        self.mixture = mixture
        self._places = {}  # of a root: [(part, root to many digits, multiplicity)]
        self._backward_errors, self._uncertainties, self._blocks = {}, {}, {}

    @property
    def determinant(self):
        raise NotImplementedError("the determinant is known by its factors only")

    @property
    def is_regular(self):
        return all(part.is_regular for part in self.mixture.parts)

    @property
    def n_finite(self):
        return sum(part.base.n_finite for part in self.mixture.parts)

    @property
    def roots(self):
        if self._roots is None:
            found = {}
            for k, part in enumerate(self.mixture.parts):
                for factor, multiplicity, digits in part.factors:
                    known = found.setdefault(part.key(factor), [])
                    known.append((k, multiplicity, digits))
            self._roots = [root for known in found.values() for root in self._roots_of(known)]
        return self._roots

    def _roots_of(self, known):
        """Of one irreducible factor of several parts."""
        k, _, digits = known[0]
        scale = pari(2) ** self.mixture.parts[k].rate
        roots = []
        for value in (digit * scale for digit in digits):
            root = Root(complex(float(value.real()), float(value.imag())), sum(m for _, m, _ in known), value)
            roots.append(root)
            self._places[id(root)] = [
                (part, value / pari(2) ** self.mixture.parts[part].rate, m) for part, m, _ in known]
        return roots

    def largest_block(self, root):
        if id(root) not in self._blocks:
            self._blocks[id(root)] = self._block_of(root)
        return self._blocks[id(root)]

    def _block_of(self, root):
        return max(self.mixture.parts[k].base.largest_block(Root(complex_of(digits), multiplicity, digits))
                   for k, digits, multiplicity in self._places[id(root)])

    def _sum(self, part_matrices):
        """Rows of the direct sum of matrices of PARI, by part."""
        rows = [{} for _ in range(self.n)]
        for k, A in part_matrices:
            lines = self.mixture.lines_of(k)
            for i, row in enumerate(lines):
                for j, column in enumerate(lines):
                    if A[i, j] != 0:
                        rows[row][column] = A[i, j]
        return rows

    def sparse_inverse(self, s):
        """Rows of P(s)^-1 as dictionaries."""
        return self.mixture.undone(self._sum((k, p.inverse(s)) for k, p in enumerate(self.mixture.parts)))

    def inverse(self, s):
        rows = self.sparse_inverse(s)
        zero = pari(0)
        return pari.matrix(self.n, self.n, [row.get(j, zero) for row in rows for j in range(self.n)])

    def determinant_at(self, s):
        """det P(s) up to a factor that does not depend on s."""
        result = ONE
        for part in self.mixture.parts:
            result = result * part.base.at(s * pari(2) ** -part.rate).matdet()
        return result

    def backward_error(self, z):
        if z not in self._backward_errors:
            self._backward_errors[z] = self._backward_error(z)
        return self._backward_errors[z]

    def _backward_error(self, z):
        try:
            inverse = self.sparse_inverse(number(z))
        except cypari2.PariError:
            return 0.0
        return 1 / self._through(inverse, abs(z))

    def _through(self, matrix, size):
        """The sum of |entries| times those of an equilibrated |P|, as Pencil.backward_error() has it."""
        rows, columns = self._equilibrated(size)
        return sum(columns[i] * float(v.abs(precision=DIGITS_BITS)) * rows[j]
                   for i, row in enumerate(matrix) for j, v in row.items())

    def _equilibrated(self, size):
        """equilibrated() of the weight, of whose entries most are zero."""
        W = [{} for _ in range(self.n)]
        for A, factor in zip(self.mixture.matrices, (size * size, size, 1.0)):
            for row, of_row in zip(W, A):
                for j, v in of_row.items():
                    row[j] = row.get(j, 0.0) + factor * abs(float(v))
        largest = [max(column.values(), default=0.0) or 1.0 for column in transposed(W, self.n)]
        rows = [max((w / largest[j] for j, w in row.items()), default=0.0) or 1.0 for row in W]
        columns = [max((w / rows[i] for i, w in column.items()), default=0.0) or 1.0
                   for column in transposed(W, self.n)]
        return rows, columns

    def uncertainty(self, root):
        """As of any pencil."""
        if root.multiplicity > 1:
            return math.inf
        if id(root) not in self._uncertainties:
            (k, digits, _), = self._places[id(root)]
            residue = self.mixture.undone(self._sum([(k, self.mixture.parts[k].residue(digits))]))
            self._uncertainties[id(root)] = 1e6 * 2.0**-52 * self._through(residue, abs(root.value))
        return self._uncertainties[id(root)]


def model_of(mixture):
    """The model of a mixture whose multipliers, if there are any, come last."""
    matrices, m = mixture.dense(), mixture.n_multipliers
    n = mixture.n - m
    rate, position = ([row[:n] for row in A[n:]] for A in matrices[1:])
    return Model(*([row[:n] for row in A[:n]] for A in matrices),
                 rate=rate if any(map(any, rate)) else None,
                 position=position if any(map(any, position)) else None, reference=SumPencil(mixture))


def complex_of(digits):
    return complex(float(digits.real()), float(digits.imag()))
