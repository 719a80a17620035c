"""What is delivered: the types, the program and the version of the package."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import bellwether as bw
from bellwether import _program

ROOT = Path(__file__).parents[2]
TYPED = Path(__file__).parent / "typed"


def stub_generator():
    spec = importlib.util.spec_from_file_location("python_stubs", ROOT / "scripts/python_stubs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_stubs_are_what_the_package_says_of_itself():
    for path, text in stub_generator().stubs().items():
        assert path.read_text() == text, f"{path.name} is out of date: make stubs"
        assert (Path(bw.__file__).parent / path.name).read_text() == text
    assert (Path(bw.__file__).parent / "py.typed").exists()


def checked(*files):
    """What mypy says of files, by line."""
    installed = Path(bw.__file__).parents[1]
    path = {} if installed.name == "site-packages" else {"MYPYPATH": str(installed)}
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--cache-dir", os.devnull]
        + [TYPED / file for file in files],
        env=os.environ | path,
        capture_output=True,
        text=True,
    )
    found = re.findall(r"([^/\n]+):(\d+): error: (.*)", done.stdout)
    assert found or done.returncode == 0, done.stdout + done.stderr
    return {file: {int(line): message for name, line, message in found if name == file} for file in files}


def test_a_type_checker_accepts_what_is_correct_and_refuses_what_is_wrong():
    found = checked("correct.py", "wrong.py")
    assert found["correct.py"] == {}
    expected = dict(enumerate((TYPED / "wrong.py").read_text().splitlines(), 1))
    expected = {line: text.split("# ")[1] for line, text in expected.items() if "# " in text}
    assert found["wrong.py"].keys() == expected.keys()
    for line, message in expected.items():
        assert message in found["wrong.py"][line]


@pytest.fixture
def program():
    return os.environ.get("BELLWETHER_PROGRAM") or _program.program()


def test_package_program_and_build_have_one_version(program):
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    (built,) = re.findall(r"project\(bellwether VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())
    assert said.split()[-1] == bw.__version__ == built


def test_the_package_runs_the_program():
    module = [sys.executable, "-m", "bellwether"]
    said = subprocess.run([*module, "--version"], capture_output=True, text=True, check=True).stdout
    assert bw.__version__ in said
    wrong = subprocess.run([*module, "lern"], capture_output=True, text=True)
    assert wrong.returncode == 2
    assert "lern" in wrong.stderr
