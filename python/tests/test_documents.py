"""The examples of docs/python.md run, and print what they say."""

import re
from pathlib import Path

import numpy as np


def test_the_example_of_the_guide_finds_the_values_it_names(capsys):
    text = (Path(__file__).parents[2] / "docs/python.md").read_text()
    example = re.findall(r"```python\n(.*?)```", text, re.DOTALL)[0]
    names: dict = {}
    exec(example, names)
    assert np.allclose(names["learner"].weights(), [0.729, 0.81, 0.9, 1], atol=1e-3)
    assert "0.729" in capsys.readouterr().out
