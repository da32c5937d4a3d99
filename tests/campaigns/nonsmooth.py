# SPDX-License-Identifier: LGPL-2.1-or-later
"""Random small models with friction and contact through the program, held against steps that try every state.

    nonsmooth.py PROGRAM RESULTS [n] [seed] [options]
"""

import argparse
import collections
import copy
import multiprocessing
import os
import random
import re
import shutil
import sys
import time
import traceback

import nonsmooth_families
import nonsmooth_self_test
from enumerating import Indeterminate, Reference
from linear import Tally, Worker, failures, print_causes, print_table, start
from program import Program

METHODS = ["implicit-euler", "moreau-jean", "generalized-alpha", "event-driven", "memory"]
STEPS, REFERENCE_STEPS = (25, 50), 50  # between two rows; the reference halves its own twice
SHORTER, TOO_LONG = (100, 200), "--step-tolerance"  # where --verify says that steps are too long
SAME_DIGITS, LEAST = 1e-7, 2e-3  # relative differences: between units, and what is no finding without a doubt
MOST_SHRUNK, SECONDS = 1, 20
# What a method says that it does not do, or that nobody can do.
TRUE_REASONS = ("without Coulomb", "Coulomb friction", "does not take", "cannot take", "needs inclusions",
                "no equation of the contacts only", "depend on each other", "linearly dependent", "contradict",
                "Only a linear system", "state force of this system changes")


class Family:
    lenient = False

    def __init__(self, make):
        self.make, self.name = make, make.__name__


FAMILIES = [Family(make) for make in nonsmooth_families.ALL]


class Posed:
    """A model with a method, a step and units, as program.py wants it."""

    def __init__(self, case, method, n_steps, units=(1.0, 1.0, 1.0)):
        self.case, self.method, self.n_steps, self.units = case, method, n_steps, units

    def write(self, folder):
        return self.case.written(folder, self.method, self.n_steps, self.units)

    def ask(self, program):
        """The outcome, and displacements in the units of the reference."""
        outcome = program.call({"verb": "simulate"}, self)
        if outcome.answer is None:
            return outcome, None
        header, table = outcome.answer
        columns = [header.index(f"q[{i}]") for i in range(len(self.case.K))]
        return outcome, [[row[k] / self.units[0] for k in columns] for row in table]


def difference(one, other):
    if len(one) != len(other):
        return float("inf")
    return max(abs(a - b) if a == a and b == b else float("inf") for x, y in zip(one, other)
               for a, b in zip(x, y))


def judged(reference, coarse, fine):
    """Whether a method tends to the reference: it may be off by what halving its step changes, twice over
    (first order leaves as much again), by the reference's own uncertainty, and by rows beside a jump."""
    off = difference(fine, reference.rows)
    allowed = 3 * difference(coarse, fine) + 3 * reference.uncertainty + LEAST * reference.scale
    if off <= allowed:
        return None
    return f"off by {off:.3g} of {reference.scale:.3g}, where {allowed:.3g} is explained"


def first_error(outcome):
    lines = [line for line in outcome.messages.splitlines() if "warning" not in line and line.strip()]
    sentence = lines[0].removeprefix("halfdof: ") if lines else "without a word"
    return re.sub(r"-?\d[\d.]*(e[-+]\d+)?", "#", sentence)[:90]


def verdict(outcome, rows):
    """Status and text of a run that gave no motion that counts; None where it did."""
    if outcome.crashed:
        return "crashed", f"exit code {outcome.code}", outcome.messages[-300:]
    if outcome.code == 0 and rows is not None:
        return None
    true = any(reason in outcome.messages for reason in TRUE_REASONS)
    return "rightly refused" if true else "refused", first_error(outcome), outcome.messages[-300:]


def run_method(case, reference, method, program, units):
    """Reports (status, verb, label, text) of one method: two steps, then the finer one in other units. Where
    --verify calls these too long, only the answers of shorter ones count; so it is where the limit seems to be
    another one, since a limit does not depend on the steps: impacts that almost coincide let their errors fall
    irregularly."""
    is_driven = method == "event-driven"
    reports = run_steps(case, reference, method, (50, 50) if is_driven else STEPS, program, units)
    status, _, label, text = reports[0]
    if status == "refused" and TOO_LONG in text or label == "another limit" and not is_driven:
        return run_steps(case, reference, method, SHORTER, program, units)
    return reports


def run_steps(case, reference, method, steps, program, units):
    found, tables = [], []
    for n_steps in steps if steps[0] != steps[1] else steps[:1]:
        outcome, rows = Posed(case, method, n_steps).ask(program)
        refused = verdict(outcome, rows)
        if refused:
            tells = rows and len(rows) == len(reference.rows)
            off = difference(rows, reference.rows) / reference.scale if tells else None
            known = f"; the motion is off by {off:.2g} of its largest displacement" if tells else ""
            return [(refused[0], method, refused[1], refused[2] + known)]
        tables.append(rows)
    text = judged(reference, tables[0], tables[-1])
    found.append(("wrong", method, "another limit", text) if text else ("right", method, "", ""))
    outcome, rows = Posed(case, method, steps[-1], units).ask(program)
    refused = verdict(outcome, rows)
    if refused:
        return found + [("wrong", method, "in other units: " + refused[1], f"{units}: {refused[2]}")]
    off = difference(rows, tables[-1])
    if off > SAME_DIGITS * reference.scale:
        found.append(("wrong", method, "other digits in other units", f"{units}: off by {off:.3g}"))
    return found


def case_of(family, number, seed):
    rng = random.Random(f"{seed}:{family.name}:{number}")
    case = family.make(rng)
    units = tuple(2.0 ** rng.choice([-40, -20, 0, 20, 40]) for _ in range(3))
    return case, units


def reports_of(case, units, program, methods):
    try:
        reference = Reference(case, REFERENCE_STEPS)
    except Indeterminate:
        return []
    if not reference.is_certain:
        return []
    return [r for method in methods for r in run_method(case, reference, method, program, units)]


def smaller(case):
    """Candidates: a law or a load less, then a DoF without mass or damper, whole numbers."""
    for name in ("laws", "loads", "elements"):
        least = 0 if name == "elements" else 1
        for k in range(len(getattr(case, name)) if len(getattr(case, name)) > least else 0):
            candidate = copy.deepcopy(case)
            del getattr(candidate, name)[k]
            yield candidate
    n = len(case.K)
    for i in range(n if n > 1 else 0):
        candidate = copy.deepcopy(case)
        for matrix in (candidate.M, candidate.C, candidate.K):
            del matrix[i]
            for row in matrix:
                del row[i]
        for law in candidate.laws:
            for column in law["columns"]:
                del column[i]
        for element in candidate.elements:
            del element["column"][i]
        candidate.elements = [e for e in candidate.elements if any(e["column"])]
        candidate.loads = [(w[:i] + w[i + 1:], f) for w, f in candidate.loads]
        if all(any(c) for law in candidate.laws for c in law["columns"]):
            yield candidate
    for name in "MCK":
        for i in range(n):
            for j in range(i + 1):
                value = getattr(case, name)[i][j]
                for new in (0.0, 1.0) if value not in (0.0, 1.0) and name != "K" or i != j else (1.0,):
                    if value in (0.0, new):
                        continue
                    candidate = copy.deepcopy(case)
                    getattr(candidate, name)[i][j] = getattr(candidate, name)[j][i] = new
                    yield candidate


def shrunk(case, units, report, program):
    deadline, changed = time.time() + SECONDS, True
    while changed and time.time() < deadline:
        changed = False
        for candidate in smaller(case):
            if time.time() > deadline:
                break
            again = reports_of(candidate, units, program, [report[1]])
            if any(r[:3] == report[:3] for r in again):
                case, changed = candidate, True
                break
    return case


def keep(report, case, units, program, folder, kept):
    """The case as it was and as small as the failure allows; each with the reference's rows."""
    key = report[:3]
    kept[key] += 1
    if report[0] not in ("wrong", "crashed") or kept[key] > 12:
        return
    folder += "-" + report[1]
    write(report, case, units, folder)
    if kept[key] <= MOST_SHRUNK:
        small = shrunk(case, units, report, program)
        write(report, small, units, os.path.join(folder, "shrunk"))


def write(report, case, units, folder):
    os.makedirs(folder, exist_ok=True)
    Posed(case, report[1], STEPS[-1], units if "units" in report[2] else (1.0, 1.0, 1.0)).write(folder)
    with open(os.path.join(folder, "found.txt"), "w") as file:
        file.write("\n".join(map(str, report)) + "\n")
        for k, row in enumerate(Reference(case, REFERENCE_STEPS).rows):
            file.write(f"{case.end * k / case.n_rows!r} {row}\n")


def do(task):
    family, number, methods = task
    name = f"{family}-{number}"
    if Worker.deadline and time.time() > Worker.deadline:
        return None
    try:
        case, units = case_of(next(f for f in FAMILIES if f.name == family), number, Worker.seed)
        reports = reports_of(case, units, Worker.program, methods)
        for report in reports:
            keep(report, case, units, Worker.program, os.path.join(Worker.results, name), Worker.kept)
        return family, name, reports, ""
    except Exception:  # the reference must not fail: it is told at the end
        return family, name, [], "".join(traceback.format_exc().splitlines(keepends=True)[-3:])


def main():
    parser = argparse.ArgumentParser(description="Random models with friction and contact")
    parser.add_argument("program")
    parser.add_argument("results")
    parser.add_argument("n", nargs="?", type=int, default=200)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--family", choices=[f.name for f in FAMILIES])
    parser.add_argument("--case", type=int)
    parser.add_argument("--methods", nargs="+", default=METHODS, choices=METHODS)
    parser.add_argument("--seconds", type=float, help="no new case begins after this time")
    parser.add_argument("--timeout", type=float, default=20, help="of one run of the program [s]")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only-wrong", action="store_true", help="refusals do not count as failures")
    parser.add_argument("--self-test", action="store_true", help="only the solver and its judge")
    options = parser.parse_args()
    nonsmooth_self_test.run()
    if options.self_test:
        return 0
    options.program = os.path.abspath(options.program)
    families = [f for f in FAMILIES if options.family in (None, f.name)]
    if options.case is not None:
        case, units = case_of(families[0], options.case, options.seed)
        reports = reports_of(case, units, Program(options.program, options.timeout), options.methods)
        print("\n".join(map(str, reports)) or "nothing is judged: the reference does not converge")
        return int(any(r[0] in ("wrong", "crashed") for r in reports))
    return campaign(options, families)


def campaign(options, families):
    results = os.path.join(options.results, f"nonsmooth-{options.seed}")
    shutil.rmtree(results, ignore_errors=True)
    os.makedirs(results)
    begin = time.time()
    deadline = begin + options.seconds if options.seconds else None
    tasks = [(families[k % len(families)].name, k // len(families), options.methods)
             for k in range(options.n)]
    tallies, causes, broken, unjudged = collections.defaultdict(Tally), collections.defaultdict(list), [], 0
    of_workers = (options.program, results, options.seed, deadline, options.timeout)
    with multiprocessing.Pool(options.processes, start, of_workers) as pool:
        for answer in filter(None, pool.imap_unordered(do, tasks)):
            family, name, reports, failure = answer
            if failure:
                broken.append((name, failure))
            elif not reports:
                unjudged += 1
            else:
                tallies[family].add(reports)
            for status, verb, label, _ in reports:
                if status != "right":
                    causes[status, verb, label].append(name)
    done = unjudged + len(broken) + sum(tally.cases for tally in tallies.values())
    print(f"{done} cases of seed {options.seed} in {time.time() - begin:.0f} s; {unjudged} are not judged, "
          "as their motion is too sensitive or has no solution\n")
    with open(os.path.join(results, "table.md"), "w") as file:
        for out in (sys.stdout, file):
            print_table(tallies, out, FAMILIES)
            print_causes(causes, out)
    for name, failure in broken[:5]:
        print(f"\nThe reference failed for {name}:\n{failure}")
    found = failures(tallies, FAMILIES)
    if options.only_wrong:
        found = [sentence for sentence in found if "falsely" not in sentence]
    found += [f"the reference failed for {len(broken)} cases"] if broken else []
    print("\n".join("FAILED: " + sentence for sentence in found))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
