# SPDX-License-Identifier: LGPL-2.1-or-later
"""Holds answers against the exact reference. Findings are pairs (label, text); without any, all is right."""

import copy
import math
import re

from cypari2 import PariError

from exact import DIGITS_BITS, ONE, absolute, equilibrated, number, pari, rational, rational_matrix

TOLERANCE = 1e-6  # relative to the exact value itself
RIM = 1e-9  # values as far as the farthest one, within this, may be exchanged for it
BACKWARD = 1e-12  # relative change of entries that explains members of Jordan blocks, and zeros
EPSILON = 2.0**-52
OF_MODEL, OF_RESULT = 1e4, 16  # roundings of entries of the model, and of a written matrix, that are allowed
OF_STATED = 100  # times the error that the program states for an output at another place s
MOST_STATED = 1e-6  # of the largest transfer function: a larger stated error is no excuse
NEARLY_SINGULAR = 0.01  # roundings that change P by so much of what makes it singular
MANY = 10  # DoFs, beyond which so many roundings are allowed for each of them


class Spectrum:
    """What eigenvalues are to be listed, and which double may stand for which of them.

    has_exact_zeros: what is listed for zero is zero, or within its stated uncertainty; rounding is no excuse.
    """

    def __init__(self, roots, pencil=None, is_rounded=False, has_exact_zeros=False):
        self.roots, self.pencil, self.is_rounded = roots, pencil, is_rounded
        self.has_exact_zeros = has_exact_zeros
        self._gaps = {}

    @property
    def n_finite(self):
        return sum(root.multiplicity for root in self.roots)

    def gap(self, root):
        """The distance to the nearest other root."""
        if id(root) not in self._gaps:
            others = [other.value for other in self.roots if other is not root]
            self._gaps[id(root)] = min((abs(other - root.value) for other in others), default=math.inf)
        return self._gaps[id(root)]

    def stands_for(self, z, root, uncertainty=0.0):
        distance = abs(z - root.value)
        if distance <= TOLERANCE * abs(root.value):
            return True
        if self.pencil is None:
            return distance <= uncertainty
        if distance <= uncertainty and distance <= self.pencil.uncertainty(root):
            return True
        if root.value == 0 and self.has_exact_zeros:
            return False
        block = self.pencil.largest_block(root)
        if root.value != 0 and not self.is_rounded and block == 1:
            return False
        gap = self.gap(root)
        if root.value == 0 and block > 1 and gap < math.inf and distance <= BACKWARD ** (1 / block) * gap:
            return True
        return distance <= gap / 10 and self.pencil.backward_error(z) <= BACKWARD


def match(listed, spectrum, required, allowed, uncertainties):
    """Which root each listed value stands for, no root more often than its multiplicity. A value that agrees
    with a root stands for it, as long as the root is free. Augmenting paths place the others, first at those
    roots that must be listed. Returns indices: the roots of listed values (None: of none),
    those of which too few were found, and which value could stand for which root."""
    places = [(r, k) for r, root in enumerate(spectrum.roots) if allowed[r] for k in range(root.multiplicity)]
    slots = [(r, required[r] > k) for r, k in places]
    slots.sort(key=lambda slot: not slot[1])
    fits = [[spectrum.stands_for(z, root, radius) for root in spectrum.roots]
            for z, radius in zip(listed, uncertainties)]
    of_value, of_slot = [None] * len(listed), [None] * len(slots)

    def augment_slot(slot, seen):
        values = [v for v in range(len(listed)) if v not in seen and fits[v][slots[slot][0]]]
        for value in sorted(values, key=lambda v: of_value[v] is not None):
            if value in seen:
                continue
            seen.add(value)
            if of_value[value] is None or augment_slot(of_value[value], seen):
                of_value[value], of_slot[slot] = slot, value
                return True
        return False

    def augment_value(value, seen):
        places = [s for s, (root, _) in enumerate(slots) if s not in seen and fits[value][root]]
        for slot in sorted(places, key=lambda s: of_slot[s] is not None):
            if slot in seen:
                continue
            seen.add(slot)
            if of_slot[slot] is None or augment_value(of_slot[slot], seen):
                of_value[value], of_slot[slot] = slot, value
                return True
        return False

    for value, z in enumerate(listed):
        off = {slot: abs(z - spectrum.roots[root].value) for slot, (root, _) in enumerate(slots)
               if of_slot[slot] is None and fits[value][root]}
        slot = min(off, key=off.get, default=None)
        if slot is not None and off[slot] <= TOLERANCE * abs(spectrum.roots[slots[slot][0]].value):
            of_value[value], of_slot[slot] = slot, value
    for slot, (_, is_required) in enumerate(slots):
        if is_required and of_slot[slot] is None:
            augment_slot(slot, set())
    for value in range(len(listed)):
        if of_value[value] is None:
            augment_value(value, set())
    missing = [slots[slot][0] for slot in range(len(slots)) if slots[slot][1] and of_slot[slot] is None]
    return [None if slot is None else slots[slot][0] for slot in of_value], missing, fits


def text(z):
    return f"{z.real:.10g}{z.imag:+.10g}i"


def value_findings(listed, roots_of, fits, spectrum, allowed):
    """What is wrong with values that stand for no root."""
    findings = []
    smallest = min((abs(root.value) for root in spectrum.roots if root.value != 0), default=math.inf)
    for z, root, fit in zip(listed, roots_of, fits):
        if root is not None:
            continue
        nearest = min(spectrum.roots, key=lambda r: abs(r.value - z), default=None)
        where = f"; nearest is {nearest}" if nearest else "; there are no finite eigenvalues"
        if any(fit[r] for r in range(len(fit)) if not allowed[r]):
            findings.append(("not nearest", f"{text(z)} is listed, and nearer ones exist"))
        elif any(fit):
            findings.append(("duplicate", f"{text(z)} is listed too often{where}"))
        elif z == 0:
            findings.append(("false zero", f"zero is listed{where}"))
        elif nearest and nearest.value == 0 and abs(z) < 1e-9 * smallest:
            findings.append(("rounding for zero", f"{text(z)} is listed{where}"))
        else:
            findings.append(("value", f"{text(z)} is no eigenvalue{where}"))
    return findings


def judge_all(listed, spectrum, uncertainties=None):
    """A list of all eigenvalues."""
    uncertainties = padded(uncertainties, len(listed))
    multiplicities = [root.multiplicity for root in spectrum.roots]
    allowed = [True] * len(spectrum.roots)
    roots_of, missing, fits = match(listed, spectrum, multiplicities, allowed, uncertainties)
    findings = value_findings(listed, roots_of, fits, spectrum, allowed)
    findings += [("missing", f"{spectrum.roots[r]!r} is missing") for r in missing]
    if len(listed) != spectrum.n_finite and not findings:
        findings.append(("count", f"{len(listed)} are listed, {spectrum.n_finite} exist"))
    return findings


def judge_values(listed, spectrum, uncertainties=None):
    """A list that need not be complete."""
    allowed, required = [True] * len(spectrum.roots), [0] * len(spectrum.roots)
    roots_of, _, fits = match(listed, spectrum, required, allowed, padded(uncertainties, len(listed)))
    return value_findings(listed, roots_of, fits, spectrum, allowed)


def with_merged_zeros(listed, spectrum, uncertainties, most=math.inf):
    """The spectrum with one zero for all roots, the slowest `most` of them, that a listed zero may stand for by
    its stated uncertainty and that no other value stands for. Which of them are the nearest to a shift does
    not matter then."""
    radius = max((u for z, u in zip(listed, uncertainties) if z == 0), default=0)
    others = [z for z in listed if z != 0]
    merged = [root for root in spectrum.roots if spectrum.stands_for(0, root, radius)
              and not any(spectrum.stands_for(z, root) for z in others)]
    merged.sort(key=lambda root: abs(root.value))
    while sum(root.multiplicity for root in merged) > most:
        merged.pop()
    if radius == 0 or not any(root.value != 0 for root in merged):
        return spectrum
    zero = copy.copy(min(merged, key=lambda root: abs(root.value)))
    zero.value, zero.multiplicity = 0j, sum(root.multiplicity for root in merged)
    rest = [root for root in spectrum.roots if root not in merged]
    return Spectrum(rest + [zero], spectrum.pencil, spectrum.is_rounded, spectrum.has_exact_zeros)


def judge_nearest(listed, spectrum, count, shift, uncertainties=None):
    """A list of the `count` eigenvalues nearest to the shift, conjugates besides. Zeros may stand for single
    eigenvalues, for all that their uncertainty reaches, or for so many as are listed."""
    uncertainties = padded(uncertainties, len(listed))
    n_zeros = sum(z == 0 for z in listed)
    return min((findings_nearest(listed, with_merged_zeros(listed, spectrum, uncertainties, most), count, shift,
                                 uncertainties) for most in (0, math.inf, n_zeros)), key=len)


def findings_nearest(listed, spectrum, count, shift, uncertainties):
    roots = spectrum.roots
    distances = [abs(root.value - shift) for root in roots]
    count = min(count, spectrum.n_finite)
    in_order = sorted(d for d, root in zip(distances, roots) for _ in range(root.multiplicity))
    rim = in_order[count - 1] if count > 0 else -1.0
    sizes = [abs(root.value) for root, d in zip(roots, distances) if d <= rim]
    slack = RIM * rim + 4 * EPSILON * max(sizes + [abs(shift)])
    conjugates = [min(range(len(roots)), key=lambda s, r=r: abs(roots[s].value - roots[r].value.conjugate()))
                  for r in range(len(roots))]
    inside = [d < rim - slack for d in distances]
    near = [d <= rim + slack for d in distances]
    required = [roots[r].multiplicity if inside[r] or inside[conjugates[r]] else 0 for r in range(len(roots))]
    allowed = [near[r] or near[conjugates[r]] for r in range(len(roots))]
    roots_of, missing, fits = match(listed, spectrum, required, allowed, uncertainties)
    findings = [("missing", f"{roots[r]!r} is missing, {distances[r]:.6g} from the shift of {rim:.6g}")
                for r in missing]
    findings += value_findings(listed, roots_of, fits, spectrum, allowed)
    if findings:
        return findings
    found = sum(near[r] for r in roots_of)
    if found < count:
        findings.append(("missing", f"{found} of the {count} nearest are listed"))
    if len(listed) > 2 * max(count, 1):
        findings.append(("count", f"{len(listed)} are listed where {count} nearest were asked for"))
    for r in set(roots_of):
        if roots_of.count(r) != roots_of.count(conjugates[r]) and roots[r].value.imag != 0:
            findings.append(("conjugate", f"{roots[r]!r} and its conjugate are not listed equally often"))
    return findings


def padded(numbers, n):
    numbers = [0.0 if u is None else float(u) for u in numbers or []]
    return (numbers + [0.0] * n)[:n]


def complex_of(value):
    """[re, im] or a number, as JSON holds it."""
    parts = value if isinstance(value, list) else [value]
    return complex(*(math.nan if part is None else part for part in parts))  # null: not finite


def have_a_pair(after, before, uncertainties):
    """Whether any value of one list is near one of the other."""
    return any(abs(a - b) <= 0.01 * max(abs(a), abs(b)) + radius
               for a, radius in zip(after, uncertainties) for b in before)


def judge_modes(json, spectrum, run):
    """What `modes --json` has written, for a run with `count` and `shift`, or without: all."""
    after = [complex_of(v) for v in json["after"]["finite"]]
    before = [complex_of(v) for v in json["before"]["finite"]]
    uncertainties = json.get("uncertainties", [])
    if json.get("agreed") and not after and spectrum.n_finite > 0:
        return [("empty", f"an empty list agrees, but {spectrum.n_finite} finite eigenvalues exist")]
    if json.get("agreed") and after and not have_a_pair(after, before, padded(uncertainties, len(after))):
        return [("nothing compared", f"{len(after)} values agree with {len(before)} before, none near")]
    of_list_before = uncertainties
    if spectrum.has_exact_zeros:
        of_zeros = [u for z, u in zip(after, padded(uncertainties, len(after))) if abs(z) <= u]
        of_list_before = [max([u] + of_zeros) for u in padded(uncertainties, len(before))]
    certificate = json.get("certificate")
    if certificate and certificate["counted"] is not None and json.get("agreed"):
        # What the rim may touch, by its uncertainty, may count or not.
        center, radius = complex(run.get("shift", 0)), certificate["radius"]
        least, most = (sum(root.multiplicity for root in spectrum.roots
                           if abs(root.value - center) < radius + sign * 1e-6 * radius) for sign in (-1, 1))
        if not least <= certificate["counted"] <= most:
            return [("certificate", f"{certificate['counted']} are counted within {radius}, exact {least} to {most}")]
    if "count" in run:
        shift = run["shift"]  # whatever shift was used: the list is nearest to the one that was asked for
        findings = judge_nearest(after, spectrum, run["count"], shift, uncertainties)
        of_before = judge_values(before, spectrum, of_list_before)
    else:
        findings = judge_all(after, spectrum, uncertainties)
        of_before = judge_all(before, spectrum, of_list_before)
    return [("after: " + a, b) for a, b in findings] + [("before: " + a, b) for a, b in of_before]


def judge_inspect(json, pencil):
    """What `inspect --json` has written. None stands for what was not determined, which is right."""
    findings = []
    expected = "regular" if pencil.is_regular else "singular"
    if json["pencil"] != expected:
        return [("pencil", f"the pencil is called {json['pencil']}, but it is {expected}")]
    if not pencil.is_regular:
        return []
    n_finite, n_infinite = pencil.n_finite, 2 * pencil.n - pencil.n_finite
    # Said to be finite with the entries as they stand, where these have many digits.
    n_rounded = json.get("n_rounded", 0) if pencil.significant_bits() > 48 else 0
    if json.get("n_finite") == n_finite - n_rounded:
        n_finite, n_infinite = n_finite - n_rounded, n_infinite + n_rounded
    for key, value in (("n_finite", n_finite), ("n_infinite", n_infinite)):
        if json.get(key) is not None and json[key] != value:
            findings.append((key, f"{key} is {json[key]}, exact {value}"))
    if all(json.get(key) is None for key in ("index", "index_companion", "largest_index")):
        return findings
    halves, companion = pencil.index()
    if json.get("index") is not None and json["index"] not in halves:
        findings.append(("index", f"the index is given as {json['index']}, exact {sorted(halves)}"))
    if json.get("index_companion") is not None and json["index_companion"] != companion:
        findings.append(("index_companion", f"with all rates: {json['index_companion']}, exact {companion}"))
    if json.get("largest_index") is not None and json["largest_index"] < companion:
        findings.append(("largest_index", f"it is bounded by {json['largest_index']}, exact {companion}"))
    return findings


def product(*matrices):
    """Of matrices of doubles."""
    result = matrices[0]
    for other in matrices[1:]:
        columns = list(zip(*other))
        result = [[sum(a * b for a, b in zip(row, column)) for column in columns] for row in result]
    return result


def magnitudes(rows):
    return [[abs(v) for v in row] for row in rows]


class Exact:
    """P(s)^-1 and det P(s) at one point, and how much roundings of the entries of P change them: OF_MODEL of
    each entry, and OF_RESULT of the largest ones in its row and column."""

    def __init__(self, pencil, s, size):
        self.determinant = pencil.determinant_at(s)
        self.inverse = pencil.inverse(s)
        self.H, self.W = absolute(self.inverse), pencil.weight(size)
        rows, columns = equilibrated(self.W)
        self.of_rows = [sum(h * r for h, r in zip(row, rows)) for row in self.H]
        self.of_columns = [sum(c * h for c, h in zip(columns, column)) for column in zip(*self.H)]
        self.change_of_determinant = sum(h * w for column, row in zip(zip(*self.H), self.W)
                                         for h, w in zip(column, row))
        self._rows = {}

    def largest_of(self, i):
        """The largest transfer function to DoF i."""
        return max(self.H[i])

    def largest(self, n):
        """The largest transfer function between the first n DoFs."""
        return max((h for row in self.H[:n] for h in row[:n]), default=0.0)

    def is_singular_to_rounding(self):
        """Whether roundings of its entries may make P(s) singular, or nearly so: no first-order change then
        tells what they do."""
        return EPSILON * max(sum(h * w for h, w in zip(row, column)) for row, column in
                             zip(self.H, zip(*self.W))) >= NEARLY_SINGULAR

    def change(self, i, j):
        """Of entry (i, j) of P(s)^-1."""
        if i not in self._rows:
            self._rows[i] = product([self.H[i]], self.W)[0]
        through = sum(v * row[j] for v, row in zip(self._rows[i], self.H))
        n = len(self.H)
        dense = OF_RESULT * (n if n > MANY else 1) * self.of_rows[i] * self.of_columns[j]
        return EPSILON * (OF_MODEL * through + dense)


def judge_transfer(found, exact, rows, columns, at, extra=None):
    """Entries of a transfer function, numbers of PARI, against those of the exact one at rows x columns."""
    findings = []
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            value = exact.inverse[row, column]
            limit = TOLERANCE * float(value.abs(precision=DIGITS_BITS)) + exact.change(row, column)
            limit += extra[i][j] if extra else 0
            off = float((found[i][j] - value).abs(precision=DIGITS_BITS))
            if not off <= limit:
                z = complex(float(value.real()), float(value.imag()))
                w = complex(float(found[i][j].real()), float(found[i][j].imag()))
                entry = f"entry ({row}, {column}) of H at {at}"
                findings.append(("transfer", f"{entry} is {text(w)}, exact {text(z)}"))
    return findings


def loads_left_out(message):
    """DoFs whose loads the program says it does not represent; None if it does not name all of them."""
    dofs = set()
    said = r"(?:[Ll]oads on|loads without a part in|A force was to act on) .*?(?<!\.)\.(?=\s|$)"
    for sentence in re.findall(said, message, re.S):
        if "..." in sentence:
            return None
        dofs |= {int(i) for i in re.findall(r"DoF (\d+)", sentence)}
    return dofs


def stated_error(places, modulus, largest_here):
    """The error of an output at an s of some modulus, where its transfer functions are at most `largest_here`, by what
    is stated for the places s below and above it: it scales with them, unless all of them are said to be no larger."""
    below, above = [p for p in places if p[0] <= modulus], [p for p in places if p[0] > modulus]
    beside = sorted(below)[-1:] + sorted(above)[:1]
    return max((error * largest_here / largest if largest > error else error for _, largest, error in beside),
               default=0.0)


def judge_reduced(answer, left_out, pencil, free, points):
    """A, B, C_o, D_o (E, D_o_rate), and outputs as assembled DoFs, against the pencil of the DoFs `free`."""
    findings = []
    matrices, outputs, zero_columns = answer["matrices"], answer["outputs"], answer["constrained"]
    B, n = matrices["B"], len(matrices["A"])
    if n != pencil.n_finite:
        return [("states", f"{n} states are kept, but {pencil.n_finite} finite eigenvalues exist")]
    place = {dof: i for i, dof in enumerate(free)}
    columns = [j for j in range(len(B[0]) if B else 0) if j in place and j not in left_out]
    judged = [j for j in columns if j not in zero_columns]
    for j in zero_columns:
        if any(row[j] for row in B):
            findings.append(("B", f"column {j} of B is said to be zero, but is not"))
    results = []
    for s, size in points:
        exact = Exact(pencil, s, size)
        try:
            result = Result(matrices, n, s)
        except PariError:
            return [("eigenvalues", f"{s} is an eigenvalue of the result, but not of the model")]
        results.append((exact, result))
        if not outputs or not judged or "C_o" not in matrices:
            continue
        moving = [i for i, dof in enumerate(outputs) if dof in place]  # clamped ones do not
        found = [[result.entry(i, j) for j in judged] for i in moving]
        rows = [place[outputs[i]] for i in moving]
        stated = [stated_error(answer["errors"][i], size, exact.largest_of(row)) for i, row in zip(moving, rows)]
        most = MOST_STATED * exact.largest(len(free))
        extra = [[result.change[i][j] + (OF_STATED * e if e <= most else 0) for j in judged]
                 for i, e in zip(moving, stated)]
        findings += judge_transfer(found, exact, rows, [place[j] for j in judged], s, extra)
    (a, x), (b, y) = results[:2]
    off = math.inf
    if y.determinant != 0:
        ratio = (x.determinant * b.determinant) / (y.determinant * a.determinant)
        off = float((ratio - 1).abs(precision=DIGITS_BITS))
    limit = TOLERANCE + OF_MODEL * EPSILON * (a.change_of_determinant + b.change_of_determinant)
    limit += OF_RESULT * EPSILON * (x.change_of_determinant + y.change_of_determinant)
    if not off <= limit:
        findings.append(("eigenvalues", f"det(s E - A) is not in proportion to det P(s): off by {off:.3g}"))
    return findings


class Result:
    """C_o (s E - A)^-1 B + D_o + s D_o_rate and det (s E - A) of written matrices."""

    def __init__(self, matrices, n, s):
        self.determinant, self.change_of_determinant = ONE, 0.0
        self.D, self.D_rate, self.s = matrices.get("D_o"), matrices.get("D_o_rate"), s
        B, C = matrices["B"], matrices.get("C_o")
        self.through = None
        self.change = [[0.0] * len(self.D[0]) for _ in self.D] if self.D else None
        if n == 0:
            return
        A = rational_matrix(matrices["A"])
        E = rational_matrix(matrices["E"]) if "E" in matrices else pari.matid(n)
        S = (E * s - A) * ONE
        self.determinant = S.matdet()
        inverse = S ** -1
        R = absolute(inverse)
        size = float((s * ONE).abs(precision=DIGITS_BITS))
        W = [[abs(a) + (size * abs(e) if "E" in matrices else 0) for a, e in zip(*rows)]
             for rows in zip(matrices["A"], matrices.get("E", matrices["A"]))]
        self.change_of_determinant = sum(R[j][i] * W[i][j] for i in range(n) for j in range(n))
        if C:
            self.through = rational_matrix(C) * inverse * rational_matrix(B)
            change = product(magnitudes(C), R, W, R, magnitudes(B))
            self.change = [[OF_RESULT * EPSILON * v for v in row] for row in change]

    def entry(self, i, j):
        value = self.through[i, j] if self.through is not None else pari(0)
        if self.D:
            value = value + rational(self.D[i][j])
        if self.D_rate:
            value = value + rational(self.D_rate[i][j]) * self.s
        return value * ONE


def judge_response(rows, header, left_out, pencil, free):
    """The table of `response` of displacements, before and after."""
    findings = []
    place = {dof: i for i, dof in enumerate(free)}
    columns = [(re.match(r"Re q_(\d+)/f_(\d+)( before)?", name), k) for k, name in enumerate(header)]
    stated = {name[len("error of "):].split(" ")[0]: k for k, name in enumerate(header)
              if name.startswith("error of ")}
    for row in rows:
        omega = rational(row[0]) * 2 * pari.pi(precision=DIGITS_BITS)
        try:
            exact = Exact(pencil, omega * pari("I"), float(omega))
        except PariError:  # an eigenvalue: there is no response
            continue
        for name, k in columns:
            output, load = (int(name[1]), int(name[2])) if name else (None, None)
            if output not in place or load not in place or load in left_out:
                continue
            side = "before: " if name[3] else "after: "
            if not math.isfinite(row[k] + row[k + 1]):
                findings.append((side + "transfer", f"the response at {row[0]:.6g} Hz is not finite"))
                continue
            found = number(complex(row[k], row[k + 1])) * ONE
            error = row[stated[f"q_{output}/f_{load}"]]
            is_excuse = error <= MOST_STATED * exact.largest(len(free)) or exact.is_singular_to_rounding()
            extra = error if is_excuse else 0
            of_entry = judge_transfer([[found]], exact, [place[output]], [place[load]], f"{row[0]:.6g} Hz",
                                      [[extra]])
            findings += [(side + label, what) for label, what in of_entry]
    return findings
