"""The sections of docs/python.md on learning from data run, and print what they say."""

import re
from pathlib import Path

import numpy as np
import pytest

SECTIONS = ("Learn from data", "scikit-learn", "Beyond one machine")


def test_the_examples_run_one_after_another(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = (Path(__file__).parents[2] / "docs/python.md").read_text()
    names: dict = {}
    for section in SECTIONS:
        (content,) = re.findall(rf"^## {section}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
        examples = re.findall(r"```python\n(.*?)```", content, re.DOTALL)
        assert examples
        for example in examples:
            exec(example, names)
    out = capsys.readouterr().out
    assert "value of the policy: -7.8" in out
    assert (tmp_path / "walk.html").stat().st_size > 100_000
    assert np.all(names["low"] < names["value"]) and np.all(names["value"] < names["high"])
    assert names["search"].best_params_ == {"features": "polynomial"}
    assert names["learned"].value == pytest.approx(names["bw"].learn(names["frame"], like=names["like"]).value)
