"""Logs for the tests: a noisy walk with two variables, in several forms."""

from __future__ import annotations

import csv
import os
import subprocess
from pathlib import Path

import numpy as np

PROGRAM = Path(os.environ.get("BELLWETHER_PROGRAM") or Path(__file__).parents[2] / "build/dev/bellwether")


def walk(episodes: int = 120, seed: int = 1) -> dict[str, np.ndarray]:
    """Walks to the right with noise, until they are over."""
    rng = np.random.default_rng(seed)
    rows: dict[str, list] = {name: [] for name in ("episode", "position", "velocity", "r", "done")}
    for episode in range(episodes):
        position, over = rng.uniform(-1, 0), False
        while not over:
            velocity = rng.normal()
            after = position + 0.1 + 0.05 * velocity
            over = after > 1
            for name, value in zip(rows, (episode, position, velocity, -after * after, over), strict=True):
                rows[name].append(value)
            position = after
    return {name: np.array(values) for name, values in rows.items()}


def write_csv(path: Path, columns: dict[str, np.ndarray]) -> Path:
    """A file with every digit of the numbers."""
    with path.open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(columns)
        for row in zip(*(column.tolist() for column in columns.values()), strict=True):
            out.writerow([int(cell) if isinstance(cell, bool) else cell for cell in row])
    return path


def program(*words: object) -> str:
    """What the program prints."""
    return subprocess.run([PROGRAM, *map(str, words)], check=True, capture_output=True, text=True).stdout
