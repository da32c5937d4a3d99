# SPDX-License-Identifier: LGPL-2.1-or-later
"""Random families of small linear models through the program, every answer held against an exact reference.

    linear.py PROGRAM RESULTS [n] [seed] [options]
"""

import argparse
import collections
import multiprocessing
import os
import shutil
import signal
import sys
import time
import traceback

import keeping
import self_test
from cases import Case
from catalogue import FAMILIES
from program import TIMEOUT, Program

MOST_FALSE_REFUSALS = 0.01  # of the cases of a family that is not lenient


def schedule(n, only=None):
    """(family, number): round after round; rare families take part in some rounds only."""
    chosen, turn, counts = [], 0, collections.Counter()
    families = [f for f in FAMILIES if only is None or f.name == only]
    while len(chosen) < n:
        for family in families:
            if len(chosen) < n and (only or turn % 8 < family.often):
                chosen.append((family, counts[family.name]))
                counts[family.name] += 1
        turn += 1
    return chosen


class Worker:
    """What every process needs; set by start()."""

    program = results = deadline = seed = None
    kept = collections.Counter()


def start(path, results, seed, deadline, timeout):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.setrecursionlimit(10000)
    Worker.program, Worker.results = Program(path, timeout), results
    Worker.seed, Worker.deadline = seed, deadline


def do(task):
    """One case: its results, or None where time is up."""
    family, number = task
    if Worker.deadline and time.time() > Worker.deadline:
        return None
    name = f"{family.name}-{number}"
    try:
        case = Case(family, number, Worker.seed)
        reports = case.run(Worker.program)
        for report in reports:
            keeping.keep(report, case, Worker.program, os.path.join(Worker.results, name), Worker.kept)
        return family.name, name, [(r.status, r.verb, r.label, r.text) for r in reports], ""
    except Exception:  # the reference must not fail: it is told at the end
        return family.name, name, [], "".join(traceback.format_exc().splitlines(keepends=True)[-3:])


class Tally:
    """Counts of one family: cases, runs, and cases with at least one answer of a status."""

    def __init__(self):
        self.cases, self.runs, self.of_status = 0, 0, collections.Counter()

    def add(self, reports):
        self.cases += 1
        self.runs += len(reports)
        for status in {r[0] for r in reports}:
            self.of_status[status] += 1


def percent(part, whole):
    return f"{part} ({100 * part / whole:.1f} %)" if part else "0"


def print_table(tallies, out=sys.stdout, families=FAMILIES):
    head = ["family", "cases", "runs", "wrong with exit 0", "refused, falsely", "refused, rightly", "crashed"]
    rows = [head]
    total = Tally()
    for family in families:
        tally = tallies.get(family.name)
        if tally is None:
            continue
        rows.append([family.name + (" *" if family.lenient else "")] + row_of(tally))
        total.cases += tally.cases
        total.runs += tally.runs
        total.of_status.update(tally.of_status)
    rows.append(["all"] + row_of(total))
    widths = [max(len(row[k]) for row in rows) for k in range(len(head))]
    rules = ["-" * (widths[0] + 1) + "-"] + ["-" * (w + 1) + ":" for w in widths[1:]]
    for i, row in enumerate(rows):
        cells = [row[0].ljust(widths[0])] + [text.rjust(w) for text, w in zip(row[1:], widths[1:])]
        print("| " + " | ".join(cells) + " |", file=out)
        if i == 0:
            print("|" + "|".join(rules) + "|", file=out)
    if any(family.lenient for family in families):
        print("\n* Jordan blocks, rounded and nearly singular models: refusals do not count.", file=out)


def row_of(tally):
    n, count = tally.cases, tally.of_status
    return [str(n), str(tally.runs), percent(count["wrong"], n), percent(count["refused"], n),
            str(count["rightly refused"]), percent(count["crashed"], n)]


def print_causes(causes, out=sys.stdout):
    if causes:
        print("\nWhat was found, most frequent first:", file=out)
    for (status, verb, label), names in sorted(causes.items(), key=lambda item: -len(item[1]))[:60]:
        print(f"  {len(names):6d}  {status}: {verb}: {label}   for example {', '.join(names[:4])}", file=out)


def failures(tallies, families=FAMILIES):
    """Sentences about what must not be."""
    found = []
    for family in families:
        tally = tallies.get(family.name)
        if tally is None:
            continue
        for status in ("wrong", "crashed"):
            if tally.of_status[status]:
                found.append(f"{family.name}: {tally.of_status[status]} cases {status}")
        refused = tally.of_status["refused"]
        limit = MOST_FALSE_REFUSALS * max(tally.cases, 100)
        if not family.lenient and refused > limit:
            found.append(f"{family.name}: {refused} of {tally.cases} cases refused falsely")
    return found


def show_case(family, number, options):
    """Every answer of one case, in full."""
    case = Case(family, number, options.seed)
    print(f"{family.name}-{number}, seed {options.seed}")
    for name in "MCK":
        print(name, getattr(case.model, name))
    for name in ("constrained", "rate", "position"):
        if getattr(case.model, name):
            print(name, getattr(case.model, name))
    print("exact:", case.references.description())
    reports = case.run(Program(options.program, options.timeout))
    for report in reports:
        print(f"[{report.status}] {report.command}\n    {report.label} {report.text}")
    return int(any(report.status in ("wrong", "crashed") for report in reports))


def main():
    parser = argparse.ArgumentParser(description="Random families of linear models, held against exact ones")
    parser.add_argument("program")
    parser.add_argument("results")
    parser.add_argument("n", nargs="?", type=int, default=1000)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--family", choices=[f.name for f in FAMILIES])
    parser.add_argument("--case", type=int)
    parser.add_argument("--seconds", type=float, help="no new case begins after this time")
    parser.add_argument("--timeout", type=float, default=TIMEOUT, help="of one run of the program [s]")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--self-test", action="store_true", help="only the judges on hand-made answers")
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    sys.setrecursionlimit(10000)
    self_test.run()
    if options.self_test:
        return 0
    if options.case is not None:
        return show_case(next(f for f in FAMILIES if f.name == options.family), options.case, options)
    return campaign(options)


def campaign(options):
    results = os.path.join(options.results, f"linear-{options.seed}")
    shutil.rmtree(results, ignore_errors=True)
    os.makedirs(results)
    begin = last = time.time()
    deadline = begin + options.seconds if options.seconds else None
    tallies, causes, broken = collections.defaultdict(Tally), collections.defaultdict(list), []
    done = 0
    of_workers = (options.program, results, options.seed, deadline, options.timeout)
    with multiprocessing.Pool(options.processes, start, of_workers) as pool:
        for answer in pool.imap_unordered(do, schedule(options.n, options.family)):
            if answer is None:
                continue
            family, name, reports, failure = answer
            done += 1
            if failure:
                broken.append((name, failure))
                continue
            tallies[family].add(reports)
            for status, verb, label, _ in reports:
                if status not in ("right", "rightly refused"):
                    causes[status, verb, label].append(name)
            if time.time() - last > 60:
                last = time.time()
                print(f"{done} of {options.n} cases, {last - begin:.0f} s", flush=True)
    print(f"{done} cases of seed {options.seed} in {time.time() - begin:.0f} s\n")
    with open(os.path.join(results, "table.md"), "w") as file:
        for out in (sys.stdout, file):
            print_table(tallies, out)
            print_causes(causes, out)
    for name, failure in broken[:5]:
        print(f"\nThe reference failed for {name}:\n{failure}")
    found = failures(tallies) + ([f"the reference failed for {len(broken)} cases"] if broken else [])
    for sentence in found:
        print("FAILED: " + sentence)
    if found:
        print(f"Kept cases: {results}")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
