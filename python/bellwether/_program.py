"""The program `bellwether`, which comes with the package."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def program() -> str:
    """The path of the program: in the package, or where both were built."""
    here = Path(__file__).parent
    for path in (here / "bellwether", here.parents[1] / "bellwether"):
        if path.is_file():
            return str(path)
    raise FileNotFoundError(f"there is no program `bellwether` in {here}")


def main() -> None:
    """Becomes the program, with the arguments of this process."""
    path = program()
    os.execv(path, ["bellwether", *sys.argv[1:]])
