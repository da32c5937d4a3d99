# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs the program on a model and reads what it writes."""

import csv
import json
import os
import resource
import shutil
import signal
import subprocess
import tempfile

from model import read_matrix

TIMEOUT = 20  # s of processor time, of which a busy machine takes nothing; four times as much on the clock


class Outcome:
    """Exit code (None: no end within the time limit; negative: a signal), messages, and what was written."""

    def __init__(self, code, output, messages, answer=None):
        self.code, self.output, self.messages, self.answer = code, output, messages, answer

    @property
    def crashed(self):
        return self.code is None or self.code < 0 or self.code > 3


def arguments_of(run):
    """Options of a run, beside those of the model."""
    verb = run["verb"]
    if verb == "simulate":
        return ["--verify"]
    if verb == "inspect":
        return ["--json", "answer.json"]
    if verb == "modes":
        options = ["--json", "answer.json"]
        if run.get("all"):
            options.append("--all")
        if "count" in run:
            options += ["--count", str(run["count"])]
            if run.get("says_shift", True):
                options.append("--shift=" + shift_text(run["shift"]))
        return options + (["--certify"] if run.get("certify") else [])
    if verb == "reduce":
        options = ["--output", "reduced", "--form", run["form"]]
        if run["form"] == "pencil":
            options += ["--max-fill", "1000"]  # small models may fill
        return options + (["--observe"] + [str(i) for i in run["observe"]] if run["observe"] else [])
    options = ["--input"] + [str(i) for i in run["input"]] + ["--output"] + [str(i) for i in run["output"]]
    options += ["--from", repr(run["from"]), "--to", repr(run["to"]), "--points", "2"]
    return options + ["--csv", "answer.csv"]


def shift_text(shift):
    shift = complex(shift)
    return repr(shift.real) if shift.imag == 0 else f"{shift.real!r}{shift.imag:+}i"


class Program:
    def __init__(self, path, timeout=TIMEOUT):
        self.path, self.timeout = path, timeout
        self.environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):  # what a sanitizer finds is no refusal
            self.environment[name] = ":".join(filter(None, [os.environ.get(name), "exitcode=99"]))

    def limit_processor_time(self):
        resource.setrlimit(resource.RLIMIT_CPU, (int(self.timeout), int(self.timeout) + 1))

    def call(self, run, model):
        folder = tempfile.mkdtemp(prefix="halfdof-campaign-")
        try:
            return self.call_in(folder, run, model)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def call_in(self, folder, run, model):
        command = [self.path, run["verb"]] + model.write(folder) + arguments_of(run)
        with open(os.path.join(folder, "command"), "w") as file:
            file.write(" ".join(["halfdof"] + command[1:]) + "\n")
        try:
            done = subprocess.run(command, cwd=folder, env=self.environment, stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, errors="replace",
                                  timeout=4 * self.timeout, preexec_fn=self.limit_processor_time)
        except subprocess.TimeoutExpired:
            return Outcome(None, "", f"no end within {4 * self.timeout} s")
        was_stopped = done.returncode == 1 and "halfdof: interrupted at" in done.stderr  # by the same signal
        if done.returncode == -signal.SIGXCPU or was_stopped:
            return Outcome(None, done.stdout, f"no end within {self.timeout} s of processor time")
        outcome = Outcome(done.returncode, done.stdout, done.stderr)
        if outcome.code == 0 or run["verb"] in ("inspect", "simulate"):
            outcome.answer = read_answer(folder, run)
        return outcome


def read_answer(folder, run):
    """What a run that ended with exit code 0 has written."""
    verb = run["verb"]
    path = os.path.join(folder, "answer.json")
    if verb in ("inspect", "modes"):
        if not os.path.exists(path):
            return None
        with open(path) as file:
            return json.load(file)
    if verb in ("response", "simulate"):
        path = os.path.join(folder, "answer.csv")
        if not os.path.exists(path):
            return None
        with open(path, newline="") as file:
            table = list(csv.reader(file))
        return table[0], [[float(v) for v in row] for row in table[1:]]
    return read_reduced(os.path.join(folder, "reduced"))


def read_bytes(folder, name):
    """Of a file; None where there is none."""
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        return file.read()


def read_reduced(folder):
    matrices = {}
    for name in ("A", "B", "E", "C_o", "D_o", "D_o_rate"):
        path = os.path.join(folder, name + ".mtx")
        if os.path.exists(path):
            matrices[name] = read_matrix(path)
    outputs, errors = [], []
    path = os.path.join(folder, "outputs.csv")
    if os.path.exists(path):
        with open(path, newline="") as file:
            table = list(csv.reader(file))[1:]
        outputs = [int(row[2]) for row in table]
        with open(os.path.join(folder, "transfer_errors.csv"), newline="") as file:
            places = [[float(v) for v in row] for row in list(csv.reader(file))[1:]]
        errors = [[tuple(place[1:]) for place in places if place[0] == o] for o in range(len(outputs))]
    with open(os.path.join(folder, "constrained.txt")) as file:
        constrained = [int(line) for line in file if line.strip() and not line.startswith("#")]
    with open(os.path.join(folder, "README.md")) as file:
        readme = file.read()
    return {"matrices": matrices, "outputs": outputs, "errors": errors, "constrained": constrained,
            "readme": readme}
