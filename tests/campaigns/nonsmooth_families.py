# SPDX-License-Identifier: LGPL-2.1-or-later
"""Families of small models with friction and contact: functions of a random.Random that return a Case."""

import math
import os

from families import diagonal, springs, zeros
from model import write_matrix


class Table:
    """Straight lines between points, constant outside."""

    def __init__(self, times, values):
        self.times, self.values = times, values

    def __call__(self, t):
        if t >= self.times[-1]:
            return self.values[-1]
        for k in range(len(self.times) - 1):
            if t < self.times[k + 1]:
                part = max(0.0, (t - self.times[k]) / (self.times[k + 1] - self.times[k]))
                return self.values[k] + part * (self.values[k + 1] - self.values[k])
        return self.values[-1]

    def text(self, time, value):
        times, values = [v * time for v in self.times], [v * value for v in self.values]
        return f"{{times = {times!r}, values = {values!r}}}"


class Sine:
    """offset + amplitude sin(omega t), as a formula."""

    def __init__(self, amplitude, omega, offset=0.0):
        self.amplitude, self.omega, self.offset = amplitude, omega, offset

    def __call__(self, t):
        return self.offset + self.amplitude * math.sin(self.omega * t)

    def text(self, time, value):
        return f'"{self.offset * value!r} + {self.amplitude * value!r}*sin({self.omega / time!r}*t)"'


class Constant(Table):
    def __init__(self, value):
        super().__init__([0.0], [float(value)])

    def text(self, time, value):
        return repr(self.values[0] * value)


NONE = Constant(0)


def play(column, threshold, support=NONE):
    return {"kind": "play", "columns": [column], "threshold": threshold, "support": support}


def contact(column, obstacle):
    return {"kind": "contact", "columns": [column], "obstacle": obstacle, "support": NONE}


def coulomb(normal, tangent, friction, obstacle=NONE, support=NONE):
    return {"kind": "coulomb", "columns": [normal, tangent], "friction": friction, "obstacle": obstacle,
            "support": support}


class Case:
    """A model at rest at zero, in units of which none is far from one."""

    length = force = 1.0
    n_rows = 40

    def __init__(self, matrices, loads, laws, end=4.0, elements=()):
        self.M, self.C, self.K = ([[float(v) for v in row] for row in A] for A in matrices)
        self.loads, self.laws, self.end, self.elements = loads, laws, end, list(elements)

    def written(self, folder, method, n_steps, units):
        """Matrices and case.toml; units: length, force, time."""
        length, force, time = units
        for name, A, factor in (("M", self.M, force * time**2 / length), ("C", self.C, force * time / length),
                                ("K", self.K, force / length)):
            write_matrix(os.path.join(folder, name + ".mtx"), [[v * factor for v in row] for row in A])
        lines = ["[system]", 'mass = "M.mtx"', 'damping = "C.mtx"', 'stiffness = "K.mtx"']
        for vector, f in self.loads:
            lines += ["", "[[load]]", f"vector = {[float(v) for v in vector]}",
                      "expression = " + f.text(time, force)]
        for element in self.elements:
            ends = [i for i, w in enumerate(element["column"]) if w]
            lines += ["", "[[element]]", f"dof = {ends[0]}"] + [f"other = {i}" for i in ends[1:]]
            lines += [f"cubic = {element['cubic'] * force / length**3!r}",
                      f"quadratic = {element['quadratic'] * force * time**2 / length**2!r}"]
        for k, law in enumerate(self.laws):
            lines += ["", "[[inclusion]]", f'name = "law{k}"'] + law_lines(law, length, force, time)
        lines += ["", "[integrator]", f'method = "{method}"', f"end = {self.end * time!r}"]
        event_driven = method == "event-driven"
        if not event_driven:
            lines.append(f"step = {self.end / (self.n_rows * n_steps) * time!r}")
        interval = f"interval = {self.end / self.n_rows * time!r}"
        lines += ["", "[output]", 'file = "answer.csv"', f"displacement = {list(range(len(self.K)))}",
                  "reactions = false", interval if event_driven else f"every = {n_steps}"]
        with open(os.path.join(folder, "case.toml"), "w") as file:
            file.write("\n".join(lines) + "\n")
        return ["case.toml"]


def direction(column):
    return "[" + ", ".join(f"{{dof = {i}, weight = {float(w)}}}" for i, w in enumerate(column) if w) + "]"


def law_lines(law, length, force, time):
    if law["kind"] == "play":
        return ['law = "st-venant"', "direction = " + direction(law["columns"][0]),
                "threshold = " + law["threshold"].text(time, force),
                "support = " + law["support"].text(time, length)]
    obstacle = "obstacle = " + law["obstacle"].text(time, length)
    if law["kind"] == "contact":
        return ['law = "unilateral"', "direction = " + direction(law["columns"][0]), obstacle]
    return ['law = "coulomb"', "normal = " + direction(law["columns"][0]),
            f"tangents = [{direction(law['columns'][1])}]", "friction = " + law["friction"].text(time, 1.0),
            f"supports = [{law['support'].text(time, length)}]", obstacle]


def unit(n, i, j=None):
    return [float(k == i) - float(k == j) for k in range(n)]


def wave(rng, size, end=4.0):
    """From zero, to and fro: a table or a formula."""
    if rng.random() < 0.3:
        return Sine(size * rng.uniform(0.5, 1), rng.uniform(1, 5))
    n = rng.randint(2, 6)
    return Table([end * k / n for k in range(n + 1)],
                 [0.0] + [round(size * rng.uniform(-1, 1), 2) for _ in range(n)])


def held(rng, n):
    """A chain of springs with one to the ground at each DoF."""
    links = [(i, i + 1, rng.randint(1, 6)) for i in range(n - 1)]
    return springs(n, links + [(i, None, rng.choice([0.5, 1, 2, 4])) for i in range(n)])


def loads(rng, n, size=4.0):
    return [(unit(n, i), wave(rng, size)) for i in rng.sample(range(n), rng.randint(1, n))]


def bound(rng):
    return Constant(rng.choice([0.25, 0.5, 1, 2]))


def somewhere(rng, n):
    i, j = rng.randrange(n), rng.randrange(n)
    return unit(n, i, j if j != i and rng.random() < 0.3 else None)


def massless_plays(rng):
    n = rng.randint(1, 4)
    laws = [play(unit(n, i), bound(rng)) for i in rng.sample(range(n), rng.randint(1, min(n, 3)))]
    return Case((zeros(n), zeros(n), held(rng, n)), loads(rng, n), laws)


def viscous_plays(rng):
    n = rng.randint(1, 3)
    C = diagonal([rng.choice([0, 1, 2]) for _ in range(n)])
    return Case((zeros(n), C, held(rng, n)), loads(rng, n),
                [play(somewhere(rng, n), bound(rng)) for _ in range(rng.randint(1, 2))])


def inertial_contacts(rng):
    n = rng.randint(1, 3)
    masses, C = diagonal([rng.choice([0.5, 1, 2]) for _ in range(n)]), diagonal([0.5] * n)
    obstacles = [Constant(-rng.choice([0, 0.1, 0.3])) for _ in range(n)]
    laws = [contact(unit(n, i), obstacles[i]) for i in rng.sample(range(n), rng.randint(1, n))]
    return Case((masses, C, held(rng, n)), loads(rng, n), laws)


def inertial_friction(rng):
    n = rng.randint(1, 3)
    masses, C = diagonal([rng.choice([0.5, 1, 2]) for _ in range(n)]), diagonal([0.5] * n)
    laws = [play(unit(n, i), bound(rng), rng.choice([NONE, wave(rng, 0.5)]))
            for i in rng.sample(range(n), rng.randint(1, n))]
    return Case((masses, C, held(rng, n)), loads(rng, n), laws)


def kinds(rng, n):
    """Masses and dampers of which some lack."""
    masses = [rng.choice([0, 0, 1, 2]) for _ in range(n)]
    return diagonal(masses), diagonal([rng.choice([0, 0.5, 1]) if m == 0 else 0.5 for m in masses])


def shared_nodes(rng):
    """A friction and a contact, or two of a kind, on the same massless nodes, beside a mass."""
    n = rng.randint(2, 3)
    M, C = kinds(rng, n)
    M[0][0] = 1
    M[n - 1][n - 1] = 0
    C[0][0] = 0.5
    laws = [play(somewhere(rng, n), bound(rng)), play(unit(n, n - 1), bound(rng)),
            contact(unit(n, n - 1), Constant(-rng.choice([0, 0.1, 0.4])))]
    return Case((M, C, held(rng, n)), loads(rng, n), laws[rng.randint(0, 1):])


def moving_stops(rng):
    """Supports and stops that move, on DoFs of every kind, with friction beside them."""
    n = rng.randint(1, 3)
    M, C = kinds(rng, n)
    away = wave(rng, 0.2)
    laws = [contact(unit(n, rng.randrange(n)), away)]
    if rng.random() < 0.7:
        laws.append(play(unit(n, rng.randrange(n)), bound(rng), wave(rng, 0.5)))
    return Case((M, C, held(rng, n)), loads(rng, n), laws)


def zero_gaps(rng):
    """Walls on both sides of a DoF, between which nothing or little is left."""
    n = rng.randint(1, 3)
    M, C = kinds(rng, n)
    i, gap = rng.randrange(n), rng.choice([0.0, 0.0, 0.01, 0.1])
    laws = [contact(unit(n, i), Constant(0)), contact([-v for v in unit(n, i)], Constant(-gap))]
    if gap == 0:
        laws.pop()
        laws.append(contact(unit(n, rng.randrange(n)), Constant(0)))
    return Case((M, C, held(rng, n)), loads(rng, n), laws[:1] if laws[0] == laws[-1] else laws)


def coulomb_nodes(rng):
    """A node with a normal and a tangent, pressed and pushed, beside a mass or alone."""
    n = rng.randint(2, 3)
    M, C = kinds(rng, n)
    K = diagonal([4, 4, 2][:n])
    K[0][1] = K[1][0] = rng.choice([0, 0.5, -0.5])
    if n == 3:
        K[1][2] = K[2][1] = -1
    pressed = [(unit(n, 0), Table([0, 0.5, 4], [0, -rng.choice([1, 2]), rng.choice([-3, -1, 1])]))]
    support = rng.choice([NONE, wave(rng, 0.5)])
    law = coulomb(unit(n, 0), unit(n, 1), Constant(rng.choice([0.2, 0.5])), support=support)
    return Case((M, C, K), pressed + [(unit(n, 1), wave(rng, 3))], [law])


def redundant(rng):
    """Contacts that repeat each other, or plays: displacements are determined, reactions are not."""
    case = rng.choice([shared_nodes, inertial_contacts, massless_plays, coulomb_nodes])(rng)
    case.laws.append(dict(rng.choice(case.laws)))
    return case


def rigid_body(rng):
    """Three contacts below a body that heaves and rocks, on soft springs."""
    M = diagonal([1, 0.5]) if rng.random() < 0.7 else zeros(2)
    at = [-1.0, rng.choice([0.0, 0.5]), 1.0]
    down = Table([0, 0.5, 4], [0, -2, -rng.choice([1, 2, 3])])
    laws = [contact([1.0, x], Constant(0)) for x in at]
    return Case((M, diagonal([0.5, 0.5]), diagonal([2, 1])), [([1, 0], down), ([0, 1], wave(rng, 4))], laws)


def pulses(rng):
    """Thresholds and stops that change for a short while."""
    n = rng.randint(1, 2)
    M, C = kinds(rng, n)
    t, width = rng.uniform(1, 3), rng.choice([0.02, 0.05, 0.1])
    high, low = rng.choice([(2, 0), (1, 0.25), (2, 0.5)])
    dip = Table([0, t, t + width / 4, t + 3 * width / 4, t + width], [high, high, low, low, high])
    push = Table([0, t, t + width / 2, t + width], [-0.3, -0.3, rng.choice([0.1, 0.3]), -0.3])
    i = rng.randrange(n)
    return Case((M, C, held(rng, n)), loads(rng, n),
                [play(unit(n, i), dip)] if rng.random() < 0.6 else [contact(unit(n, i), push)])


def element(column, cubic, quadratic=0.0):
    return {"column": [float(v) for v in column], "cubic": cubic, "quadratic": quadratic}


def hardening(rng, family, dofs):
    """A family with springs of third order, and dampers of second order where there are masses or dampers."""
    case = family(rng)
    n = len(case.K)
    for i in dofs(case, n):
        j = rng.randrange(n)
        damped = case.M[i][i] or case.C[i][i]
        other = j if j != i and (not damped or case.M[j][j] or case.C[j][j]) and rng.random() < 0.3 else None
        case.elements.append(element(unit(n, i, other), rng.choice([0.5, 2, 8]),
                                     rng.choice([0.0, 0.3, 1.0]) if damped else 0.0))
    return case


def some(rng, all_of_them):
    return rng.sample(all_of_them, rng.randint(1, min(2, len(all_of_them)))) if all_of_them else []


def nonlinear_inertial(rng):
    """Springs and dampers that are not linear between masses on stops or friction."""
    return hardening(rng, rng.choice([inertial_contacts, inertial_friction]),
                     lambda case, n: some(rng, list(range(n))))


def nonlinear_viscous(rng):
    return hardening(rng, viscous_plays,
                     lambda case, n: some(rng, [i for i in range(n) if case.C[i][i]] or list(range(n))))


def nonlinear_algebraic(rng):
    """On nodes without mass or damper, beside friction and contacts of every kind."""
    def bare(case, n):
        return some(rng, [i for i in range(n) if not case.M[i][i] and not case.C[i][i]])

    case = None
    while case is None or not case.elements:
        case = hardening(rng, rng.choice([massless_plays, shared_nodes, moving_stops]), bare)
    return case


ALL = [massless_plays, viscous_plays, inertial_contacts, inertial_friction, shared_nodes, moving_stops,
       zero_gaps, coulomb_nodes, redundant, rigid_body, pulses, nonlinear_inertial, nonlinear_viscous,
       nonlinear_algebraic]
