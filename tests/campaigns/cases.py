# SPDX-License-Identifier: LGPL-2.1-or-later
"""One case: a model, its exact reference, what the program is asked, and the verdicts."""

import math
import random
import re

import judge
from exact import DIGITS_BITS, ONE, Pencil, Root, number, pari, rational
from program import arguments_of


CONSEQUENCES = ("rounding for zero", "count", "missing")  # they may stand beside a heavier finding


class References:
    """The spectrum of a model as it is given and, where it was rounded, as it was before: either will do."""

    def __init__(self, model):
        self.spectra, self.pencils, self.is_regular = [], [], True
        if model.roots:
            self.pencil = self.free = None
            n, k, beta, free = model.roots[1:]
            self.spectra.append(judge.Spectrum(chain_roots(n, k, beta, free), ChainPencil(k, beta)))
            return
        matrices, self.free = model.pencil()
        self.pencil = model.reference or Pencil(*matrices)
        self.pencils.append(self.pencil)
        self.is_regular = self.pencil.is_regular
        if self.is_regular:
            exact_zeros = model.reference is not None
            self.spectra.append(judge.Spectrum(self.pencil.roots, self.pencil, has_exact_zeros=exact_zeros))
        else:
            roots = self.pencil.roots_of_motion()
            if roots is not None:
                self.spectra.append(judge.Spectrum(roots))
        if model.nominal is not None:
            before = Pencil(*model.nominal)
            self.pencils.append(before)
            if before.is_regular:
                given = self.pencil if self.is_regular else before
                self.spectra.append(judge.Spectrum(before.roots, given, is_rounded=True))
            self.is_regular = self.is_regular and before.is_regular

    def description(self):
        if not self.is_regular:
            return "singular"
        parts = [f"{spectrum.n_finite} finite: {spectrum.roots}" for spectrum in self.spectra]
        if self.pencil is not None:
            halves, companion = self.pencil.index()
            parts.append(f"index {sorted(halves)}, companion {companion}")
        return "; or before rounding: ".join(parts[:-1]) + "; " + parts[-1] if len(parts) > 1 else parts[0]


class ChainPencil:
    """Of a chain of equal masses: its rigid motion moves as x^2 + O(rounding of 4 k (1 + beta x)) = 0."""

    def __init__(self, k, beta):
        self.k, self.beta = k, beta

    def uncertainty(self, root):
        return math.inf

    def largest_block(self, root):
        return root.multiplicity

    def backward_error(self, z):
        return abs(z) ** 2 / (4 * self.k * (1 + self.beta * abs(z)))


def chain_roots(n, k, beta, free):
    """x^2 + beta mu x + mu = 0 with mu = 4 k sin^2(j pi / (2 n)), or (2 n + 2) between walls."""
    half, intervals = pari.pi(precision=DIGITS_BITS) / 2, n if free else n + 1
    roots = []
    for j in range(0 if free else 1, n if free else n + 1):
        if j == 0:
            roots.append(Root(0, 2))
            continue
        mu = 4 * rational(k) * (half * j / intervals).sin(precision=DIGITS_BITS) ** 2
        p = rational(beta) * mu / 2 * ONE
        rest = p * p - mu
        if rest >= 0:
            far = -p - rest.sqrt(precision=DIGITS_BITS)
            both = [far, mu / far]
        else:
            root = (-rest).sqrt(precision=DIGITS_BITS) * pari("I")
            both = [-p + root, -p - root]
        roots += [Root(complex(float(z.real()), float(z.imag())), 1, z) for z in both]
    return roots


class Report:
    """The verdict on one run: right, wrong, refused (falsely), rightly refused or crashed."""

    def __init__(self, run, status, label="", text="", outcome=None):
        self.run, self.status, self.label, self.text, self.outcome = run, status, label, text, outcome

    @property
    def verb(self):
        verb = self.run["verb"]
        if verb == "modes":
            return "modes --count" if "count" in self.run else "modes --all"
        return verb + (" --form " + self.run["form"] if verb == "reduce" else "")

    @property
    def command(self):
        if self.run["verb"] == "agreement":
            return "inspect, modes --all, reduce"
        return self.run["verb"] + " " + " ".join(arguments_of(self.run))


class Case:
    def __init__(self, family, number, seed):
        self.family, self.number = family, number
        rng = random.Random(f"{seed}:{family.name}:{number}")
        self.model = family.make(rng)
        self.references = References(self.model)
        self.runs = plan(rng, self.model, self.references)

    def run(self, program):
        outcomes = [program.call(run, self.model) for run in self.runs]
        reports = [judged(run, self.references, outcome) for run, outcome in zip(self.runs, outcomes)]
        return reports + agreement(reports)


MOST_CERTIFIED = 60  # DoFs of models whose lists are counted by the argument principle, too
MOST_STATES, MOST_DOFS = 110, 150  # of models whose transfer functions are judged


def plan(rng, model, references):
    """What is asked: inspect, modes in several ways, reduce in one form, response."""
    n = model.n
    spectrum = references.spectra[0] if references.spectra else None
    sizes = [abs(root.value) for root in spectrum.roots if root.value != 0] if spectrum else []
    runs = [{"verb": "inspect"}] if n <= 200 else []
    if n <= 400:
        runs.append({"verb": "modes", "all": n <= 200 and rng.random() < 0.8})
    else:
        runs.append({"verb": "modes", "count": 12, "shift": 0.0, "says_shift": False})
    kinds = rng.sample(["zero", "real", "complex", "complex"], 2)
    for kind in kinds:
        count = rng.randint(1, min(spectrum.n_finite + 1, 14)) if spectrum else 2
        runs.append({"verb": "modes", "count": count, "shift": shift(rng, kind, spectrum, sizes)})
    if n <= MOST_CERTIFIED:
        runs[-1]["certify"] = True
    if model.roots:
        return runs[:3]
    if model.reference and n > MOST_DOFS:
        return runs
    dofs = [i for i in range(n) if i not in model.constrained]
    massive = [i for i in dofs if any(row[i] for row in model.M)] or dofs
    form = rng.choice(["dense", "pencil"])
    observe = [] if rng.random() < (0.8 if form == "dense" else 0.2) else rng.sample(massive, 1)
    if model.reference:
        observe = rng.sample(massive, min(3, len(massive)))
    if not model.reference or spectrum.n_finite <= MOST_STATES:
        runs.append({"verb": "reduce", "form": form, "observe": observe})
    if massive:
        f = rng.choice(sizes or [1.0]) * rng.uniform(0.3, 0.9) / (2 * math.pi)
        outputs = rng.sample(massive, min(2, len(massive)))
        runs.append({"verb": "response", "input": rng.sample(dofs, 1), "output": outputs,
                     "from": f, "to": 1.7 * f})
    return runs


def shift(rng, kind, spectrum, sizes):
    if kind == "zero" or not sizes:
        return 0.0
    size = rng.choice(sizes)
    if kind == "real":
        return rounded(rng.choice([-1, -1, 1]) * size * rng.uniform(0.2, 2))
    root = rng.choice([root.value for root in spectrum.roots])
    if rng.random() < 0.5 and root != 0:
        z = root + abs(root) * complex(rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5))
    else:
        z = size * complex(rng.uniform(-1, 0.5), rng.uniform(-1, 1))
    return complex(rounded(z.real), rounded(z.imag))


def rounded(value):
    return float(f"{value:.3g}")


def points(spectrum):
    """Two points s, away from eigenvalues, and their sizes."""
    sizes = sorted(abs(root.value) for root in spectrum.roots if root.value != 0) or [1.0]
    found = []
    for size, direction in ((sizes[0], 1.37 + 0.61j), (sizes[len(sizes) // 2], 0.71 - 1.13j)):
        z = direction * 2.0 ** round(math.log2(size))
        while any(abs(z - root.value) < 0.02 * abs(z) for root in spectrum.roots):
            z *= 1.25 - 0.5j
        found.append((number(z), abs(z)))
    return found


def judged(run, references, outcome):
    """The report on one run."""
    if outcome.crashed:
        label = "no end" if outcome.code is None else f"exit code {outcome.code}"
        return Report(run, "crashed", label, outcome.messages.strip()[-300:], outcome)
    if outcome.code != 0:
        text = outcome.messages.strip()[-400:]
        status = "refused" if references.is_regular else "rightly refused"
        if run["verb"] == "response" and has_no_response(run, references, outcome):
            status = "rightly refused"
        if run.get("certify") and "rounding of the factorization hides the determinant" in outcome.messages:
            status = "rightly refused"  # the list is not contradicted, but it cannot be counted
        return Report(run, status, f"exit code {outcome.code}: " + cause(outcome.messages), text, outcome)
    if outcome.answer is None:
        return Report(run, "wrong", "no file", "exit code 0, and no answer was written", outcome)
    findings = findings_of(run, references, outcome)
    if not findings:
        return Report(run, "right", outcome=outcome)
    label = min((label for label, _ in findings), key=lambda label: (rank(label), label))
    return Report(run, "wrong", label, "; ".join(f"{a}: {b}" for a, b in findings[:8]), outcome)


def rank(label):
    return max((k + 1 for k, ending in enumerate(CONSEQUENCES) if label.endswith(ending)), default=0)


def cause(messages):
    """The error without its numbers, as short as it tells causes apart."""
    name = "halfdof: "
    lines = [line for line in messages.splitlines() if line.startswith(name) and "warning:" not in line]
    sentence = lines[0][len(name):] if lines else "without a word"
    return re.sub(r"-?\d[\d.]*(e[-+]\d+)?", "#", sentence)[:75]


def has_no_response(run, references, outcome):
    """Whether the response would be infinite, as far as doubles tell, or its load is one that is left out."""
    left_out = judge.loads_left_out(outcome.messages)
    if left_out is None or left_out.intersection(run["input"]):
        return True
    return any(pencil.backward_error(2j * math.pi * f) <= judge.BACKWARD
               for pencil in references.pencils for f in (run["from"], run["to"]))


def findings_of(run, references, outcome):
    verb = run["verb"]
    if verb == "inspect":
        if references.pencil is None:
            return []
        return fewest(judge.judge_inspect(outcome.answer, pencil) for pencil in references.pencils)
    if not references.spectra:
        return [("singular pencil", "an answer was given, but det P vanishes for every lambda")]
    if verb == "modes":
        return fewest(judge.judge_modes(outcome.answer, spectrum, run) for spectrum in references.spectra)
    if not references.pencil.is_regular:
        return []  # equations that follow from others: nothing determines the load's share
    readme = outcome.answer["readme"] if verb == "reduce" else ""
    left_out = judge.loads_left_out(outcome.messages + readme)
    if left_out is None:
        return []
    pencils = [pencil for pencil in references.pencils if pencil.is_regular]
    free, answer = references.free, outcome.answer
    if verb == "response":
        header, rows = answer
        return fewest(judge.judge_response(rows, header, left_out, pencil, free) for pencil in pencils)
    at = points(references.spectra[0])
    return fewest(judge.judge_reduced(answer, left_out, pencil, free, at) for pencil in pencils)


def fewest(all_findings):
    """Where one of several references is met, all is right; otherwise what is said of the first."""
    first = None
    for findings in all_findings:
        if not findings:
            return []
        first = first or findings
    return first or []


def agreement(reports):
    """inspect and the other verbs must not contradict each other about what applies."""
    inspected = [r.outcome.answer for r in reports if r.run["verb"] == "inspect" and r.outcome.code == 0]
    if not inspected or not inspected[0]:
        return []
    answer = inspected[0]
    has_method = answer["pencil"] == "regular" and answer.get("method") not in (None, "none")
    applies = answer.get("regular", False) or has_method
    for report in reports:
        verb, code = report.run["verb"], report.outcome.code
        if verb not in ("modes", "reduce") or code not in (0, 3) or applies == (code == 0):
            continue
        says = f"nothing applies, {verb} answers"
        if applies:
            says = f"{answer['method']} applies, {verb} refuses"
        return [Report({"verb": "agreement"}, "wrong", "inspect: " + says, report.text, report.outcome)]
    return []
