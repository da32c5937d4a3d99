# SPDX-License-Identifier: LGPL-2.1-or-later
"""Eigenvalues in random rectangles by the program, compared with all eigenvalues by LAPACK.

    regions.py PROGRAM RESULTS [n] [seed]

Models have 5 to 60 DoFs, some of them without mass, and some models consist of two equal halves, so that every
eigenvalue is double. Rectangles lie beside the axes, across them or across zero, and some have an eigenvalue on an
edge. The program has to count, or to say why it cannot; a wrong count is never accepted.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

try:
    import numpy
    import scipy.io
    import scipy.linalg
    import scipy.sparse as sparse
except ImportError:
    print("skipped: there is no SciPy (python3-scipy)")
    sys.exit(0)


def model(chance):
    """Returns M, C, K: a chain with random links, damping and, in half of the models, gyroscopic terms."""
    n = chance.randrange(5, 61)
    is_double = chance.random() < 0.2
    if is_double:
        n = (n + 1) // 2
    M = numpy.diag([chance.uniform(0.5, 2) for _ in range(n)])
    for i in range(n):
        if chance.random() < 0.15 and n > 5:
            M[i, i] = 0
    M[0, 0] = 1
    C, K = numpy.zeros((n, n)), numpy.zeros((n, n))

    def link(A, i, j, value):
        A[i, i] += value
        A[j, j] += value
        A[i, j] -= value
        A[j, i] -= value

    for i in range(n):
        K[i, i] += chance.uniform(0.1, 2)
        link(K, i, (i + 1) % n, chance.uniform(0.5, 3))
        if chance.random() < 0.5:
            link(C, i, chance.randrange(n), chance.uniform(0.01, 1))
    if chance.random() < 0.5:
        for _ in range(3):
            i, j = chance.sample(range(n), 2)
            value = chance.uniform(-1, 1)
            C[i, j] += value
            C[j, i] -= value
    if chance.random() < 0.2:
        C *= 0
    if is_double:
        M, C, K = (scipy.linalg.block_diag(A, A) for A in (M, C, K))
    return M, C, K


def eigenvalues(M, C, K):
    n = len(M)
    one, zero = numpy.eye(n), numpy.zeros((n, n))
    A = numpy.block([[zero, one], [-K, -C]])
    alpha, beta = scipy.linalg.eig(A, scipy.linalg.block_diag(one, M), right=False, homogeneous_eigvals=True)
    is_finite = abs(beta) > 1e-9 * abs(alpha)
    return alpha[is_finite] / beta[is_finite]


def rectangle(chance, values):
    """Returns the two corners."""
    near = values[chance.randrange(len(values))]
    size = 10 ** chance.uniform(-1, 0.7)
    low = near - complex(chance.uniform(0, size), chance.uniform(0, size))
    high = low + complex(chance.uniform(0.3, 1) * size, chance.uniform(0.3, 1) * size)
    kind = chance.choice(["any", "any", "across the real axis", "across zero", "edge"])
    if kind == "across the real axis":
        low, high = complex(low.real, -chance.uniform(0, size)), complex(high.real, chance.uniform(0, size))
    elif kind == "across zero":
        low, high = -complex(*(chance.uniform(0.01, size) for _ in "xy")), complex(*(chance.uniform(0.01, size)
                                                                                for _ in "xy"))
    elif kind == "edge" and near.real < high.real:
        low = complex(near.real, low.imag)
    return low, high


def text_of(corner):
    return f"{corner.real!r}{corner.imag:+.17g}i"


def distance_from_rim(value, low, high):
    beside = max(low.real - value.real, value.real - high.real)
    above = max(low.imag - value.imag, value.imag - high.imag)
    return abs(max(beside, above)) if max(beside, above) < 0 else numpy.hypot(max(beside, 0), max(above, 0))


def check(program, chance):
    """Returns what is wrong, or None, and whether the eigenvalues were counted."""
    matrices = model(chance)
    values = eigenvalues(*matrices)
    low, high = rectangle(chance, values)
    with tempfile.TemporaryDirectory(prefix="halfdof-regions-") as folder:
        command = [program, "modes"]
        for option, A in zip(["--mass", "--damping", "--stiffness"], matrices):
            scipy.io.mmwrite(os.path.join(folder, option[2:] + ".mtx"), sparse.coo_matrix(A), precision=17)
            command += [option, option[2:] + ".mtx"]
        command += [f"--region={text_of(low)}:{text_of(high)}", "--json", "result.json"]
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
        if run.returncode not in (0, 1):
            return f"{command}: {run.stderr}", False
        with open(os.path.join(folder, "result.json")) as file:
            result = json.load(file)
    counted = result["counted"]
    low, high = complex(*counted["lower_left"]), complex(*counted["upper_right"])
    inside = [z for z in values if low.real < z.real < high.real and low.imag < z.imag < high.imag]
    if min(distance_from_rim(z, low, high) for z in values) < 1e-11 * max(abs(values)):
        return None, False  # LAPACK does not tell on which side of the rim it lies
    story = f"{len(matrices[0])} DoFs, {low} to {high}: {counted}, LAPACK {len(inside)}; {run.stderr.strip()}"
    if run.returncode == 0 and not counted["expected"] == counted["found"] == len(inside):
        return "miscounted: " + story, True
    if run.returncode == 1 and counted["expected"] is not None:
        return "not complete: " + story, True
    listed = [complex(*pair) for pair in result["after"]["finite"]]
    if any(min([abs(z - other) for other in listed] + [1e9]) > 1e-5 * max(abs(values)) for z in inside):
        return "not listed: " + story, True
    return None, counted["expected"] is not None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("results")
    parser.add_argument("n", nargs="?", type=int, default=200)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    arguments = parser.parse_args()
    os.makedirs(arguments.results, exist_ok=True)
    arguments.program = os.path.abspath(arguments.program)
    chance = random.Random(arguments.seed)
    checks = [check(arguments.program, chance) for _ in range(arguments.n)]
    wrong = [story for story, _ in checks if story]
    with open(os.path.join(arguments.results, "regions.txt"), "w") as file:
        file.write("\n\n".join(wrong))
    print(f"{arguments.n} rectangles, {sum(was_counted for _, was_counted in checks)} counted, {len(wrong)} wrong")
    print("\n\n".join(wrong[:5]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
