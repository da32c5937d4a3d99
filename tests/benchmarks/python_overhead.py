# SPDX-License-Identifier: LGPL-2.1-or-later
"""Times of the Python package beside those of the C++ functions that it calls, for a membrane of n
DoFs, a fifth of them without mass.

    PYTHONPATH=build/python OPENBLAS_NUM_THREADS=1 python3 tests/benchmarks/python_overhead.py [n]

The second column is the time inside the compiled part: the C++ call with its results as arrays.
"""

import sys
import time

import numpy as np
import scipy.sparse as sparse

import halfdof
from halfdof import _core


class Timed:
    """Counts the time inside a function of the compiled part."""

    def __init__(self, owner, name):
        self.owner, self.name, self.seconds = owner, name, 0.0
        self.function = getattr(owner, name)

    def __enter__(self):
        def timed(*arguments):
            begin = time.perf_counter()
            try:
                return self.function(*arguments)
            finally:
                self.seconds += time.perf_counter() - begin

        setattr(self.owner, self.name, timed)
        return self

    def __exit__(self, *_):
        setattr(self.owner, self.name, self.function)


def best(call, n=5):
    times = []
    for _ in range(n):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return min(times)


def compare(what, call, *inner):
    rows = []
    for _ in range(5):
        counted = [Timed(*function) for function in inner]
        for one in counted:
            one.__enter__()
        begin = time.perf_counter()
        call()
        total = time.perf_counter() - begin
        for one in counted:
            one.__exit__()
        rows.append((total, sum(one.seconds for one in counted)))
    total, inside = min(rows)
    print(f"{what:34} {total:10.4f} {inside:10.4f} {100 * (total / inside - 1):8.2f} %")


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    side = round(n**0.5)
    n = side**2
    line = sparse.diags([-np.ones(side - 1), 2.0 * np.ones(side), -np.ones(side - 1)], [-1, 0, 1])
    K = sparse.csc_matrix(sparse.kronsum(line, line))
    mass = np.ones(n)
    mass[::5] = 0
    M = sparse.diags(mass, format="csc")
    C = 0.01 * K
    print(f"{'n = ' + str(n):34} {'Python [s]':>10} {'C++ [s]':>10} {'more':>10}")
    compare("reduce", lambda: halfdof.reduce(M, C, K), (_core, "Assembled"), (_core, "Reduced"))
    reduced = halfdof.reduce(M, C, K)
    compare("compare_spectra(6)", lambda: reduced.compare_spectra(6), (_core, "compare_spectra"))
    friction = [halfdof.DryFriction(1, 0.5)]

    def run(**options):
        return halfdof.simulate(
            reduced, friction, step=0.01, end=1.0, dofs=[1], rate=np.eye(1, n, 1)[0], **options
        )

    compare(
        "simulate, 100 steps",
        run,
        (_core, "Motion"),
        (_core.Motion, "choose"),
        (_core.Motion, "start"),
        (_core.Motion, "run"),
    )

    small = halfdof.reduce(np.eye(2), None, [[2.0, -1.0], [-1.0, 2.0]])

    def many(**options):
        halfdof.simulate(
            small, step=1e-4, end=10.0, dofs=[], every=100_000, displacement=[1.0, 0.0], **options
        )

    alone, observed = best(many), best(lambda: many(observer=lambda point: None))
    print(
        f"an observer in Python: {1e6 * (observed - alone) / 100_000:.2f} us a step (steps of"
        f" {1e6 * alone / 100_000:.2f} us)"
    )
    read = best(lambda: many(observer=lambda point: point.t))
    print(f"one that reads the time: {1e6 * (read - alone) / 100_000:.2f} us a step")


if __name__ == "__main__":
    main()
