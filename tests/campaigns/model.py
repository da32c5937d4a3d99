# SPDX-License-Identifier: LGPL-2.1-or-later
"""A model as the program reads it: M, C, K as lists of rows of doubles, and what stands beside them."""

import copy
import os
from fractions import Fraction


class Model:
    """M q'' + C q' + K q = f with clamped DoFs and rows A_1 q' + A_2 q = b beside it."""

    def __init__(self, M, C, K, constrained=(), rate=None, position=None, nominal=None, roots=None,
                 reference=None):
        self.M, self.C, self.K = ([[float(v) for v in row] for row in matrix] for matrix in (M, C, K))
        self.constrained = sorted(set(constrained))
        self.rate, self.position = rate, position  # rows over all DoFs, or None
        self.nominal = nominal  # M, C, K before they were rounded, in fractions, or None
        self.roots = roots  # [(value, multiplicity)] where a closed form is known, or None
        self.reference = reference  # a pencil that knows its spectrum, instead of one of PARI, or None

    @property
    def n(self):
        return len(self.K)

    @property
    def n_rows(self):
        return len(self.rate or self.position or [])

    def copy(self):
        """The same to be changed, without the reference, which would not hold any longer."""
        model = copy.copy(self)
        model.reference = None
        return copy.deepcopy(model)

    def matrices(self):
        return [self.M, self.C, self.K]

    def pencil(self):
        """M, C, K of the free DoFs, each constraint with its multiplier behind them, and the DoFs of rows.

        The multiplier acts along the row of A_1 where that has entries on free DoFs, otherwise along that of A_2
        (`directions`).
        """
        n, m = self.n, self.n_rows
        M, C, K = ([row + [0.0] * m for row in matrix] + [[0.0] * (n + m) for _ in range(m)]
                   for matrix in self.matrices())
        rates, positions, along = self.directions()
        for i in range(m):
            for j in range(n):
                C[n + i][j], K[n + i][j], K[j][n + i] = (float(A[i][j]) for A in (rates, positions, along))
        free = [i for i in range(n + m) if i not in self.constrained]
        return [[[matrix[i][j] for j in free] for i in free] for matrix in (M, C, K)], free

    def directions(self):
        """A_1, A_2 and the rows along which reactions act, in fractions.

        Where these depend on each other on the free DoFs, and the combination of rows on rates that cancels
        leaves a constraint on displacements, this one takes the place of the row that takes part the most.
        """
        zero = [[0] * self.n] * self.n_rows
        rates, positions = ([[Fraction(v) for v in row] for row in A or zero] for A in (self.rate, self.position))
        free = [j for j in range(self.n) if j not in self.constrained]
        on_rates = [any(row[j] for j in free) for row in rates]
        along = [list(rate if on else position) for rate, position, on in zip(rates, positions, on_rates)]
        while True:
            for weights in cancelling([[row[j] for j in free] for row in along]):
                taking_part = [i for i, on in enumerate(on_rates) if on and weights[i]]
                hidden = [sum(weights[i] * positions[i][j] for i in taking_part) for j in range(self.n)]
                if any(hidden[j] for j in free):
                    break
            else:
                return rates, positions, along
            i = max(taking_part, key=lambda i: weights[i] ** 2 * sum(along[i][j] ** 2 for j in free))
            along[i], on_rates[i] = [v / weights[i] for v in hidden], False

    def without_dof(self, dof):
        """The same with one DoF less."""
        def cut(row):
            return row[:dof] + row[dof + 1:]
        model = self.copy()
        model.M, model.C, model.K = ([cut(row) for row in cut(matrix)] for matrix in self.matrices())
        model.constrained = [i - (i > dof) for i in self.constrained if i != dof]
        if self.rate:
            model.rate = [cut(row) for row in self.rate]
        if self.position:
            model.position = [cut(row) for row in self.position]
        return model

    def write(self, folder):
        """Writes the files, and returns the options that name them."""
        options = []
        for name, matrix in (("mass", self.M), ("damping", self.C), ("stiffness", self.K)):
            if name == "stiffness" or any(any(row) for row in matrix):
                options += ["--" + name, name[0].upper().replace("D", "C").replace("S", "K") + ".mtx"]
                write_matrix(os.path.join(folder, options[-1]), matrix)
        if self.constrained:
            options += ["--constrained", "constrained.txt"]
            with open(os.path.join(folder, "constrained.txt"), "w") as file:
                file.writelines(f"{i}\n" for i in self.constrained)
        for name, rows in (("rate", self.rate), ("position", self.position)):
            if rows and any(any(row) for row in rows):
                options += ["--constraint-" + name, f"constraint-{name}.mtx"]
                write_matrix(os.path.join(folder, options[-1]), rows)
        return options


def cancelling(rows):
    """A basis of the weights with which rows of fractions add up to zero."""
    weights = [[Fraction(int(i == j)) for j in range(len(rows))] for i in range(len(rows))]
    left, found = [(list(row), w) for row, w in zip(rows, weights)], []
    while left:
        row, weight = left.pop(0)
        pivot = next((j for j, v in enumerate(row) if v), None)
        if pivot is None:
            found.append(weight)
            continue
        for k, (other, w) in enumerate(left):
            factor = other[pivot] / row[pivot]
            left[k] = ([a - factor * b for a, b in zip(other, row)], [a - factor * b for a, b in zip(w, weight)])
    return found


def write_matrix(path, rows):
    """Coordinate layout, general; repr() of a double reads back as the same double."""
    entries = [(i + 1, j + 1, float(v)) for i, row in enumerate(rows) for j, v in enumerate(row) if v]
    with open(path, "w") as file:
        file.write("%%MatrixMarket matrix coordinate real general\n")
        file.write(f"{len(rows)} {len(rows[0])} {len(entries)}\n")
        file.writelines(f"{i} {j} {v!r}\n" for i, j, v in entries)


def read_matrix(path):
    """Rows of a general Matrix Market file in either layout."""
    with open(path) as file:
        header = file.readline().split()
        lines = [line.split() for line in file if line.strip() and not line.startswith("%")]
    n_rows, n_columns = int(lines[0][0]), int(lines[0][1])
    rows = [[0.0] * n_columns for _ in range(n_rows)]
    if header[4] != "general":
        raise ValueError(f"{path} is {header[4]}, not general")
    if header[2] == "array":
        for k, line in enumerate(lines[1:]):
            rows[k % n_rows][k // n_rows] = float(line[0])
    else:
        for i, j, value in lines[1:]:
            rows[int(i) - 1][int(j) - 1] += float(value)
    return rows
