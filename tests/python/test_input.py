# SPDX-License-Identifier: LGPL-2.1-or-later
"""Wrong input gives an error that names the quantity and what to do."""

import numpy as np
import pytest
import scipy.sparse as sparse

import halfdof
from models import chain

EYE = np.eye(2)

WRONG_MATRICES = {
    "masked": (np.ma.masked_array(EYE, mask=[[1, 0], [0, 0]]), "mass is a masked array"),
    "object": (np.array([[1, None], [0, 1]], dtype=object), "mass has the dtype object"),
    "text": ([["a", "b"], ["c", "d"]], "mass has the dtype"),
    "complex": (EYE * (1 + 0.1j), "mass is complex"),
    "shape": (np.eye(3), "mass is 3 x 3, but the stiffness is 2 x 2"),
    "vector": (np.ones(2), "A matrix has two dimensions"),
    "NaN": (np.array([[1.0, np.nan], [0.0, 1.0]]), "row 0, column 1"),
    "infinite": (sparse.csc_matrix([[np.inf, 0], [0, 1.0]]), "row 0, column 0"),
}


@pytest.mark.parametrize("case", WRONG_MATRICES)
def test_wrong_matrices(case):
    matrix, message = WRONG_MATRICES[case]
    with pytest.raises(halfdof.InvalidInput, match=message):
        halfdof.reduce(matrix, None, EYE)


def test_float32_and_whole_numbers_are_accepted():
    expected = halfdof.reduce(EYE, None, 4 * EYE).compare_spectra().after
    for dtype in (np.float32, np.int8, np.int64, np.uint16, bool):
        mass = sparse.csr_matrix(EYE.astype(dtype))
        np.testing.assert_array_equal(halfdof.reduce(mass, None, 4 * EYE).compare_spectra().after, expected)


WRONG_OPTIONS = {
    "missing stiffness": (dict(stiffness=None), "stiffness is missing"),
    "rectangular": (dict(mass=None, stiffness=np.ones((2, 3))), "stiffness is 2 x 3"),
    "constrained": (dict(constrained=[2]), "constrained names DoF 2"),
    "constrained twice": (dict(constrained=[1, 1]), "1"),
    "fraction": (dict(constrained=[0.5]), "constrained has the dtype float64"),
    "mask": (dict(constrained=[True]), "The mask constrained"),
    "method": (dict(method="magic"), 'no method "magic"'),
    "tolerance": (dict(null_tolerance=-1.0), "tolerance"),
    "load": (dict(load=[1.0]), "load has the shape"),
    "load on": (dict(load={5: 1.0}), "load names DoF 5"),
    "prescribed": (dict(prescribed={0: 1.0}), "not constrained"),
    "constraint": (dict(constraints=(np.ones((1, 3)),)), "3 columns"),
    "labels": (dict(labels=halfdof.Labels([0], ["x"])), "1 nodes"),
}


@pytest.mark.parametrize("case", WRONG_OPTIONS)
def test_wrong_options_of_reduce(case):
    options, message = WRONG_OPTIONS[case]
    arguments = {"mass": EYE, "damping": None, "stiffness": 4 * EYE, **options}
    with pytest.raises(halfdof.InvalidInput, match=message):
        halfdof.reduce(**arguments)


WRONG_RUNS = {
    "method": (dict(method="magic"), "no method"),
    "no step": (dict(step=None), "needs the length of a step"),
    "both": (dict(relative_tolerance=1e-3), "Leave out step"),
    "option": (dict(spectral_radius=0.5), 'no option "spectral_radius"'),
    "theta": (dict(theta="x"), "option theta is 'x'. It has to be a number"),
    "states": (dict(method="event-driven", step=None, max_states=2.5), "has to be a whole number"),
    "breakpoints": (dict(method="event-driven", step=None, breakpoints="ab"), "list of numbers"),
    "flag": (dict(position_correction=1), "has to be a flag"),
    "word": (dict(impact_law=1), "has to be a word"),
    "end": (dict(end=-1.0), "end"),
    "step": (dict(step=-0.1), "step"),
    "displacement": (dict(displacement=[1.0]), "displacement has the shape"),
    "times": (dict(times=[0.5, 0.2]), "ascend"),
    "times beyond": (dict(times=[0.5, 2.0]), "from 0.5 to 2"),
    "every": (dict(every=0), "at least 1"),
    "inclusion": (dict(inclusions=[3]), "type int"),
    "dof": (dict(inclusions=[halfdof.DryFriction(7, 1.0)]), "7"),
    "names": (
        dict(inclusions=[halfdof.DryFriction(0, 1.0, name="a"), halfdof.DryFriction(1, 1.0, name="a")]),
        '"a"',
    ),
    "load function": (dict(load=lambda t: np.ones(3)), "shape"),
    "load text": (dict(load={0: "sin(q)"}), "sin"),
    "load none": (dict(load={0: lambda t: None}), "NoneType"),
    "load nothing": (dict(load=lambda t: None), "is None"),
    "load list": (dict(load=[0, "sin(t)"]), "dictionary"),
    "state": (dict(state=np.zeros(4)), "Run.final"),
}


@pytest.mark.parametrize("case", WRONG_RUNS)
def test_wrong_options_of_simulate(case):
    options, message = WRONG_RUNS[case]
    arguments = {"step": 0.1, "end": 1.0, **options}
    with pytest.raises(halfdof.InvalidInput, match=message):
        halfdof.simulate(halfdof.reduce(EYE, None, 4 * EYE), **arguments)


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: halfdof.DryFriction(0, -1.0), "threshold"),
        (lambda: halfdof.DryFriction("x", 1.0), "direction"),
        (lambda: halfdof.DryFriction({0: np.nan}, 1.0), "NaN|nan|finite"),
        (lambda: halfdof.DryFriction(0, None), "NoneType"),
        (lambda: halfdof.StaticKineticFriction(0, 1.0, 2.0), "kinetic"),
        (lambda: halfdof.WeakeningFriction(0, 1.0, 0.5, 0.1, curve="magic"), "no curve"),
        (lambda: halfdof.Contact(0, restitution=2.0), "restitution"),
        (lambda: halfdof.FrictionalContact(0, [1, 2, 3], 0.3), "3 were given"),
        (lambda: halfdof.LawInclusion(0, object()), "derive from halfdof.Law"),
        (lambda: halfdof.Table([0.0], [0.0], beyond="magic"), "magic"),
        (lambda: halfdof.Table([0.0, 1.0], [0.0]), "1"),
        (lambda: halfdof.Table([1.0, 0.0], [0.0, 1.0]), "increase|ascend"),
    ],
)
def test_wrong_laws(make, message):
    with pytest.raises(halfdof.InvalidInput, match=message):
        make()


def test_singular_elimination_names_the_dofs():
    M, _, K = chain(3)
    K = K.tolil()
    K[2, :] = 0
    K[:, 2] = 0
    M = M.tolil()
    M[2, 2] = 0
    with pytest.raises(halfdof.SingularElimination) as caught:
        halfdof.reduce(M, None, K)
    error = caught.value
    assert error.dofs == (2,) and error.block and error.parts[0].remedy
    assert isinstance(error, halfdof.Error)
    diagnosis = halfdof.diagnose(M, None, K)
    assert not diagnosis.is_regular and diagnosis.problems[0].dofs == (2,)


def test_blow_up_names_time_and_dof_and_keeps_the_run():
    reduced = halfdof.reduce([[1.0]], [[-50.0]], [[1.0]])
    with pytest.raises(halfdof.Error) as caught:
        halfdof.simulate(reduced, step=0.01, end=1e3, displacement=[1.0])
    assert isinstance(caught.value, halfdof.BlowUp)
    assert caught.value.dofs == (0,) and caught.value.time > 0
    assert len(caught.value.run.t) > 10 and not caught.value.run.is_complete


def test_warnings_of_models():
    with pytest.warns(halfdof.ModelWarning, match="DoF 1"):
        halfdof.reduce(np.diag([1.0, 1e-14]), None, EYE)
    with pytest.warns(halfdof.ModelWarning, match="null by null_tolerance"):
        halfdof.reduce(np.diag([1.0, 1e-14]), None, EYE, null_tolerance=1e-10)
    M, K = np.diag([1.0, 0.0]), np.array([[4.0, -4.0], [-4.0, 8.0]])
    reduced = halfdof.reduce(M, None, K)
    with pytest.warns(halfdof.ConsistencyWarning):
        reduced.consistent_state([1.0, 3.0])
    with pytest.raises(halfdof.InvalidInput):
        reduced.consistent_state([1.0, 3.0], strict=True)


def test_files_are_read_and_refused(tmp_path):
    import scipy.io

    M, C, K = chain(4, 1)
    scipy.io.savemat(tmp_path / "model.mat", {"M": M, "C": C, "K": K})
    sparse.save_npz(tmp_path / "K.npz", K)
    model = halfdof.read_model(tmp_path / "model.mat")
    assert (model.stiffness != K).nnz == 0 and model.formats
    assert model.reduce().n_states == halfdof.reduce(M, C, K).n_states
    assert (halfdof.read_matrix(tmp_path / "K.npz") != K).nnz == 0
    (tmp_path / "broken.mtx").write_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 x 3\n")
    with pytest.raises(halfdof.FileError) as caught:
        halfdof.read_matrix(tmp_path / "broken.mtx")
    assert caught.value.line == 3 and caught.value.file.endswith("broken.mtx")


@pytest.mark.parametrize(
    "name", ["K.mtx", "K.npz", "K.mat", "K.hb", "K.op4", "K.petsc", "K.pch", "K.inp", "K.sti"]
)
def test_matrices_are_written_in_every_format(tmp_path, name):
    K = chain(4)[2]
    labels = halfdof.Labels(node=[1, 1, 2, 2], component=["x", "y", "x", "y"])
    has_labels = name in ("K.pch", "K.inp", "K.sti")
    halfdof.write_matrices(tmp_path / name, {"K": K}, labels=labels if has_labels else None)
    found = halfdof.read_model(tmp_path / name).stiffness
    assert np.abs(found - K).max() == 0
    with pytest.raises(halfdof.InvalidInput, match="does not say the format"):
        halfdof.write_matrices(tmp_path / "m.magic", {"K": K})


def test_breakpoints_may_be_an_array():
    run = halfdof.simulate(
        halfdof.reduce(EYE, None, 4 * EYE),
        method="event-driven",
        end=1.0,
        breakpoints=np.array([0.5]),
        rate=[1, 0],
    )
    assert 0.5 in run.t


def test_runs_become_tables():
    pandas = pytest.importorskip("pandas")
    run = halfdof.simulate(
        halfdof.reduce(EYE, None, 4 * EYE),
        [halfdof.DryFriction(0, 0.1, name="pad")],
        step=0.1,
        end=0.5,
        rate=[1, 0],
    )
    table = run.to_pandas()
    assert isinstance(table, pandas.DataFrame) and list(table.columns) == ["q 0", "v 0", "q 1", "v 1", "pad"]
    assert table.index[-1] == 0.5
    pytest.importorskip("xarray")
    assert run.to_xarray()["q"].dims == ("t", "dof")


def test_octave_reads_the_state_space(tmp_path):
    import shutil
    import subprocess

    if shutil.which("octave") is None:
        pytest.skip("there is no octave")
    reduced = halfdof.reduce(*chain(4, 1))
    assert reduced.write_state_space(tmp_path / "out", outputs=[0], formats=["octave"]) < 1e-9
    script = "run('state_space.m'); printf('%d', size(A, 1));"
    result = subprocess.run(
        ["octave", "--no-gui", "--quiet", "--eval", script],
        cwd=tmp_path / "out",
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.rstrip().endswith(str(reduced.n_states))


def test_one_triangle_gives_a_warning():
    with pytest.warns(halfdof.ModelWarning, match="stiffness has entries on one side"):
        halfdof.reduce(None, None, np.array([[2.0, -1.0, 0.0], [0.0, 2.0, -1.0], [0.0, 0.0, 2.0]]))


def test_values_of_single_dofs():
    reduced = halfdof.reduce(EYE, None, 4 * EYE)
    one = halfdof.simulate(reduced, step=0.1, end=0.5, displacement={1: 2.0})
    two = halfdof.simulate(reduced, step=0.1, end=0.5, displacement=[0.0, 2.0])
    np.testing.assert_array_equal(one.q, two.q)
    with pytest.raises(halfdof.InvalidInput, match="result of halfdof.reduce"):
        halfdof.simulate(EYE, step=0.1, end=0.5)
