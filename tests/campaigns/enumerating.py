# SPDX-License-Identifier: LGPL-2.1-or-later
"""Motion with friction and contact by implicit Euler, where each step tries every state of every law.

M q'' + C q' + K q = f + H r. Laws are dictionaries: kind, columns of H, functions of time. Nothing is
iterated: a combination of states makes a step linear, and it is taken if no law contradicts it. Elements that
are not linear, p = k x^3 + d x'|x'|, are met by Newton's method in every combination.
"""

import itertools

STATES = {"play": ("stick", "forward", "backward"), "contact": ("open", "closed"),
          "coulomb": ("open", "stick", "forward", "backward")}


class Indeterminate(Exception):
    """No combination of states satisfies the laws."""


def inverse(A):
    n = len(A)
    rows = [list(map(float, row)) + [float(i == j) for j in range(n)] for i, row in enumerate(A)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        if abs(rows[pivot][k]) <= 1e-13 * max(map(abs, rows[pivot][:n]), default=0.0):
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [v / rows[k][k] for v in rows[k]]
        for i in range(n):
            if i != k and rows[i][k]:
                factor = rows[i][k]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k])]
    return [row[n:] for row in rows]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


class Motion:
    """Displacements at equally spaced times, n_rows + 1 of them, with n_steps steps between two."""

    def __init__(self, model, n_steps):
        self.model, self.n = model, len(model.K)
        self.h = model.end / (model.n_rows * n_steps)
        self.columns = [c for law in model.laws for c in law["columns"]]
        self.maps, n = {}, self.n
        self.A = [[model.M[i][j] / self.h**2 + model.C[i][j] / self.h + model.K[i][j] for j in range(n)]
                  for i in range(n)]
        self.combinations = list(itertools.product(*(STATES[law["kind"]] for law in model.laws)))
        q, v, last = [0.0] * n, [0.0] * n, self.combinations[0]
        self.rows = [q]
        for k in range(model.n_rows * n_steps):
            q, v, last = self.step(k * self.h, (k + 1) * self.h, q, v, last)
            if (k + 1) % n_steps == 0:
                self.rows.append(q)

    def step(self, t, end, q, v, last):
        model, n, h = self.model, self.n, self.h
        load = [sum(w[i] * f(end) for w, f in model.loads) for i in range(n)]
        momentum = [q[i] + h * v[i] for i in range(n)]
        right = [load[i] + dot(model.M[i], momentum) / h**2 + dot(model.C[i], q) / h for i in range(n)]
        for states in itertools.chain([last], self.combinations):
            new = self.tried(states, right, q, t, end)
            if new is not None:
                return new, [(a - b) / h for a, b in zip(new, q)], states
        raise Indeterminate(f"no states at {end}")

    def map_of(self, states, end):
        """The inverse of a step's matrix in these states; it depends on time where mu does."""
        mus = tuple(law["friction"](end) for law in self.model.laws if law["kind"] == "coulomb")
        key = states, mus
        if key not in self.maps:
            self.maps[key] = inverse(self.rows_of(states, mus))
        return self.maps[key]

    def rows_of(self, states, mus):
        n, m = self.n, len(self.columns)
        rows = [self.A[i] + [-c[i] for c in self.columns] for i in range(n)]
        at, mu = n, iter(mus)
        for law, state in zip(self.model.laws, states):
            one = [0.0] * (n + m)
            one[at] = 1.0
            if law["kind"] == "coulomb":
                friction, other = next(mu), [0.0] * (n + m)
                rows.append(one if state == "open" else list(law["columns"][0]) + [0.0] * m)
                other[at + 1] = 1.0
                if state in ("forward", "backward"):
                    other[at] = friction if state == "forward" else -friction
                rows.append(list(law["columns"][1]) + [0.0] * m if state == "stick" else other)
            else:
                moves = state in ("stick", "closed")
                rows.append(list(law["columns"][0]) + [0.0] * m if moves else one)
            at += len(law["columns"])
        return rows

    def met(self, states, side, q, end):
        """Displacements and reactions, by Newton's method from the last ones; None where it fails."""
        if not self.model.elements:
            matrix = self.map_of(states, end)
            return matrix and [dot(row, side) for row in matrix]
        mus = tuple(law["friction"](end) for law in self.model.laws if law["kind"] == "coulomb")
        at, x = list(q), None
        for _ in range(30):
            rows, right = self.rows_of(states, mus), list(side)
            for element in self.model.elements:
                column = element["column"]
                length, rate = dot(column, at), (dot(column, at) - dot(column, q)) / self.h
                force = element["cubic"] * length**3 + element["quadratic"] * rate * abs(rate)
                slope = 3 * element["cubic"] * length**2 + 2 * element["quadratic"] * abs(rate) / self.h
                for i in range(self.n):
                    right[i] += column[i] * (slope * length - force)
                    for j in range(self.n):
                        rows[i][j] += slope * column[i] * column[j]
            matrix = inverse(rows)
            if matrix is None:
                return None
            x = [dot(row, right) for row in matrix]
            change = max(abs(a - b) for a, b in zip(x, at))
            at = x[:self.n]
            if change <= 1e-13 * (max(map(abs, at)) + self.model.length):
                return x
        return None

    def tried(self, states, right, q, t, end):
        """The displacements in these states; None where a law contradicts them."""
        side = list(right)
        for law, state in zip(self.model.laws, states):
            column = law["columns"][-1]
            stuck = dot(column, q) + law["support"](end) - law["support"](t)
            if law["kind"] == "play":
                side.append({"stick": stuck, "forward": -1, "backward": 1}[state])
                if state != "stick":
                    side[-1] *= law["threshold"](end)
                continue
            side.append(law["obstacle"](end) if state != "open" else 0.0)
            if law["kind"] == "coulomb":
                side.append(stuck if state == "stick" else 0.0)
        x = self.met(states, side, q, end)
        return x[:self.n] if x is not None and self.keeps(states, x, q, t, end) else None

    def keeps(self, states, x, q, t, end):
        new, at = x[:self.n], self.n
        forces = max(map(abs, x[self.n:]), default=0.0) + self.model.force
        lengths = max(map(abs, new)) + self.model.length
        small_r, small_q = 1e-11 * forces, 1e-11 * lengths
        for law, state in zip(self.model.laws, states):
            column = law["columns"][-1]
            slip = dot(column, new) - dot(column, q) - law["support"](end) + law["support"](t)
            r = x[at]
            if law["kind"] == "play":
                bound = law["threshold"](end)
                held = abs(r) <= bound + small_r
            else:
                gap = dot(law["columns"][0], new) - law["obstacle"](end)
                if state == "open" and gap < -small_q or state != "open" and r < -small_r:
                    return False
                held = True
                if law["kind"] == "coulomb":
                    held = abs(x[at + 1]) <= law["friction"](end) * r + small_r
            if state == "stick" and not held:
                return False
            if state == "forward" and slip < -small_q or state == "backward" and slip > small_q:
                return False
            at += len(law["columns"])
        return True


def missed(model, step):
    """How far an obstacle comes between two instants at which steps see it: what it pushes goes as far."""
    largest = 0.0
    for law in model.laws:
        obstacle = law.get("obstacle")
        for t in getattr(obstacle, "times", []):
            before = int(t / step) * step
            seen = max(obstacle(before), obstacle(before + step))
            largest = max(largest, obstacle(t) - seen)
    return largest


class Reference:
    """Displacements, and how far they may be off: both from steps that are halved twice."""

    def __init__(self, model, n_steps):
        coarse, middle, fine = (Motion(model, n_steps * 2**k).rows for k in range(3))
        n = len(model.K)
        self.rows = [[2 * a - b for a, b in zip(*both)] for both in zip(fine, middle)]
        self.scale = max(abs(v) for row in fine for v in row) or model.length
        changes = [max(abs(a[i] - b[i]) for a, b in zip(x, y) for i in range(n))
                   for x, y in ((coarse, middle), (middle, fine))]
        finest = model.end / (model.n_rows * n_steps * 4)
        self.uncertainty = max(changes[1], changes[0] / 2, missed(model, finest))
        self.is_certain = self.uncertainty < 0.02 * self.scale
