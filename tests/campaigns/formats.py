# SPDX-License-Identifier: LGPL-2.1-or-later
"""Random matrices in files that SciPy writes, read by the program and compared entry by entry.

    formats.py PROGRAM RESULTS [n] [seed]

Each matrix is written by one writer of SciPy or NumPy, `halfdof convert` writes it in a second format, and from there
as .npz, which SciPy reads. Every entry has to be the same double.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile

try:
    import numpy
    import scipy.io
    import scipy.sparse as sparse
except ImportError:
    print("skipped: there is no SciPy (python3-scipy)")
    sys.exit(0)

try:
    import h5py
except ImportError:
    h5py = None

# Formats without labels, in which every square or rectangular matrix has its place.
BETWEEN = ["b.mtx", "b.npz", "b.mat", "b73.mat", "b.hb", "b.petsc", "b.op4"]


def number(chance, kind):
    if kind == "integer":
        return chance.randrange(-2**53, 2**53) if chance.random() < 0.2 else chance.randrange(-99, 100)
    if kind == "simple":
        return chance.randrange(-999, 1000) / 8
    value = chance.uniform(-1, 1) * 10.0**chance.randrange(-300, 300)
    return value if value != 0 else 1.0


def matrix(chance, kind):
    n_rows, n_columns = chance.randrange(1, 12), chance.randrange(1, 12)
    symmetric = chance.random() < 0.4
    if symmetric:
        n_columns = n_rows
    entries = numpy.zeros((n_rows, n_columns), dtype=numpy.int64 if kind == "integer" else float)
    for _ in range(chance.randrange(1, 3 * max(n_rows, n_columns))):
        i, j = chance.randrange(n_rows), chance.randrange(n_columns)
        entries[i, j] = number(chance, kind)
        if symmetric:
            entries[j, i] = entries[i, j]
    if chance.random() < 0.1:
        entries = numpy.clip(entries, -1e30, 1e30).astype(numpy.float32)
    return entries


def write_mat(path, A, chance):
    form = chance.choice([numpy.asarray, sparse.csc_matrix])
    A = A.astype(float) if form is sparse.csc_matrix else A
    scipy.io.savemat(path, {"K": form(A)}, do_compression=chance.random() < 0.5)


def write_npz(path, A, chance):
    form = chance.choice(["csr", "csc", "coo", "dia", "bsr"])
    sparse.save_npz(path, sparse.coo_matrix(A).asformat(form), compressed=chance.random() < 0.5)


def write_npy(path, A, chance):
    A = A.astype(A.dtype.newbyteorder(chance.choice("<>")))
    numpy.save(path, numpy.asfortranarray(A) if chance.random() < 0.5 else A)


def write_market(path, A, chance):
    # Seventeen digits give the same doubles.
    scipy.io.mmwrite(path, sparse.coo_matrix(A) if chance.random() < 0.7 else A, precision=17)


def write_harwell_boeing(path, A, chance):
    scipy.io.hb_write(path, sparse.csc_matrix(A))


WRITERS = [("a.mat", write_mat), ("a.npz", write_npz), ("a.npy", write_npy), ("a.mtx", write_market),
           ("a.hb", write_harwell_boeing)]


def convert(program, folder, source, target):
    command = [program, "convert", source, "--output", target, "--names", "K"]
    if target == "b73.mat":
        command += ["--format", "mat-7.3"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)


def read_by_others(path, shape):
    """Returns the matrix of a file by another reader than the program's, or None. SciPy reads square matrices of
    Harwell-Boeing files only."""
    if path.endswith("b.hb") and shape[0] == shape[1]:
        return scipy.io.hb_read(path).toarray()
    if path.endswith("b73.mat") and h5py is not None:
        with h5py.File(path) as file:
            K = file["K"]
            starts = K["jc"][...]
            shape = (int(K.attrs["MATLAB_sparse"]), len(starts) - 1)
            return sparse.csc_matrix((K["data"][...], K["ir"][...], starts), shape=shape).toarray()
    return None


def check(program, chance):
    """Returns what is wrong, or None."""
    name, write = chance.choice(WRITERS)
    kind = chance.choice(["integer", "simple", "any"])
    A = matrix(chance, kind)
    if name == "a.hb":
        # SciPy cannot write a Harwell-Boeing file without entries.
        A = A.astype(float) if A.any() else numpy.ones((1, 1))
    with tempfile.TemporaryDirectory(prefix="halfdof-formats-") as folder:
        write(os.path.join(folder, name), A, chance)
        middle = chance.choice(BETWEEN)
        for source, target in [(name, middle), (middle, "last.npz")]:
            result = convert(program, folder, source, target)
            if result.returncode != 0:
                return f"{name} -> {middle}: {source} was refused: {result.stderr.strip()}\n{A!r}"
        read = sparse.load_npz(os.path.join(folder, "last.npz")).toarray()
        others = read_by_others(os.path.join(folder, middle), A.shape)
    expected = A.astype(float)
    if others is not None and not (others == expected).all():
        return f"{name} -> {middle}: another reader finds other entries:\n{expected!r}\n{others!r}"
    if read.shape != expected.shape or not (read == expected).all():
        return f"{name} -> {middle}: entries differ:\n{expected!r}\n{read!r}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("results")
    parser.add_argument("n", nargs="?", type=int, default=300)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    arguments = parser.parse_args()
    os.makedirs(arguments.results, exist_ok=True)
    arguments.program = os.path.abspath(arguments.program)
    chance = random.Random(arguments.seed)
    wrong = [found for found in (check(arguments.program, chance) for _ in range(arguments.n)) if found]
    with open(os.path.join(arguments.results, "formats.txt"), "w") as file:
        file.write("\n\n".join(wrong))
    print(f"{arguments.n} matrices, {len(wrong)} wrong")
    print("\n\n".join(wrong[:5]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
