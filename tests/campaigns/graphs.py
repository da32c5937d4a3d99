# SPDX-License-Identifier: LGPL-2.1-or-later
"""Chains, rings, grids and stars of equal links, whose spectra have closed forms.

With the eigenvalues mu of a graph of masses and unit springs, each material has a polynomial p(x, mu)
whose roots are eigenvalues of the whole.
"""

import math

from exact import DIGITS_BITS, ONE, X, ClosedFormPencil, Root, pari, rational
from families import blocks, identity, springs, zeros

PI = pari.pi(precision=DIGITS_BITS)


def sines(indices, n):
    """4 sin^2(j pi / (2 n))"""
    return [4 * (PI * j / (2 * n)).sin(precision=DIGITS_BITS) ** 2 if j else pari(0) for j in indices]


class Graph:
    """Masses, links between them, and mu of both."""

    def __init__(self, masses, links, mu):
        self.masses, self.links, self.mu = masses, links, mu

    @property
    def n(self):
        return len(self.masses)

    @property
    def degree(self):
        return max(sum(i in link for link in self.links) for i in range(self.n))

    def copies(self, count):
        """Several of them, apart."""
        links = [tuple(None if i is None else i + k * self.n for i in link)
                 for k in range(count) for link in self.links]
        return Graph(self.masses * count, links, self.mu * count)


def path(n):
    return Graph([1] * n, [(i, i + 1) for i in range(n - 1)], sines(range(n), n))


def fixed_path(n):
    """Between walls."""
    links = [(i, i + 1) for i in range(n - 1)] + [(0, None), (n - 1, None)]
    return Graph([1] * n, links, sines(range(1, n + 1), n + 1))


def ring(n):
    return Graph([1] * n, [(i, (i + 1) % n) for i in range(n)], sines(range(0, 2 * n, 2), n))


def times(a, b):
    """A grid, or a tube."""
    links = [tuple(i * b.n + k for i in link) for link in a.links for k in range(b.n)]
    links += [tuple(i * b.n + k for k in link) for link in b.links for i in range(a.n)]
    return Graph([1] * (a.n * b.n), links, [x + y for x in a.mu for y in b.mu])


def star(arms, m):
    """Arms of m masses on a hub of half a mass for each of them."""
    masses, links = [arms / 2] + [1] * (arms * m), []
    for arm in range(arms):
        nodes = [0] + [1 + arm * m + i for i in range(m)]
        links += list(zip(nodes, nodes[1:]))
    length = 2 * m + 1
    even, odd = (sines(range(first, length, 2), length) for first in (0, 1))
    return Graph(masses, links, even + odd * (arms - 1))


class Material:
    """What a link and a mass are made of. polynomial: p(x, mu); q: p / q is the modal dynamic stiffness."""

    def __init__(self, kind, stiffness, damping=0.0, outer=0.0):
        self.kind, self.k, self.c, self.outer = kind, stiffness, damping, outer

    def matrices(self, graph):
        n, links = graph.n, graph.links
        M = [[m if i == j else 0 for j in range(n)] for i, m in enumerate(graph.masses)]
        K = springs(n, [(*ordered(link), self.k) for link in links])
        C = springs(n, [(*ordered(link), self.c) for link in links] if self.kind == "damped" else [])
        if self.kind == "damped":
            C = [[c + self.outer * m for c, m in zip(*rows)] for rows in zip(C, M)]
        elif self.kind == "diffusion":
            M, C = zeros(n), M
        elif self.kind == "gyroscopic":
            M, K = (blocks((zeros(n), zeros(n), A), (zeros(n), zeros(n), A))[2] for A in (M, K))
            C = zeros(2 * n)
            for i, m in enumerate(graph.masses):
                C[i][n + i], C[n + i][i] = -2 * self.c * m, 2 * self.c * m
        elif self.kind in ("joints", "zener"):
            inner = range(n, n + len(links))
            M = [row + [0] * len(links) for row in M] + zeros(len(links), n + len(links))
            first = [(inner[k], ordered(link)[0]) for k, link in enumerate(links)]
            second = [(inner[k], ordered(link)[1]) for k, link in enumerate(links)]
            size = n + len(links)
            if self.kind == "joints":
                K = springs(size, [(i, j, 2 * self.k) for i, j in first + second])
                C = zeros(size)
            else:
                outer = [(*ordered(link), self.k) for link in links]
                K = springs(size, outer + [(i, j, self.k) for i, j in first])
                C = springs(size, [(i, j, self.c) for i, j in second])
        return M, C, K

    def polynomial(self, mu):
        """Coefficients of 1, x, x^2, ... and those of q."""
        k, c, outer = (rational(v) for v in (self.k, self.c, self.outer))
        if self.kind == "damped":
            return [k * mu, outer + c * mu, 1], [1]
        if self.kind == "diffusion":
            return [k * mu, 1], [1]
        if self.kind == "gyroscopic":  # one of two factors; the other has the conjugate roots
            return [k * mu, 2 * c * pari("I"), 1], [1]
        if self.kind == "joints":
            return [k * mu, 0, 1], [1]
        if mu == 0:
            return [0, 0, 1], [1]
        return [k * k * mu, 2 * k * c * mu, k, c], [k, c]

    def beside(self, graph):
        """Roots that no mu has: those of links around meshes relax alone."""
        if self.kind != "zener":
            return []
        meshes = len(graph.links) - sum(mu != 0 for mu in graph.mu)
        return [(-rational(self.k) / rational(self.c), meshes)] if meshes else []


def ordered(link):
    i, j = link
    return (j, i) if i is None else (i, j)


class GraphPencil(ClosedFormPencil):
    """P of a graph of a material, with the closed form of its spectrum."""

    def __init__(self, matrices, graph, material):
        super().__init__(*([[float(v) for v in row] for row in A] for A in matrices))
        self.graph, self.material = graph, material
        self._slopes = {}

    @property
    def roots(self):
        if self._roots is None:
            values = []
            for mu, times_ in distinct(self.graph.mu):
                p, q = self.material.polynomial(mu)
                f = sum((v * X**power for power, v in enumerate(p)), pari(0) * X)
                slope = f.deriv()
                divisor = sum((v * X**power for power, v in enumerate(q)), pari(0) * X)
                zeros_ = next(k for k, v in enumerate(p) if v != 0)
                found = [pari(0)] * zeros_
                rest = sum((v * X**power for power, v in enumerate(p[zeros_:])), pari(0) * X)
                if rest.poldegree() > 0:
                    found += list((rest * ONE).polroots(precision=DIGITS_BITS))
                if self.material.kind == "gyroscopic":
                    found += [z.conj() for z in found]
                values += [(cleaned(z), times_, slope, divisor) for z in found]
            values += [(z * ONE, times_, None, None) for z, times_ in self.material.beside(self.graph)]
            self._roots = self._merged(values)
        return self._roots

    def _merged(self, values):
        groups = []
        for value in sorted(values, key=lambda v: (float(v[0].real()), float(v[0].imag()))):
            same = next((g for g in groups[-4:] if is_same(g[0][0], value[0])), None)
            if same:
                same.append(value)
            else:
                groups.append([value])
        roots = []
        for group in groups:
            z, _, slope, divisor = group[0]
            root = Root(complex(float(z.real()), float(z.imag())), sum(v[1] for v in group), z)
            roots.append(root)
            self._slopes[id(root)] = (slope, divisor)
        return roots

    def largest_block(self, root):
        """Only free bodies that nothing brakes are in blocks, of order two."""
        braked = self.material.outer or self.material.kind in ("diffusion", "gyroscopic")
        return 2 if root.value == 0 and not braked else 1

    def _size(self, z):
        """The largest entries of |P|, about."""
        material = self.material
        own = 1 if material.kind == "diffusion" else material.outer + 2 * abs(material.c)
        return abs(z) ** 2 + abs(z) * own + 2 * self.graph.degree * (material.k + abs(z) * abs(material.c))

    def backward_error(self, z):
        """Of rigid motions: their dynamic stiffness beside the largest entries."""
        p, _ = self.material.polynomial(pari(0))
        stiffness = abs(sum(complex(float(pari(v).real()), float(pari(v).imag())) * z**power
                            for power, v in enumerate(p)))
        return stiffness / self._size(z)

    def uncertainty(self, root):
        """A million roundings of the entries, to first order."""
        slope, divisor = self._slopes[id(root)]
        if root.multiplicity > 1 or slope is None:
            return math.inf
        z = root.digits * ONE
        rate = float((slope(z) / divisor(z)).abs(precision=DIGITS_BITS))
        return 1e6 * 2.0**-52 * (self.graph.degree + 1) * self._size(root.value) / rate


def distinct(values):
    """[(value, how often)] of real numbers."""
    found = []
    for value in sorted(values, key=float):
        same = next((pair for pair in found[-4:] if is_same(pair[0], value)), None)
        if same:
            same[1] += 1
        else:
            found.append([value, 1])
    return [tuple(pair) for pair in found]


def is_same(a, b):
    size = max(float(a.abs(precision=DIGITS_BITS)), float(b.abs(precision=DIGITS_BITS)))
    return float((a - b).abs(precision=DIGITS_BITS)) <= size * 2.0**-150


def cleaned(z):
    """Without a part that is rounding of zero."""
    real, imaginary = z.real(), z.imag()
    size = z.abs(precision=DIGITS_BITS) * pari(2) ** -150
    if imaginary.abs() <= size:
        return real
    return imaginary * pari("I") if real.abs() <= size else z
