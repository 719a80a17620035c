"""What makes docs/reproduction.md: summaries of results, and pages whose words and verdicts follow from them."""

import csv
import pathlib
import signal
import subprocess
import sys
import time

import pytest
from logs import PROGRAM, program

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "scripts" / "reproduction"))

from collect import collect
from page import Page, rendered
from summaries import Summaries, number

STUDY = """
title = "A small study"
[domain]
name = "boyan_chain"
[run]
steps = 200
every = 20
seeds = 6
metrics = ["relative", "rmse"]
[[learner]]
name = "td"
label = "TD"
alpha = [0.01, 0.1, 0.4]
[[learner]]
name = "atd"
label = "ATD"
rank = [1, 4]
eta = [0.0001, 0.001]
"""

CROSSING = {"A": [5, 3, 4, 1, 1], "B": [5, 4, 3, 2, 2]}
SENSITIVE = ["A,alpha,1,0.5", "A,alpha,2,0.6", "B,alpha,1,0.5", "B,alpha,2,inf"]


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("reproduction")
    (place / "small.toml").write_text(STUDY)
    program("sweep", place / "small.toml", "--out", place / "small.db")
    collect(PROGRAM, place, place / "small.db")
    return place


def test_summaries_have_the_numbers_of_the_program(folder):
    shown = program("results", folder / "small.db", "--held-out", "--per", "rank", "--against", "TD", "--csv")
    for metric, place in (("relative", folder / "small"), ("rmse", folder / "small" / "rmse")):
        said = {row["label"]: row for row in csv.DictReader(shown.splitlines()) if row["metric"] == metric}
        assert set(said) == {"TD", "ATD, rank=1", "ATD, rank=4"}
        summaries = {row["label"]: row for row in rows(place / "learners.csv") + rows(place / "values.csv")}
        assert set(summaries) == {*said, "ATD"}
        pairs = {row["label"]: row for row in rows(place / "pairs.csv") if row["reference"] == "TD"}
        for label, row in said.items():
            assert float(summaries[label]["average"]) == pytest.approx(float(row["average"]), rel=1e-5)
            if label != "TD":
                difference = float(pairs[label]["average_difference"])
                assert difference == pytest.approx(float(row["average_difference"]), rel=1e-4)
        curve = [row for row in rows(place / "curves.csv") if row["label"] == "ATD, rank=4"]
        assert [int(row["step"]) for row in curve] == list(range(0, 201, 20))
        assert {row["value"] for row in rows(place / "sensitivity.csv") if row["parameter"] == "rank"} == {"1", "4"}
    assert list((folder / "small").glob("small-paper-*.svg"))


def test_a_page_shows_what_the_summaries_hold(folder):
    page = Page(folder)
    table = page.table("small").splitlines()
    assert len(table) == 4 and all(row["label"] in "".join(table) for row in rows(folder / "small" / "learners.csv"))
    ranks = page.variants("small", "ATD, rank=4", ("TD", "TD"), ("rank", "ATD", "rank")).splitlines()
    assert [line.split(" | ")[0] for line in ranks[2:]] == ["| TD", "| rank 1", "| rank 4"]
    assert page.difference("small/rmse", "ATD, rank=1", "ATD, rank=4") == ranks[3].split(" | ")[4]
    assert ranks[4].split(" | ")[2] == ranks[4].split(" | ")[4] == "", "nothing is different from itself"
    text = (
        '{{ if has("small") }}\nhere {{ error("small", "TD") }}\n{{ end }}\n{{ if has("other") }}\nthere\n{{ end }}\n'
    )
    row = next(row for row in rows(folder / "small" / "learners.csv") if row["label"] == "TD")
    assert rendered(text, page) == f"here {number(row['average'])} ± {number(row['average_half_width'])}\n"
    assert page.pending({"A": ["small"], "B": ["small", "other"]}).startswith("Not yet run at this scale: B.")


def test_verdicts_follow_from_intervals(tmp_path):
    (tmp_path / "study").mkdir()

    def write(table, *lines):
        (tmp_path / "study" / f"{table}.csv").write_text("\n".join(lines) + "\n")

    write(
        "pairs",
        "case,label,reference,average_difference,average_difference_half_width,average_ratio",
        "c,A,B,-0.2,0.1,0.8",
        "c,A,C,-0.2,0.3,0.8",
        "c,A,D,0.2,0.1,1.2",
    )
    write("curves", "case,label,step,mean,half_width", "c,A,500,1,0.3", "c,B,500,1.6,0.4", "c,C,500,1.4,0.4")
    write("sensitivity", "case,label,parameter,value,average", "c,A,eta,1,0.5", "c,A,eta,2,0.6", "c,B,alpha,1,inf")
    write("learners", "case,label,average", "c,A,0.5", "c,B,0.55")
    (tmp_path / "study" / "origin.json").write_text('{"processor_hours": 1.26}')
    s = Summaries(tmp_path)
    assert s.below("study", "A", "B").true
    assert not s.below("study", "A", "C").true, "its interval holds 0"
    assert s.difference("study", "B", "A") == "0.2 ± 0.1" and not s.below("study", "B", "A").true, "the other way round"
    assert s.close("study", "A", "B", 1.1).true and not s.close("study", "A", "D", 1.1).true
    assert s.sooner("study", "A", "B", 500).true, "0.6 is more than the root of 0.09 + 0.16"
    assert not s.sooner("study", "A", "C", 500).true
    assert s.steady("study", "A", "eta", 1.2).true and not s.steady("study", "A", "eta", 1.1).true
    assert s.untuned("study", "A", "eta", "B", 1.1).true and not s.untuned("study", "A", "eta", "B", 1).true
    better, worse = s.below("study", "A", "B"), s.below("study", "A", "D")
    assert s.claim("X", "says", better).endswith("| A minus B: -0.2 ± 0.1 | **holds** |")
    assert s.claim("X", "says", better, worse).endswith("**holds partly** |")
    assert s.claim("X", "says", worse).endswith("**does not hold** |")
    write("sensitivity", "case,label,parameter,value,average", *(f"c,{one}" for one in SENSITIVE))
    s = Summaries(tmp_path)
    assert s.steadier("study", "A", "B", "alpha").true and not s.steadier("study", "B", "A", "alpha").true
    assert s.sensitive("study", "B", "alpha", 2).true and not s.sensitive("study", "A", "alpha", 2).true
    table = Page(tmp_path).differences("study", {"here": "c"}, [("A", "B"), ("A", "D")]).splitlines()
    assert table == ["|  | A minus B | A minus D |", "| --- | --- | --- |", "| here | -0.2 ± 0.1 | 0.2 ± 0.1 |"]
    curves = [f"c,{label},{step},{mean},0" for label, means in CROSSING.items() for step, mean in enumerate(means)]
    write("curves", "case,label,step,mean,half_width", *curves)
    s = Summaries(tmp_path)
    assert s.spread("study", "B", "alpha", up_to=1) == 1
    assert s.overtakes("study", "A", "B") == "3", "what it gained before it lost again"
    assert s.times("study", "average", "B", "A") == "1.1" and s.hours("study") == "1.3"
    with pytest.raises(SystemExit, match="0 rows for"):
        s.below("study", "B", "C")


def write_summaries(folder, table, *lines):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{table}.csv").write_text("\n".join(lines) + "\n")


def test_growth_from_one_study_to_another_has_an_interval(tmp_path):
    errors = "case,label,average,average_half_width"
    pairs = "case,label,reference,average_difference,average_difference_half_width,average_ratio"
    write_summaries(tmp_path / "plain", "learners", errors, "c,A,1,0.03", "c,B,1,0.03", "c,C,1,0.3")
    write_summaries(tmp_path / "noisy", "learners", errors, "c,A,1.2,0.03", "c,B,1.5,0.03", "c,C,2,0.3")
    write_summaries(tmp_path / "noisy", "pairs", pairs, "c,A,B,-0.3,0.1,0.8", "c,A,C,-1,2,0.5")
    s = Summaries(tmp_path)
    times, half_width = s.growth("noisy", "plain", "B")
    assert times == 1.5 and half_width == pytest.approx((0.03**2 + 0.02**2) ** 0.5)
    assert s.grows("noisy", "plain", "B", 1).true and s.grows("noisy", "plain", "B", 1.4).true
    assert not s.grows("noisy", "plain", "B", 1.45).true, "1.5 may be 1.446"
    assert not s.grows("noisy", "plain", "C", 2).true
    assert s.grows_less("noisy", "plain", "A", "B") == "A 1.2 times, B 1.5 times"
    assert s.grows_less("noisy", "plain", "A", "B").true and not s.grows_less("noisy", "plain", "B", "A").true
    assert not s.grows_less("noisy", "plain", "B", "C").true, "C may grow 1.5 times"
    row = s.claim("N", "noise", *s.withstands("noisy", "plain", "A", "C", ("B", "C")))
    assert row.startswith("| N | noise | true of 6 of 8 comparisons; not: C 2 times; A minus C: -1 ± 2 | **holds pa")


def test_of_many_comparisons_those_that_fail_are_named(tmp_path):
    pairs = "case,label,reference,average_difference,average_difference_half_width,average_ratio"
    lines = [f"c,A,{k},{difference},1,1" for k, difference in enumerate((-9, -8, -7, -6, -2, 5, 4, 3, 2))]
    write_summaries(tmp_path / "study", "pairs", pairs, *lines)
    s = Summaries(tmp_path)
    findings = [s.below("study", "A", str(k)) for k in range(9)]
    assert "true of 5 of 5" not in s.claim("X", "says", *findings[:5]), "five are all named"
    assert "6 of 9" not in s.claim("X", "says", *findings)
    named = "true of 5 of 9 comparisons; not: A minus 5: 5 ± 1; A minus 6: 4 ± 1; A minus 7: 3 ± 1; and 1 more |"
    assert named in s.claim("X", "says", *findings)
    all_true = s.claim("X", "says", *findings[:5], findings[0])
    assert "true of 6 of 6 comparisons; the closest: A minus 4: -2 ± 1 | **holds**" in all_true


def test_tables_of_all_learners_and_of_groups_of_states(tmp_path):
    columns = "case,label,average,average_half_width,runs,diverged,microseconds,bytes"
    write_summaries(
        tmp_path / "learners",
        "learners",
        columns,
        "boyan_chain,td,0.5,0.1,10,0,0.02,1000",
        'boyan_chain,"td, default",0.7,0.1,10,0,0.02,1000',
        "mountain_car,td,20,1,10,0,0.03,4000",
        'mountain_car,"td, default",,,10,3,0.03,4000',
        "boyan_chain,gtd,0.6,0.1,10,0,0.04,5000",
        "mountain_car,gtd,2e4,1,10,0,0.04,5000",
        'boyan_chain,"lstd_stream, default",0.3,0.1,10,0,0.4,2000',
        'mountain_car,"lstd_stream, default",15,1,10,0,2,90000',
    )
    table = Page(tmp_path).every_learner("learners", {"Boyan": "boyan_chain", "Car": "mountain_car"}, "Car")
    assert table.splitlines() == [
        "| learner | Boyan | Car | at worst | µs | kB |",
        "| --- | --- | --- | --- | --- | --- |",
        "| `gtd` | 0.6; - | 20000; - | 1333; - | 0.04 | 5 |",
        "| `lstd_stream` | -; **0.3** | -; **15** | -; 1 | 2 | 90 |",
        "| `td` | 0.5; 0.7 | 20; diverges | 1.67; diverges | 0.03 | 4 |",
    ]
    groups = ["A,1,-1,-40,0.5,9", "A,2,-40,-80,0.25,19", "B,1,-1,-40,0.4,8", "B,2,-40,-80,0.2,18"]
    write_summaries(tmp_path / "car", "by_value", "label,quarter,from,to,relative,rmse", *groups)
    lines = Page(tmp_path).quarters("car").splitlines()
    assert lines[0] == "| values | -1 to -40 | -40 to -80 |" and lines[3] == "| B | 0.4; 8 | 0.2; 18 |"
    assert Page(tmp_path).by_value("car", "A", 2) == 0.25


def test_a_study_that_is_not_complete_is_not_collected(tmp_path):
    study = STUDY.replace("steps = 200", "steps = 20000").replace("seeds = 6", "seeds = 6000")
    (tmp_path / "long.toml").write_text(study)
    sweep = subprocess.Popen([PROGRAM, "sweep", tmp_path / "long.toml", "--out", tmp_path / "long.db"])
    while (
        "runs done"
        not in subprocess.run([PROGRAM, "results", tmp_path / "long.db"], capture_output=True, text=True).stdout
    ):
        assert sweep.poll() is None, "it takes minutes"
        time.sleep(0.1)
    sweep.send_signal(signal.SIGINT)
    sweep.wait()
    with pytest.raises(SystemExit, match=r"long has \d+ of 42000 runs"):
        collect(PROGRAM, tmp_path, tmp_path / "long.db")


def test_collecting_again_leaves_no_figure_of_before(folder):
    (folder / "small" / "small-paper-of-old.svg").write_text("old")
    (folder / "small" / "rmse" / "values.csv").write_text("old")
    collect(PROGRAM, folder, folder / "small.db")
    assert not (folder / "small" / "small-paper-of-old.svg").exists()
    assert "rank" in (folder / "small" / "rmse" / "values.csv").read_text()
