# SPDX-License-Identifier: LGPL-2.1-or-later
"""One run of each verb for each allocation, open, read, write, sync or rename of it that fails.

    faults.py PROGRAM LIBRARY RESULTS [n] [seed] [options]

LIBRARY is the built faults.cc, which is loaded before the program. A failure may be told, with an exit code from 1
to 3 and a message, or it may not matter; then all files hold what those of an undisturbed run hold, but for the
rounding of libraries that go on without a buffer. What `reduce` measures beside the matrices may have been measured
at fewer places: there was no memory for a factorization. A file that is written as a whole is never there in part,
and a simulation that leaves a checkpoint is resumed to the undisturbed tables: to their numbers but for rounding,
since an allocation may fail in the middle of a step, which is then solved again.
"""

import argparse
import collections
import multiprocessing
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

from files import FILES, MODEL, RESPONSE
from program import read_bytes

RUNS = {"inspect": ["inspect", *MODEL, "--json", "out.json"],
        "inspect, constraints": ["inspect", *MODEL, "--constrained", "clamped.txt",
                                 "--constraint-position", "A.mtx", "--json", "out.json"],
        "modes": ["modes", *MODEL, "--all", "--json", "out.json"],
        "modes, nearest": ["modes", *MODEL, "--count", "3", "--shift=-1+9i", "--json", "out.json"],
        "reduce": ["reduce", *MODEL, "--output", "reduced", "--observe", "3"],
        "response": ["response", *MODEL, *RESPONSE],
        "simulate": ["simulate", "case.toml"]}
KINDS = ["allocation", "open", "read", "write", "sync", "rename"]
MEASURED = {"reduced/outputs.csv", "reduced/transfer_errors.csv"}
GROWING = {"out.csv", "events.csv"}  # of simulate: row by row; all other files appear as a whole
ROUNDING = 1e-12  # relative to the largest number of a column


def write_inputs(folder):
    for name, text in FILES.items():
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)


def outputs(folder):
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.relpath(os.path.join(place, name), folder)
            if path not in FILES and path != "counts.txt":
                found[path] = read_bytes(folder, path)
    return found


def rows_of(table):
    return [line.split(",") for line in table.decode().splitlines()]


def same_numbers(table, expected):
    """Whether two tables have the same words, and the same numbers but for rounding."""
    ours, theirs = rows_of(table), rows_of(expected)
    if [len(row) for row in ours] != [len(row) for row in theirs]:
        return False
    for column in zip(*(zip(*rows) for rows in (ours, theirs))):
        try:
            pairs = [(float(a), float(b)) for a, b in zip(*(cells[1:] for cells in column))]
        except ValueError:
            if column[0] != column[1]:
                return False
            continue
        largest = max((abs(b) for _, b in pairs), default=0)
        if any(abs(a - b) > ROUNDING * max(largest, 1e-3) for a, b in pairs):
            return False
    return True


NUMBER = re.compile(rb"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?")


def same_but_for_rounding(text, expected):
    """Whether two texts have the same words, and the same numbers but for rounding of the largest one."""
    if NUMBER.sub(b"#", text) != NUMBER.sub(b"#", expected):
        return False
    ours, theirs = ([float(number) for number in NUMBER.findall(one)] for one in (text, expected))
    largest = max(map(abs, theirs), default=0)
    return all(abs(a - b) <= ROUNDING * largest for a, b in zip(ours, theirs))


def same_files(present, expected):
    def same(name):
        text, whole = present[name], expected[name]
        if text == whole:
            return True
        if name in MEASURED:
            return text.split(b"\n")[0] == whole.split(b"\n")[0] and text.endswith(b"\n")
        return not name.endswith(".mat") and same_but_for_rounding(text, whole)

    return set(present) == set(expected) and all(map(same, expected))


class Runs:
    def __init__(self, program, library):
        self.program, self.library = program, library

    def run(self, folder, arguments, fault="", timeout=120):
        # The sanitizer wants to be the first library.
        sanitizer = os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
        environment = dict(os.environ, ASAN_OPTIONS=sanitizer, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", LD_PRELOAD=self.library,
                           HALFDOF_FAULT=fault, HALFDOF_COUNTS=os.path.join(folder, "counts.txt"))
        return subprocess.run([self.program, *arguments], cwd=folder, env=environment, capture_output=True,
                              text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=timeout)

    def undisturbed(self, verb):
        """@return the outputs, and the numbers of calls of all kinds"""
        folder = tempfile.mkdtemp(prefix="halfdof-whole-")
        try:
            write_inputs(folder)
            done = self.run(folder, RUNS[verb])
            if done.returncode != 0:
                raise RuntimeError(f"{verb} ends with {done.returncode}: {done.stderr}")
            counts = dict(line.split() for line in read_bytes(folder, "counts.txt").decode().splitlines())
            return outputs(folder), {kind: int(n) for kind, n in counts.items()}
        finally:
            shutil.rmtree(folder)


def what_is_wrong(runs, folder, verb, done, expected):
    if done.returncode not in (0, 1, 2, 3):
        return f"exit code {done.returncode}"
    present = outputs(folder)
    if done.returncode == 0:
        return None if same_files(present, expected) else "exit code 0, but the files are others"
    if not done.stderr.strip():
        return "no message"
    growing = GROWING if verb == "simulate" else set()
    for name, text in present.items():
        if name in expected and name not in growing and text != expected[name]:
            return f"{name} is there in part"
    if verb == "simulate" and "out.csv.checkpoint" in present:
        again = runs.run(folder, [*RUNS[verb], "--resume"])
        tables = outputs(folder)
        if again.returncode != 0 or set(tables) != set(expected) or not all(
                same_numbers(tables[name], expected[name]) for name in expected):
            return f"the run is lost: {again.returncode} {again.stderr}"
    return None


def tried(task):
    runs, verb, kind, number, expected = task
    folder = tempfile.mkdtemp(prefix="halfdof-fault-")
    try:
        write_inputs(folder)
        try:
            done = runs.run(folder, RUNS[verb], f"{kind} {number}")
            wrong = what_is_wrong(runs, folder, verb, done, expected)
            told = done.stderr[-500:]
        except subprocess.TimeoutExpired:
            done, wrong, told = None, "it hangs", ""
        outcome = "wrong" if wrong else "no matter" if done.returncode == 0 else "told"
        return verb, kind, number, outcome, f"{wrong}: {told}" if wrong else ""
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description="Runs of which one call fails")
    for name in ("program", "library", "results"):
        parser.add_argument(name)
    parser.add_argument("n", nargs="?", type=int, default=0, help="runs of each verb and kind; 0: all")
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--seconds", type=float, help="no new run begins after this time")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    options = parser.parse_args()
    runs = Runs(os.path.abspath(options.program), os.path.abspath(options.library))
    tasks, begin = [], time.time()
    chance = random.Random(options.seed)
    for verb in RUNS:
        expected, counts = runs.undisturbed(verb)
        for kind in KINDS:
            numbers = range(1, counts[kind] + 1)
            if 0 < options.n < len(numbers):
                numbers = sorted(chance.sample(numbers, options.n))
            tasks += [(runs, verb, kind, k, expected) for k in numbers]
    if options.seconds:
        chance.shuffle(tasks)
    table, failures = collections.Counter(), []
    with multiprocessing.Pool(options.processes) as pool:
        for verb, kind, number, outcome, text in pool.imap_unordered(tried, tasks, chunksize=4):
            table[verb, kind, outcome] += 1
            if outcome == "wrong":
                failures.append(f"{verb}, {kind} {number}: {text}")
            if options.seconds and time.time() - begin > options.seconds:
                pool.terminate()
                break
    os.makedirs(options.results, exist_ok=True)
    lines = ["| verb | call | fails | no matter | told | wrong |", "|---|---|---:|---:|---:|---:|"]
    for verb in RUNS:
        for kind in KINDS:
            n = [table[verb, kind, outcome] for outcome in ("no matter", "told", "wrong")]
            if sum(n):
                lines.append(f"| {verb} | {kind} | {sum(n)} | " + " | ".join(map(str, n)) + " |")
    for verb in RUNS:
        tried_runs = sum(n for (of, _, _), n in table.items() if of == verb)
        if tried_runs >= 20 and not sum(table[verb, kind, "told"] for kind in KINDS):
            failures.append(f"{verb}: none of {tried_runs} failed calls was told, so that the faults did not reach it")
    text = "\n".join(lines)
    with open(os.path.join(options.results, "faults.md"), "w") as file:
        file.write(text + "\n")
    print(f"{time.time() - begin:.0f} s, seed {options.seed}\n{text}")
    for failure in failures[:200]:
        print("FAILED:", failure)
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
