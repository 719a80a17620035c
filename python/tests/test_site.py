"""The documents: every link leads somewhere, every command exists, and notebooks and examples show what they say."""

import importlib.util
import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from bellwether import _program

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "docs/notebooks").glob("*.ipynb"))
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "bench/README.md", *sorted((ROOT / "docs").glob("*.md"))]
PROGRAM = os.environ.get("BELLWETHER_PROGRAM") or _program.program()


def loaded(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The pages of the site, as `make site` gives them to MkDocs."""
    folder = tmp_path_factory.mktemp("site")
    subprocess.run([sys.executable, ROOT / "docs/site/generate.py", folder], check=True)
    return folder


def places(page):
    """The anchors of the headings of a page, as MkDocs makes them."""
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in headings}


def test_every_link_of_the_site_leads_somewhere(site):
    links = 0
    for page in site.rglob("*.md"):
        text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
        for target, place in re.findall(r"\]\(([^)\s#]*)#?([^)\s]*)\)", text):
            if ":" in target:
                continue
            path = page.parent / target if target else page
            assert path.is_file(), f"{page.relative_to(site)}: {target}"
            assert not place or place in places(path), f"{page.relative_to(site)}: {target}#{place}"
            links += 1
    assert links > 100


def test_every_page_is_in_the_contents_of_the_site(site):
    contents = (ROOT / "docs/site/mkdocs.yml").read_text()
    for page in site.rglob("*.md"):
        name = str(page.relative_to(site))
        assert name in contents or name.startswith("cpp/"), name
    assert len(list(site.glob("cpp/*.md"))) > 40


def test_a_broken_link_of_a_built_site_is_found(tmp_path):
    (tmp_path / "a.html").write_text('<a href="b.html#there">b</a> <a href="b.html#not">b</a> <img src="c.png">')
    (tmp_path / "b.html").write_text('<h1 id="there">b</h1> <a href="https://example.org/not">elsewhere</a>')
    found = loaded(ROOT / "docs/site/check.py").broken(tmp_path)
    assert found == ["a.html: there is no place b.html#not", "a.html: there is no c.png"]


def commands(page):
    """(words) of each command of the program in the blocks of a page."""
    for block in re.findall(r"```(?:sh|bash|console)?\n(.*?)```", page.read_text(), re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            command = re.search(r"(?:^|[\s|(])(?:build/release/)?bellwether ([a-z].*)", line.split("#")[0])
            if command:
                yield re.split(r"[|;<>&]", command[1])[0].split()


def said(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=True).stdout


def test_commands_of_the_documents_exist_with_their_options():
    known, checked = {}, 0
    for page in PAGES:
        for verb, *words in commands(page):
            if verb not in known:
                known[verb] = said("help", verb)
            for option in (word.split("=")[0] for word in words if word.startswith("--")):
                assert re.search(rf"{re.escape(option)}\b", known[verb]), f"{page.name}: {verb} {option}"
            checked += 1
    assert checked > 30


def test_targets_of_the_documents_exist():
    makefile = (ROOT / "Makefile").read_text()
    targets = {name for line in re.findall(r"^([a-z][\w -]*):", makefile, re.MULTILINE) for name in line.split()}
    for page in PAGES:
        for target in re.findall(r"(?:`|^ *)make ([a-z][a-z-]+)", page.read_text(), re.MULTILINE):
            assert target in targets, f"{page.name}: make {target}"


def test_the_quickstart_is_the_one_of_the_readme_and_finds_the_truth(capsys):
    path = ROOT / "examples/quickstart.py"
    assert f"```python\n{path.read_text()}```" in (ROOT / "README.md").read_text()
    learned = runpy.run_path(str(path))["learned"]
    assert learned.low < 20 < learned.high
    assert "hours, 95 % interval" in capsys.readouterr().out


def texts(notebook):
    """What the cells wrote as text; HTML and pictures may differ from one version of a library to the next."""
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            yield "".join(output["text"] if "text" in output else output["data"]["text/plain"])


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_show_what_they_say(path):
    stored = json.loads(path.read_text())
    expected = list(texts(stored))
    assert expected, "make notebooks"
    assert list(texts(loaded(ROOT / "scripts/notebooks.py").run(stored))) == expected


def test_there_are_three_notebooks():
    assert len(NOTEBOOKS) == 3
