"""What makes docs/reproduction.md: summaries of results, and pages whose words and verdicts follow from them."""

import csv
import pathlib
import sys

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
    ranks = page.each_value("small", "ATD", "rank", "ATD, rank=4").splitlines()
    assert [line.split(" | ")[0] for line in ranks[2:]] == ["| 1", "| 4"] and ranks[3].endswith("| - |")
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
    s = Summaries(tmp_path)
    assert s.below("study", "A", "B").true
    assert not s.below("study", "A", "C").true, "its interval holds 0"
    assert s.close("study", "A", "B", 1.1).true and not s.close("study", "A", "D", 1.1).true
    assert s.sooner("study", "A", "B", 500).true, "0.6 is more than the root of 0.09 + 0.16"
    assert not s.sooner("study", "A", "C", 500).true
    assert s.steady("study", "A", "eta", 1.2).true and not s.steady("study", "A", "eta", 1.1).true
    assert s.untuned("study", "A", "eta", "B", 1.1).true and not s.untuned("study", "A", "eta", "B", 1).true
    better, worse = s.below("study", "A", "B"), s.below("study", "A", "D")
    assert s.claim("X", "says", better).endswith("| A minus B: -0.2 ± 0.1 | **holds** |")
    assert s.claim("X", "says", better, worse).endswith("**holds partly** |")
    assert s.claim("X", "says", worse).endswith("**does not hold** |")
    with pytest.raises(SystemExit, match="0 rows for"):
        s.below("study", "B", "A")
