"""The examples of docs/python.md on domains, studies and environments run, one after another, as they stand."""

import re
from pathlib import Path

import matplotlib as mpl
import pytest

import bellwether as bw

SECTIONS = ("Domains and streams", "Studies", "Gymnasium and Minari")


def test_the_examples_of_the_guide_run_and_say_what_they_say(capsys, tmp_path, monkeypatch):
    mpl.use("Agg")
    monkeypatch.chdir(tmp_path)
    text = (Path(__file__).parents[2] / "docs/python.md").read_text()
    names: dict = {"bw": bw}
    for title in SECTIONS:
        section = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE).group(1)
        for example in re.findall(r"```python\n(.*?)```", section, re.DOTALL):
            exec(example, names)
    said = capsys.readouterr().out.splitlines()
    assert float(said[0]) == pytest.approx(float(said[1]), rel=1e-12)
    for file in ("two.db", "curves.png", "sensitivity.png", "two.html"):
        assert (tmp_path / file).stat().st_size > 1000
    assert list(names["columns"]) == next(line for line in text.splitlines() if "print(list(columns))" in line).split(
        "# "
    )[1].split(", ")
