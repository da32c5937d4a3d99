# SPDX-License-Identifier: LGPL-2.1-or-later
"""Keeps what failed, as small as the failure allows."""

import os
import time

from cases import References, agreement, judged
from sums import model_of

MOST_SHRUNK, MOST_KEPT = 1, 12  # of one family, verb and label, and process
SECONDS = 5  # to shrink one case


def keep(report, case, program, folder, kept):
    if report.status not in ("wrong", "crashed", "refused"):
        return
    key = case.family.name, report.status, report.verb, report.label
    kept[key] += 1
    if kept[key] > MOST_KEPT:
        return
    if report.run in case.runs:
        folder += f"-{report.verb.replace(' --', '-').replace('form ', '')}-{case.runs.index(report.run)}"
    else:
        folder += "-agreement"
    write(report, case.model, case.references, program, folder)
    if report.status == "refused" or kept[key] > MOST_SHRUNK or case.model.roots or case.model.nominal:
        return
    small, run = shrunk(report, case.model, program)
    if small is not case.model:
        references = References(small)
        again = run_again(run, small, references, program)[-1]
        write(again, small, references, program, os.path.join(folder, "shrunk"))


def write(report, model, references, program, folder):
    os.makedirs(folder, exist_ok=True)
    for run in runs_of(report.run):
        program.call_in(folder, run, model)
        os.rename(os.path.join(folder, "command"), os.path.join(folder, "command-" + run["verb"]))
    with open(os.path.join(folder, "found.txt"), "w") as file:
        for name in ("status", "verb", "label", "text"):
            file.write(f"{name}: {getattr(report, name)}\n")
        file.write(f"exact: {references.description()}\n")
        outcome = report.outcome
        if outcome is not None:
            file.write(f"\nexit code {outcome.code}\n\n{outcome.output}\n{outcome.messages}\n")


def runs_of(run):
    if run["verb"] != "agreement":
        return [run]
    reduce = {"verb": "reduce", "form": "dense", "observe": []}
    return [{"verb": "inspect"}, {"verb": "modes", "all": True}, reduce]


def run_again(run, model, references, program):
    reports = [judged(one, references, program.call(one, model)) for one in runs_of(run)]
    return agreement(reports) or reports[:1] if run["verb"] == "agreement" else reports


def shrunk(report, model, program):
    """A smaller model and its run, which fails in the same way: greedy, until nothing helps or time is up."""
    deadline = time.time() + SECONDS
    run = report.run

    def fails(candidate, its_run):
        if time.time() > deadline:
            return False
        try:
            again = run_again(its_run, candidate, References(candidate), program)
        except Exception:  # nothing is left of the question
            return False
        return any(r.status == report.status and r.label == report.label for r in again)

    changed = True
    while changed and time.time() < deadline:
        changed = False
        for candidate, its_run in smaller(model, run):
            if fails(candidate, its_run):
                model, run, changed = candidate, its_run, True
                break
    return model, run


def smaller(model, run):
    """Candidates: a DoF less, then less beside the matrices, a smaller count, zeros, ones and integers."""
    if model.reference:
        yield from smaller_sums(model, run)
        return
    for dof in range(model.n if model.n > 1 else 0):
        its_run = without_dof(run, dof)
        if its_run:
            yield model.without_dof(dof), its_run
    if model.constrained:
        for i in model.constrained:
            candidate = model.copy()
            candidate.constrained.remove(i)
            yield candidate, run
    if model.n_rows:
        for i in range(model.n_rows):
            candidate = model.copy()
            for rows in (candidate.rate, candidate.position):
                if rows:
                    del rows[i]
            candidate.rate, candidate.position = candidate.rate or None, candidate.position or None
            yield candidate, run
    if run.get("count", 1) > 1:
        yield model, dict(run, count=run["count"] - 1)
    for value in (0.0, 1.0, None):
        for k, matrix in enumerate(model.matrices()):
            symmetric = all(matrix[i][j] == matrix[j][i] for i in range(model.n) for j in range(i))
            for i in range(model.n):
                for j in range(model.n):
                    old = matrix[i][j]
                    new = float(round(old)) if value is None else value
                    if old == 0 or old == new or (value == 1.0 and old == -1) or (symmetric and j > i):
                        continue
                    candidate = model.copy()
                    candidate.matrices()[k][i][j] = new
                    if symmetric:
                        candidate.matrices()[k][j][i] = new
                    yield candidate, run


def smaller_sums(model, run):
    """Of a direct sum: fewer or simpler parts, fewer steps, a smaller count; DoFs by their names only."""
    if not hasattr(model.reference, "mixture"):
        return
    for mixture in model.reference.mixture.smaller():
        candidate = model_of(mixture)
        if all(i < candidate.n for key in ("observe", "input", "output") for i in run.get(key, ())):
            yield candidate, run
    if run.get("count", 1) > 1:
        yield model, dict(run, count=run["count"] - 1)


def without_dof(run, dof):
    """The run with DoFs counted anew; None where it asks for this one alone."""
    run = dict(run)
    for key in ("observe", "input", "output"):
        if run.get(key):
            run[key] = [i - (i > dof) for i in run[key] if i != dof]
            if not run[key]:
                return None
    return run
