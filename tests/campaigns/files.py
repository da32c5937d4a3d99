# SPDX-License-Identifier: LGPL-2.1-or-later
"""Mutated inputs of every reader and mutated cases: the program may refuse them, but neither crash nor hang.

    files.py PROGRAM RESULTS [n] [seed] [options]
"""

import argparse
import collections
import gzip
import json
import multiprocessing
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from program import read_bytes

SYMMETRIC = "%%MatrixMarket matrix coordinate real symmetric\n"
GENERAL = "%%MatrixMarket matrix coordinate real general\n"
ARRAY = "%%MatrixMarket matrix array real general\n"
FILES = {
    "M.mtx": SYMMETRIC + "4 4 2\n1 1 2\n2 2 1.5\n",
    "C.mtx": SYMMETRIC + "4 4 3\n1 1 0.1\n3 3 2\n3 2 -0.5\n",
    "K.mtx": SYMMETRIC + "4 4 7\n1 1 1200\n2 1 -400\n2 2 900\n3 2 -100\n3 3 300\n4 3 -50\n4 4 80\n",
    "A.mtx": GENERAL + "1 4 2\n1 1 1\n1 2 -1\n",
    "q.mtx": ARRAY + "4 1\n0.01\n0\n0\n0\n",
    "clamped.txt": "# clamped\n3\n",
    "table.txt": "# time, value\n0 1\n0.5 2.5\n1 1\n",
    "case.toml": """[system]
mass = "M.mtx"
damping = "C.mtx"
stiffness = "K.mtx"
[initial]
displacement = "q.mtx"
velocity = [0, 0.5, 0, 0]
[[load]]
dof = 0
expression = "50*sin(10*pi*t) + (t > 0.1 ? 1 : 0)"
[[load]]
dof = 1
expression = {file = "table.txt", beyond = "repeat"}
[[inclusion]]
name = "slider"
law = "dry-friction"
direction = [{dof = 3}]
lower = -3.0
upper = {times = [0, 0.1, 0.2], values = [3, 4, 3.5]}
[[inclusion]]
name = "stop"
law = "unilateral"
direction = [{dof = 0, weight = 1.0}, {dof = 1, weight = -1}]
obstacle = -0.05
restitution = 0.5
[[inclusion]]
name = "play"
law = "st-venant"
direction = [{dof = 2}]
threshold = 1
[integrator]
method = "moreau-jean"
step = 1e-3
end = 0.05
[output]
file = "out.csv"
every = 5
displacement = [0, 3]
velocity = [0, 2]
reactions = true
gaps = true
slips = true
energies = true
dissipated = true
dissipated_each = true
events = "events.csv"
checkpoint_interval = 60
""",
}
MODEL = ["--mass", "M.mtx", "--damping", "C.mtx", "--stiffness", "K.mtx"]
RESPONSE = ["--input", "0", "--output", "1", "--from", "0.1", "--to", "10", "--points", "3",
            "--csv", "out.csv"]
# Arguments, and the files that are mutated for them.
RUNS = [(["inspect", *MODEL, "--json", "out.json"], ["M.mtx", "C.mtx", "K.mtx"]),
        (["inspect", *MODEL, "--constrained", "clamped.txt", "--constraint-position", "A.mtx"],
         ["clamped.txt", "A.mtx", "M.mtx"]),
        (["inspect", "case.toml", "--json", "out.json"], ["case.toml", "table.txt", "q.mtx"]),
        (["modes", *MODEL, "--all", "--json", "out.json"], ["M.mtx", "C.mtx", "K.mtx"]),
        (["modes", *MODEL, "--count", "3", "--shift=-1+9i", "--json", "out.json"],
         ["M.mtx", "C.mtx", "K.mtx"]),
        (["reduce", *MODEL, "--output", "reduced", "--observe", "3"], ["M.mtx", "C.mtx", "K.mtx"]),
        (["response", *MODEL, *RESPONSE], ["M.mtx", "C.mtx", "K.mtx"]),
        (["simulate", "case.toml"], ["case.toml", "case.toml", "table.txt", "q.mtx", "K.mtx"]),
        (["simulate", "resumed.toml", "--resume"], ["left.csv.checkpoint", "left.csv", "resumed.toml"])]
NUMBERS = ["0", "-0", "1", "-1", "2", "4", "5", "1e-320", "4.9e-324", "1e-154", "1e100", "-1e154", "1e200",
           "1e308", "-1.7976931348623157e308", "1e309", "1e999", "nan", "-inf", "2147483648", "4294967298",
           "-2147483649", "9223372036854775808", "1000000000", "0x10", "1e", "3.", ".5", "1_000", "+7", "1" * 400]
TOKENS = ["", "\n", " ", "\t", "\0", "\x1b[31m", "\x7f", "\xff", "\r\n", "#", "%", '"', "'", "[", "]", "{", "}",
          "=", ",", "..", "[[load]]", "[output]", '"""', "[" * 200, "é", "a" * 5000, "/dev/zero", "../", "true",
          "inf", "moreau-jean", "event-driven", "memory", "generalized-alpha", "implicit-euler", "unilateral",
          "coulomb", "weakening", "symmetric", "skew-symmetric", "complex", "pattern", "array"]
NUMBER = re.compile(rb"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?")


def mutated(text, chance, others):
    for _ in range(chance.choice([1, 1, 1, 2, 3, 8])):
        text = mutation(text, chance, others)
    return text


def mutation(text, chance, others):
    kind = chance.random()
    spots = list(NUMBER.finditer(text))
    if text.startswith(b"%%Matrix") and chance.random() < 0.8:  # values: others are soon refused
        spots = [spot for spot in spots if text[spot.end():spot.end() + 1] in (b"", b"\n")][1:]
    if kind < 0.5 and spots:
        spot = chance.choice(spots)
        return text[:spot.start()] + chance.choice(NUMBERS).encode() + text[spot.end():]
    begin, end = sorted(chance.randrange(len(text) + 1) for _ in range(2))
    if kind < 0.6:
        return text[:begin] + chance.choice(TOKENS).encode("latin-1", "replace") + text[begin:]
    if kind < 0.7:
        words = list(re.finditer(rb"[\w-]+", text))
        if words:
            word = chance.choice(words)
            token = chance.choice(TOKENS).encode("latin-1", "replace")
            return text[:word.start()] + token + text[word.end():]
    lines = text.split(b"\n")
    at = chance.randrange(len(lines))
    if kind < 0.8:
        del lines[at]
    elif kind < 0.85:
        lines.insert(chance.randrange(len(lines) + 1), lines[at])
    elif kind < 0.9:
        lines.insert(at, chance.choice(chance.choice(others).split(b"\n")))
    elif kind < 0.95 and text:
        place = chance.randrange(len(text))
        return text[:place] + bytes([text[place] ^ 1 << chance.randrange(8)]) + text[place + 1:]
    else:
        return text[:begin] if chance.random() < 0.5 else text[:begin] + text[end:]
    return b"\n".join(lines)


class Worker:
    program = results = seed = deadline = timeout = None
    files = {}


def start(program, results, seed, deadline, timeout, files, has_memory_limit):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Worker.has_memory_limit = has_memory_limit
    Worker.program, Worker.results, Worker.seed = program, results, seed
    Worker.deadline, Worker.timeout, Worker.files = deadline, timeout, files


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (int(Worker.timeout), int(Worker.timeout) + 1))
    if Worker.has_memory_limit:
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 26, 1 << 26))


def run_in(folder, arguments):
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    try:
        done = subprocess.run([Worker.program, *arguments], cwd=folder, env=environment, capture_output=True,
                              stdin=subprocess.DEVNULL, timeout=4 * Worker.timeout, preexec_fn=limit)
    except subprocess.TimeoutExpired:
        return None, b"", b""
    return done.returncode, done.stdout, done.stderr


def do(number):
    """One input: (verb, verdict, text); None where time is up."""
    if Worker.deadline and time.time() > Worker.deadline:
        return None
    chance = random.Random(f"{Worker.seed} {number}")
    arguments, names = chance.choice(RUNS)
    folder = tempfile.mkdtemp(prefix="halfdof-files-")
    try:
        arguments = list(arguments)
        for name, text in Worker.files.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(text)
        for name in {chance.choice(names) for _ in range(chance.choice([1, 1, 2]))}:
            text = mutated(Worker.files[name], chance, list(Worker.files.values()))
            if name.endswith(".mtx") and chance.random() < 0.1:  # compressed, and perhaps damaged
                text = gzip.compress(text, mtime=0)
                text = mutated(text, chance, [text]) if chance.random() < 0.5 else text
                arguments = [name + ".gz" if a == name else a for a in arguments]
                os.remove(os.path.join(folder, name))
                name += ".gz"
            with open(os.path.join(folder, name), "wb") as file:
                file.write(text)
        before = {name: read_bytes(folder, name) for name in ("left.csv", "left.csv.checkpoint")}
        begin = time.time()
        code, out, err = run_in(folder, arguments)
        verdict = judged(folder, arguments, code, out, err, before)
        if verdict not in ("done", "refused", "falls short"):
            kept = os.path.join(Worker.results, f"{number}-{verdict.split(':')[0].replace(' ', '-')}")
            shutil.copytree(folder, kept, dirs_exist_ok=True)
            with open(os.path.join(kept, "found.txt"), "wb") as file:
                file.write(f"halfdof {' '.join(arguments)}\n{verdict}, exit code {code}, "
                           f"{time.time() - begin:.1f} s\n\n".encode() + out + b"\n" + err)
        return arguments[0], verdict, number
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def judged(folder, arguments, code, out, err, before):
    """One of "done", "refused", "falls short", or what is wrong."""
    stopped = code == 1 and b"halfdof: interrupted at" in err  # by the limit of processor time
    if code is None or code in (-signal.SIGXCPU, -signal.SIGKILL) or stopped:
        return "hang"
    if code < 0 or code > 3:
        return f"crash: {code}"
    if any(byte < 32 and byte not in b"\n\t" or byte == 127 for byte in out + err):
        return "control characters"
    if code in (2, 3):
        if "--resume" in arguments and before != {name: read_bytes(folder, name) for name in before}:
            return "refused, but written"
        return "refused" if err else "refused without a word"
    if code == 1:
        return "falls short" if err or out else "falls short without a word"
    return "numbers that are none: exit code 0" if has_nan(folder, arguments) else "done"


def has_nan(folder, arguments):
    """In what a run with exit code 0 has written."""
    if arguments[0] == "modes":  # JSON has no NaN: null
        answer = json.loads(read_bytes(folder, "out.json"))
        return any(None in pair for side in ("before", "after") for pair in answer[side]["finite"])
    table = read_bytes(folder, "out.csv")
    if arguments[0] not in ("response", "simulate") or table is None:
        return False
    rows = [line.split(",") for line in table.decode(errors="replace").splitlines()]
    known = [k for k, name in enumerate(rows[0]) if not name.startswith("error")] if rows else []
    return any(cell in ("nan", "inf", "-inf") for row in rows[1:] for k in known for cell in row[k:k + 1])


def originals(program):
    """All files, with a run that was left after half of its steps."""
    files = {name: text.encode() for name, text in FILES.items()}
    resumed = FILES["case.toml"]
    for text, other in (("out.csv", "left.csv"), ('"events.csv"', '"left-events.csv"'),
                        ("every = 5", "every = 1")):
        resumed = resumed.replace(text, other)
    files["resumed.toml"] = resumed.encode()
    folder = tempfile.mkdtemp(prefix="halfdof-files-")
    try:
        for name, text in files.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(text)
        with open(os.path.join(folder, "resumed.toml"), "w") as file:
            file.write(resumed.replace("checkpoint_interval = 60", "checkpoint_every = 20"))

        def short_of_space():
            resource.setrlimit(resource.RLIMIT_FSIZE, (12000, 12000))

        subprocess.run([program, "simulate", "resumed.toml"], cwd=folder, capture_output=True,
                       preexec_fn=short_of_space)
        for name in ("left.csv", "left-events.csv", "left.csv.checkpoint"):
            files[name] = read_bytes(folder, name)
        if None in files.values():
            sys.exit("no run was left to be resumed")
        return files
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description="Mutated inputs: no crash, no hang, no wrong number")
    parser.add_argument("program")
    parser.add_argument("results")
    parser.add_argument("n", nargs="?", type=int, default=10000)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--seconds", type=float, help="no new input is tried after this time")
    parser.add_argument("--timeout", type=float, default=10, help="of one run, in processor time [s]")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--no-memory-limit", action="store_true", help="for a program that reserves terabytes")
    options = parser.parse_args()
    results = os.path.join(os.path.abspath(options.results), f"files-{options.seed}")
    shutil.rmtree(results, ignore_errors=True)
    os.makedirs(results)
    begin = time.time()
    deadline = begin + options.seconds if options.seconds else None
    program = os.path.abspath(options.program)
    of_workers = (program, results, options.seed, deadline, options.timeout, originals(program),
                  not options.no_memory_limit)
    counts, examples = collections.Counter(), collections.defaultdict(list)
    with multiprocessing.Pool(options.processes, start, of_workers) as pool:
        for answer in filter(None, pool.imap_unordered(do, range(options.n), chunksize=8)):
            verb, verdict, number = answer
            counts[verb, verdict] += 1
            examples[verb, verdict].append(number)
    print(f"{sum(counts.values())} inputs of seed {options.seed} in {time.time() - begin:.0f} s\n")
    columns = ["done", "refused", "falls short"]
    bad = sorted({verdict for _, verdict in counts} - set(columns))
    with open(os.path.join(results, "table.md"), "w") as file:
        for out in (sys.stdout, file):
            print("| verb | " + " | ".join(columns + bad) + " |", file=out)
            print("|---|" + "---:|" * len(columns + bad), file=out)
            for verb in sorted({verb for verb, _ in counts}):
                cells = [str(counts[verb, verdict]) for verdict in columns + bad]
                print(f"| {verb} | " + " | ".join(cells) + " |", file=out)
    for (verb, verdict), numbers in sorted(examples.items()):
        if verdict in bad:
            print(f"FAILED: {verb}: {verdict}: {len(numbers)} inputs, for example {numbers[:5]}")
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
