# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs of `halfdof simulate` that are ended at random moments, and resumed until they are done.

    kill.py PROGRAM RESULTS [n] [seed] [options]

In the end the table and the events must be those of a run that nothing has ended, byte for byte.
"""

import argparse
import collections
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from program import read_bytes

MOST_ENDS = 60  # of one run; then it may go on undisturbed
HEADER = "%%MatrixMarket matrix coordinate real symmetric\n"
MATRICES = {"M.mtx": "2 2 1\n1 1 2\n", "K.mtx": "2 2 3\n1 1 1200\n2 1 -400\n2 2 400\n"}
CASE = """[system]
mass = "M.mtx"
stiffness = "K.mtx"
[[load]]
dof = 0
expression = "50*sin(10*pi*t) + 9*cos(3*t)"
[[inclusion]]
name = "slider"
law = "dry-friction"
direction = [{{dof = {slider}}}]
lower = -3.0
upper = "3 + 0.5*sin(t)"
{wall}[integrator]
method = "{method}"
{options}
end = {end}
[output]
file = "out.csv"
{rows}
displacement = [0]
velocity = [0]
dissipated = true
slips = true
checkpoint_every = {every}
checkpoint_interval = {interval}
"""
WALL = """[[inclusion]]
name = "stop"
law = "unilateral"
direction = [{{dof = 0}}]
obstacle = -0.05
{restitution}
"""
# Method, its options, end of the run [s], and whether walls are for it.
METHODS = [("moreau-jean", "step = 1e-3", 30, True), ("implicit-euler", "step = 1e-3", 30, True),
           ("generalized-alpha", "step = 1e-3", 20, True), ("set-valued-euler", "step = 1e-3", 40, False),
           ("memory", "step = 1e-3", 60, False), ("event-driven", "", 20, True)]
WAYS = ["kill -9", "kill -9", "kill -9", "full disk", "full disk", "SIGTERM", "SIGINT", "SIGHUP", "SIGXCPU",
        "reader gone"]


class Failure(Exception):
    """What must not be."""


def case_text(chance):
    method, options, end, may_hit = chance.choice(METHODS)
    restitution = "" if method == "implicit-euler" else "restitution = 0.6"
    wall = WALL.format(restitution=restitution) if may_hit else ""
    rows = "interval = 0.01" if method == "event-driven" else f"every = {chance.choice([1, 1, 3, 20])}"
    if method != "memory":
        rows += '\nevents = "events.csv"'
    every = chance.choice([0, 100, 1000, 5000])
    interval = chance.choice([0.02, 0.1]) if every == 0 else 60
    text = CASE.format(slider=1 if may_hit else 0, wall=wall, method=method, options=options, rows=rows,
                       end=end * chance.choice([0.3, 1, 1]), every=every, interval=interval)
    return method, every, text


def write_case(folder, text):
    for name, entries in MATRICES.items():
        with open(os.path.join(folder, name), "w") as file:
            file.write(HEADER + entries)
    with open(os.path.join(folder, "case.toml"), "w") as file:
        file.write(text)


def tables(folder):
    return {name: read_bytes(folder, name) for name in ("out.csv", "events.csv")}


class Chain:
    """One case, from its first start to its end."""

    def __init__(self, program, folder, chance, counts):
        self.program, self.folder, self.chance, self.counts = program, folder, chance, counts
        self.method, self.every, self.text = case_text(chance)
        self.log = []

    def command(self, *more):
        return [self.program, "simulate", "case.toml", *more]

    def start(self, limits=(), out=subprocess.DEVNULL):
        resumes = os.path.exists(os.path.join(self.folder, "out.csv.checkpoint"))

        def prepare():
            for each in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):  # a shell may let us ignore them
                signal.signal(each, signal.SIG_DFL)
            for which, value in limits:
                resource.setrlimit(which, (value, resource.getrlimit(which)[1]))

        environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
        return subprocess.Popen(self.command(*(["--resume"] if resumes else [])), cwd=self.folder,
                                env=environment, stdin=subprocess.DEVNULL, stdout=out,
                                stderr=subprocess.PIPE, text=True, errors="replace", preexec_fn=prepare)

    def finish(self, process, way):
        _, messages = process.communicate(timeout=300)
        self.log.append(f"{way}: {process.returncode} {messages[:400]}")
        return process.returncode

    def run(self):
        """@throws Failure"""
        whole = os.path.join(self.folder, "whole")
        os.makedirs(whole)
        for folder in (self.folder, whole):
            write_case(folder, self.text)
        begin = time.time()
        done = subprocess.run(self.command(), cwd=whole, capture_output=True, text=True, timeout=300)
        duration = time.time() - begin
        if done.returncode != 0:
            raise Failure(f"the undisturbed run ends with {done.returncode}: {done.stderr}")
        expected = tables(whole)
        for _ in range(MOST_ENDS):
            if self.end_at_random(duration, len(expected["out.csv"])) == 0:
                break
            self.check_loss()
            if self.chance.random() < 0.2:
                self.check_altered(expected)
        else:
            if self.finish(self.start(), "undisturbed") != 0:
                raise Failure("it does not come to its end")
        if tables(self.folder) != expected:
            raise Failure("the tables are others than those of an undisturbed run")
        left = sorted(set(os.listdir(self.folder)) - set(os.listdir(whole)) - {"whole"})
        if left:
            raise Failure(f"the run has left {left}")

    def end_at_random(self, duration, size):
        """Starts or resumes the run and ends it. @return 0 if it was faster"""
        way = self.chance.choice(WAYS)
        moment = self.chance.random() * max(duration, 0.05)
        if way == "full disk":
            present = len(read_bytes(self.folder, "out.csv") or b"")
            limit = present + int(self.chance.random() * max(size - present, 1))
            code = self.finish(self.start([(resource.RLIMIT_FSIZE, limit)]), way)
        elif way == "reader gone":
            reader, writer = os.pipe()
            process = self.start(out=writer)
            os.close(writer)
            os.close(reader)
            time.sleep(moment)
            process.send_signal(signal.SIGINT)
            code = self.finish(process, way)
        else:
            process = self.start()
            time.sleep(moment)
            if self.chance.random() < 0.1:
                self.check_second(process)
            process.send_signal(signal.SIGKILL if way == "kill -9" else getattr(signal, way))
            code = self.finish(process, way)
        self.counts[way, "resumed" if code == 0 else "ended"] += 1
        # A closed standard output is told by 2, but whatever else was asked for is done.
        if way == "reader gone" and code == 2 and not os.path.exists(self.path("out.csv.checkpoint")):
            code = 0
        allowed = {"kill -9": (0, -9), "full disk": (0, 1, 2)}.get(way)
        if allowed is None:  # the signal ends the program where it has not yet begun
            allowed = 0, 1, 2, -getattr(signal, "SIGINT" if way == "reader gone" else way)
        if code not in allowed:
            raise Failure(f"{way}: exit code {code}")
        return code

    def path(self, name):
        return os.path.join(self.folder, name)

    def check_second(self, process):
        """A second run beside one that has begun its table is refused."""
        if process.poll() is not None or not os.path.exists(self.path("out.csv")):
            return
        resumes = ["--resume"] if os.path.exists(self.path("out.csv.checkpoint")) else []
        other = subprocess.run(self.command(*resumes), cwd=self.folder, capture_output=True, text=True)
        if process.poll() is None:
            self.counts["second run", "refused"] += 1
            is_named = "another run" in other.stderr or "earlier run" in other.stderr
            if other.returncode != 2 or not is_named:
                raise Failure(f"a second run beside the first: {other.returncode} {other.stderr}")

    def check_loss(self):
        """No more rows behind the checkpoint than there are steps between two of them."""
        checkpoint, table = read_bytes(self.folder, "out.csv.checkpoint"), read_bytes(self.folder, "out.csv")
        if checkpoint is None or not table:
            return
        state = json.loads(checkpoint)["run"]
        n_lost = table[state["table"]["bytes"]:].count(b"\n")
        if len(table) < state["table"]["bytes"]:
            raise Failure("the checkpoint knows of rows that the table lacks")
        if self.every > 0 and n_lost > self.every + 1:
            raise Failure(f"{n_lost} rows behind a checkpoint of every {self.every} steps")

    def check_altered(self, expected):
        """With another digit in the checkpoint or in a table the run is refused, or nothing depends on it."""
        checkpoint = read_bytes(self.folder, "out.csv.checkpoint")
        if checkpoint is None:
            return
        name = self.chance.choice(["out.csv.checkpoint", "out.csv"])
        copy = tempfile.mkdtemp(prefix="halfdof-altered-")
        try:
            shutil.copytree(self.folder, copy, dirs_exist_ok=True)
            text = bytearray(read_bytes(copy, name))
            end = len(text) if name != "out.csv" else json.loads(checkpoint)["run"]["table"]["bytes"]
            digits = [i for i in range(end) if chr(text[i]).isdigit()]
            if not digits:
                return
            at = self.chance.choice(digits)
            text[at] = ord(self.chance.choice([d for d in "0123456789" if ord(d) != text[at]]))
            if self.chance.random() < 0.2:
                del text[self.chance.randrange(end):]
            with open(os.path.join(copy, name), "wb") as file:
                file.write(text)
            before = tables(copy)
            done = subprocess.run(self.command("--resume"), cwd=copy, capture_output=True, text=True)
            if done.returncode == 2 and name in done.stderr and tables(copy) == before:
                self.counts["altered " + name, "refused"] += 1
            elif done.returncode == 0 and tables(copy) == expected:
                self.counts["altered " + name, "same number"] += 1
            else:
                raise Failure(f"{name} was altered at byte {at}: {done.returncode} {done.stderr}")
        finally:
            shutil.rmtree(copy, ignore_errors=True)


def print_counts(counts, n_chains, out=sys.stdout):
    print(f"| {n_chains} runs, ended by | times |\n|---|---:|", file=out)
    for (way, what), n in sorted(counts.items()):
        if what != "resumed":
            print(f"| {way}{'' if what == 'ended' else ': ' + what} | {n} |", file=out)


def main():
    parser = argparse.ArgumentParser(description="Runs that are ended at random moments, and resumed")
    parser.add_argument("program")
    parser.add_argument("results")
    parser.add_argument("n", nargs="?", type=int, default=200, help="ends by kill -9")
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--seconds", type=float, help="no new run begins after this time")
    options = parser.parse_args()
    results = os.path.join(os.path.abspath(options.results), f"kill-{options.seed}")
    shutil.rmtree(results, ignore_errors=True)
    os.makedirs(results)
    counts, failures, n_chains, begin = collections.Counter(), [], 0, time.time()
    while counts["kill -9", "ended"] < options.n:
        if options.seconds and time.time() - begin > options.seconds:
            break
        chance = random.Random(f"{options.seed} {n_chains}")
        folder = os.path.join(results, str(n_chains))
        os.makedirs(folder)
        chain = Chain(os.path.abspath(options.program), folder, chance, counts)
        n_chains += 1
        try:
            chain.run()
            shutil.rmtree(folder)
        except (Failure, subprocess.TimeoutExpired) as failure:
            failures.append(f"{folder} ({chain.method}): {failure}")
            with open(os.path.join(folder, "found.txt"), "w") as file:
                file.write("\n".join([str(failure)] + chain.log) + "\n")
    print(f"{time.time() - begin:.0f} s, seed {options.seed}\n")
    with open(os.path.join(results, "table.md"), "w") as file:
        for out in (sys.stdout, file):
            print_counts(counts, n_chains, out)
    for failure in failures:
        print("FAILED:", failure)
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
