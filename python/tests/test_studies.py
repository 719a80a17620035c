"""Runs and studies in Python give what the program gives, bit for bit; they stop and go on."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from logs import PROGRAM, program
from test_domains import Walk

import bellwether as bw

STUDIES = Path(__file__).parents[2] / "studies"
TEXT = """
title = "Two learners on a chain"
[domain]
name = "boyan_chain"
size = [12, 24]
[run]
steps = 200
every = 20
seeds = 25
metrics = ["relative", "rmse"]
[[learner]]
name = "td"
label = "TD"
alpha = "0.1 * 2^j, j = -3..2"
lambda = [0, 0.9]
[[learner]]
name = "lstd"
inverse_init = [1, 100]
[scale.quick.run]
seeds = 3
"""


def assert_run_equals_program(run, told):
    said = json.loads(told)
    every = [said, *said["others"]]
    assert [one["metric"] for one in every] == run.metrics
    for one in every:
        curve = run.curves[one["metric"]]
        assert [point["step"] for point in one["curve"]] == run.steps.tolist()
        for field in ("mean", "half_width"):
            theirs = [np.nan if point[field] is None else point[field] for point in one["curve"]]
            assert np.array_equal(curve[field], theirs, equal_nan=True)
            for score in ("average", "last"):
                assert curve[score][field] == one[score][field] or one[score][field] is None
    assert run.diverged == said["diverged"] and run.case["dim"] == said["dim"]


@pytest.mark.parametrize("learner", bw.LEARNERS)
def test_a_run_of_every_learner_has_the_bits_of_the_program(learner):
    told = program("run", "--domain", "collision", "--learner", learner, "--steps", 150, "--runs", 3, "--json")
    assert_run_equals_program(bw.run("collision", learner, steps=150, runs=3), told)


def test_a_run_with_features_metrics_and_parameters_has_the_bits_of_the_program():
    words = [
        "--domain",
        "mountain_car",
        "--learner",
        "td",
        "--features",
        "own + noise(count=10 active=5)",
        "--steps",
        200,
        "--every",
        40,
    ]
    words += ["--runs", 3, "--seed", 9, "--metric", "rmse,mspbe", "--states", 30, "--rollouts", 20, "--json"]
    words += ["--bellman_steps" if "bellman_steps" in program("run", "--help") else "--bellman-steps", 4000]
    for setting in ("alpha=0.05", "lambda=0.7", "domain.randomness=0.1"):
        words += ["--set", setting]
    run = bw.run(
        bw.MountainCar(randomness=0.1),
        "td",
        alpha=0.05,
        lambda_=0.7,
        features="own + noise(count=10 active=5)",
        steps=200,
        every=40,
        runs=3,
        seed=9,
        metric="rmse,mspbe",
        evaluation={"states": 30, "rollouts": 20, "bellman_steps": 4000},
    )
    assert_run_equals_program(run, program("run", *words))
    table = run.to_pandas()
    assert list(table) == ["step", "rmse", "rmse_half_width", "mspbe", "mspbe_half_width"] and len(table) == 6
    assert "td on mountain_car" in repr(run) and "rmse" in repr(run)


def test_a_run_does_not_depend_on_the_number_of_threads_and_tells_progress():
    shares = []
    one = bw.run("boyan_chain", "td", runs=8, jobs=1, steps=20_000, every=5000, progress=shares.append)
    two = bw.run("boyan_chain", "td", runs=8, jobs=3, steps=20_000, every=5000)
    assert np.array_equal(one.mean, two.mean)
    assert all(0 <= share <= 1 for share in shares)


def test_wrong_input_is_one_clear_error():
    for call, message in [
        (lambda: bw.run("boyan_chain", "tdd"), "there is no learner 'tdd'; did you mean 'td'"),
        (lambda: bw.run("boyan_chain", 3), "learner is 3; a name such as 'td'"),
        (lambda: bw.run("boyan_chian"), "did you mean 'boyan_chain'"),
        (lambda: bw.run("boyan_chain", "td", alhpa=1), "did you mean 'alpha'"),
        (lambda: bw.run("boyan_chain", "td", alpha=-1), "alpha"),
        (lambda: bw.run("boyan_chain", metric="rsme"), "did you mean 'rmse'"),
        (lambda: bw.run("boyan_chain", metric="rmse,rmse"), "asked for twice"),
        (lambda: bw.run("boyan_chain", steps=0), "steps"),
        (lambda: bw.run("boyan_chain", steps=10**9, every=1), "measurements are outside"),
        (lambda: bw.run("boyan_chain", evaluation={"state": 3}), "did you mean 'states'"),
        (lambda: bw.run("boyan_chain", features="tilecoding"), "did you mean 'tile_coding'"),
        (lambda: bw.run("boyan_chain", "td", alpha=[0.1, 0.2]), "one value for each parameter"),
        (lambda: bw.run("boyan_chain", jobs=0), r"jobs is 0, which is outside \[1, 1024\]"),
        (lambda: bw.Study("boyan_chain", step=3), "did you mean 'steps'"),
        (lambda: bw.Study([]), "no domain"),
        (lambda: bw.Study("boyan_chain").add("td", alpha=[]), "alpha has no values"),
        (lambda: bw.Study("boyan_chain").add("td").add("td"), "same setting twice"),
        (lambda: bw.Study("boyan_chain").add("td", label="x").add("lstd", label="x"), "another learner already"),
        (lambda: bw.Study.from_toml(TEXT.replace("td", "tdd", 1)), "there is no learner"),
        (lambda: bw.Study.from_toml(TEXT, scale="quik"), "quick"),
        (lambda: bw.Study.from_toml(TEXT).add("td"), "read from TOML"),
        (lambda: bw.sweep(bw.Study("boyan_chain")), "no learner to run"),
    ]:
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(OSError, match="cannot be opened"):
        bw.Study.from_toml("nowhere.toml")
    with pytest.raises(OSError, match="no folder"):
        bw.sweep(bw.Study("boyan_chain").add("td"), "nowhere/x.db")


def test_a_learner_may_be_given_as_its_class():
    named, typed = (bw.run("boyan_chain", learner, alpha=0.2, runs=2, steps=50) for learner in ("td", bw.TD))
    assert np.array_equal(named.mean, typed.mean) and typed.learner == "td"


def test_the_parameter_that_a_learner_shares_with_run_can_be_given():
    learner = next(name for name in bw.LEARNERS if "seed" in bw.make_learner(name, 4).settings)
    run = bw.run("boyan_chain", learner, parameters={"seed": 5}, runs=2, steps=50)
    assert run.parameters["seed"] == 5 and run.protocol["seed"] == 1


@pytest.mark.parametrize("scale", ["", "quick"])
def test_a_sweep_of_a_study_file_has_the_bits_of_the_program(tmp_path, scale):
    file = tmp_path / "pair.toml"
    file.write_text(TEXT)
    program("sweep", file, "--out", tmp_path / "theirs.db", *(["--scale", scale] if scale else []))
    ours = bw.sweep(bw.Study.from_toml(file, scale), tmp_path / "ours.db", jobs=2)
    assert (
        ours.digest
        == bw.Results(tmp_path / "theirs.db").digest
        == program("results", tmp_path / "ours.db", "--digest").split()[0]
    )
    assert ours.study["name"] == "pair" and ours.study["scale"] == (scale or "paper") and len(ours) == 28
    from_text = bw.sweep(bw.Study.from_toml(TEXT, scale, name="pair"), tmp_path / "text.db")
    assert from_text.digest == ours.digest


def test_a_figure_of_the_paper_has_the_bits_of_the_program(tmp_path):
    program("sweep", STUDIES / "boyan.toml", "--scale", "quick", "--out", tmp_path / "theirs.db")
    ours = bw.sweep(bw.Study.from_toml(STUDIES / "boyan.toml", "quick"), tmp_path / "ours.db")
    assert ours.digest == bw.Results(tmp_path / "theirs.db").digest and len(ours) == 405


def test_a_study_that_python_built_is_written_as_a_file_with_the_same_results(tmp_path):
    study = bw.Study(
        [("random_walk", "own + noise(count=4 active=2)"), bw.BoyanChain(size=24)],
        name="built",
        about='with "quotes" and \\ in it',
        steps=100,
        every=10,
        seeds=12,
        metrics=["rmse", "mspbe"],
        bellman_lambda=0.5,
        weights="visits",
    )
    study.add("td", alpha=np.array([0.1, 0.2]), lambda_=[0, 0.5]).add("atd", label="second", rank=[2, 4])
    assert len(study) == 12 and study.runs == 144
    ours = bw.sweep(study, tmp_path / "ours.db")
    (tmp_path / "built.toml").write_text(study.to_toml())
    program("sweep", tmp_path / "built.toml", "--out", tmp_path / "theirs.db")
    assert ours.digest == bw.Results(tmp_path / "theirs.db").digest
    assert bw.Study.from_toml(tmp_path / "built.toml").to_toml() == study.to_toml()


def test_results_are_the_tables_of_the_program(tmp_path):
    results = bw.sweep(bw.Study.from_toml(TEXT, "quick"), tmp_path / "x.db")
    for ours, words in ((results.to_pandas(), []), (results.best("rmse"), ["--best", "--metric", "rmse"])):
        said = pd.read_csv(
            io.StringIO(program("results", tmp_path / "x.db", "--csv", *words)), float_precision="round_trip"
        )
        assert list(ours) == list(said) and len(ours) == len(said)
        for column in said:
            mine = ours[column].map(lambda cell: np.nan if cell == "" else cell)
            if said[column].dtype.kind in "fi":
                assert np.array_equal(mine.astype(float), said[column].astype(float), equal_nan=True), column
            else:
                assert mine.astype(str).tolist() == said[column].astype(str).tolist(), column
    curves = results.to_pandas(curves=True)
    assert len(curves) == 28 * 2 * 11
    steps, mean, half_width = results.curve(1, "rmse")
    first = curves[(curves.setting == 1) & (curves.metric == "rmse")]
    assert np.array_equal(first["mean"], mean) and np.array_equal(first["half_width"], half_width)
    assert first["step"].tolist() == steps == list(range(0, 201, 20))
    judged = results.held_out(against="TD")
    assert set(judged.label) == {"TD", "lstd"} and judged.set_index("label").ratio["TD"] == 1
    judged = results.held_out(against="lstd", per="alpha")
    assert {"TD, alpha=0.1", "lstd"} < set(judged.label) and judged.set_index("label").ratio["lstd"] == 1


def test_the_page_of_a_report_is_that_of_the_program(tmp_path):
    results = bw.sweep(bw.Study.from_toml(TEXT, "quick"), tmp_path / "x.db")
    page = results.report(tmp_path / "page.html")
    program("report", tmp_path / "x.db", "-o", tmp_path / "theirs.html")
    assert page.read_text() == (tmp_path / "theirs.html").read_text() and "<html" in page.read_text()
    with pytest.raises(ValueError, match="would overwrite"):
        results.report(tmp_path / "x.db")
    inline = results._repr_html_()
    assert inline.count("<div") == 2 and "<svg" in inline and "Two learners on a chain" in inline and "TD" in inline
    assert "28 settings, 84 of 84 runs done" in repr(results)


def test_a_domain_of_python_stands_beside_others_in_a_study(tmp_path):
    cases = [Walk(), bw.RandomWalk(size=5)]
    study = bw.Study(cases, steps=100, every=50, seeds=11, metrics="rmse", states=20, rollouts=200)
    study.add("td", alpha=[0.1, 0.5])
    results = bw.sweep(study, tmp_path / "x.db", jobs=2)
    assert [row["domain"] for row in results.ranked(case=0) + results.ranked(case=1)] == ["walk"] * 2 + [
        "random_walk"
    ] * 2
    again = bw.sweep(study, tmp_path / "y.db", jobs=1)
    assert again.digest == results.digest
    assert "walk" in program("results", tmp_path / "x.db")
    program("report", tmp_path / "x.db", "-o", tmp_path / "page.html")
    alone = bw.run(
        Walk(), "td", alpha=0.5, steps=100, runs=11, metric="rmse", evaluation={"states": 20, "rollouts": 200}
    )
    best = next(row for row in results.ranked(case=0) if row["parameters"]["alpha"] == 0.5)
    assert np.allclose(results.curve(best["setting"])[1], alone.mean, rtol=1e-12)


def test_a_sweep_that_is_interrupted_keeps_its_results_and_goes_on(tmp_path):
    code = f"""
import bellwether as bw
study = bw.Study("boyan_chain", name="long", steps=10000, every=1000, seeds=100).add("lstd", lambda_=[0, 0.5, 0.9])
print("begun", flush=True)
try:
    bw.sweep(study, {str(tmp_path / "x.db")!r}, jobs=1)
    print("finished")
except KeyboardInterrupt:
    print("stopped", flush=True)
"""
    sweep = [sys.executable, "-c", code]
    process = subprocess.Popen(sweep, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begun\n"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        time.sleep(0.1)
        if (tmp_path / "x.db").exists() and bw_runs(tmp_path / "x.db") > 0:
            break
    os.kill(process.pid, signal.SIGINT)
    said, _ = process.communicate(timeout=60)
    assert said == "stopped\n" and process.returncode == 0
    kept = bw_runs(tmp_path / "x.db")
    assert 0 < kept < 300
    assert subprocess.run(sweep, stdout=subprocess.PIPE, text=True, check=True).stdout == "begun\nfinished\n"
    assert bw_runs(tmp_path / "x.db") == 300
    whole = bw.Study("boyan_chain", name="long", steps=10000, every=1000, seeds=100).add("lstd", lambda_=[0, 0.5, 0.9])
    assert bw.sweep(whole, tmp_path / "y.db", jobs=2).digest == bw.Results(tmp_path / "x.db").digest


def test_a_run_is_interrupted_by_a_signal():
    code = """
import bellwether as bw
print("begun", flush=True)
try:
    bw.run("mountain_car", "lstd", steps=10**7, runs=1, metric="msbe", jobs=1)
except KeyboardInterrupt:
    print("stopped", flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begun\n"
    time.sleep(1)
    os.kill(process.pid, signal.SIGINT)
    assert process.communicate(timeout=60)[0] == "stopped\n" and process.returncode == 0


def bw_runs(file) -> int:
    try:
        return int(bw.Results(file).to_pandas()["runs"].sum())
    except (ValueError, OSError, KeyError):
        return 0


def test_files_that_are_no_results_are_refused(tmp_path):
    (tmp_path / "text.db").write_text("no results")
    with pytest.raises(ValueError, match="text.db"):
        bw.Results(tmp_path / "text.db")
    with pytest.raises(FileNotFoundError, match="no such file"):
        bw.Results(tmp_path / "none.db")
    results = bw.sweep(bw.Study.from_toml(TEXT, "quick"), tmp_path / "x.db")
    for call, message in [
        (lambda: bw.Results(tmp_path / "x.db", study="studdy"), "did you mean 'study'"),
        (lambda: bw.Results(tmp_path / "x.db", scale="paper"), "no scale 'paper'"),
        (lambda: results.best("rsme"), "did you mean 'rmse'"),
        (lambda: results.ranked(case=2), "no case 2"),
        (lambda: results.curve(99), "no setting 99"),
        (lambda: results.held_out(against="TDD"), "did you mean 'TD'"),
        (lambda: results.held_out(per="alhpa"), "no swept parameter 'alhpa'; did you mean 'alpha'"),
        (lambda: results.held_out(per="trace"), "no swept parameter 'trace'"),
        (lambda: results.plot_curves(learners=["lstdd"]), "did you mean 'lstd'"),
        (lambda: results.plot_sensitivity("alhpa"), "did you mean 'alpha'"),
        (lambda: results.report(tmp_path / "p.html", curves="al"), "did you mean 'all'"),
    ]:
        with pytest.raises(ValueError, match=message):
            call()


def test_the_program_was_built_beside_the_package():
    assert PROGRAM.exists()
