"""The program `bellwether`, which comes with the package."""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path


def program() -> str:
    """The path of the program: among the commands of this environment, or in the folder where both were built."""
    schemes = [sysconfig.get_default_scheme(), f"{os.name}_user"]
    folders = [Path(sysconfig.get_path("scripts", scheme)) for scheme in schemes] + [Path(__file__).parents[2]]
    for folder in folders:
        if (folder / "bellwether").is_file():
            return str(folder / "bellwether")
    raise FileNotFoundError(f"there is no program `bellwether` in {', '.join(map(str, folders))}")


def main() -> None:
    """Becomes the program, with the arguments of this process."""
    path = program()
    os.execv(path, [path, *sys.argv[1:]])
