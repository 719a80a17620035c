"""Gathers the pages of the documentation site in a folder, from which MkDocs makes it: `make site`.

    PYTHONPATH=build/dev/python python docs/site/generate.py build/site/sources

Pages keep their paths in the repository, so that links between them hold; the README is the first page. A file of the
repository that a page links to is put beside it. Pages of the Python package, the public headers and the notebooks are
written here.
"""

import re
import shutil
import sys
from pathlib import Path

from cpp_pages import cpp_pages
from notebook_pages import notebook_pages
from python_page import python_page

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "bench/README.md"]
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s#]*)(#[^)\s]*)?\)")


def pages() -> list[str]:
    return PAGES + sorted(str(page.relative_to(ROOT)) for page in (ROOT / "docs").glob("*.md"))


def linked(text: str, page: Path, folder: Path) -> str:
    """The text of a page; files that it links to are copied, and links to folders become text."""

    def rewritten(link: re.Match) -> str:
        target = link[2]
        if not target or ":" in target:
            return link[0]
        path = (ROOT / page.parent / target).resolve()
        if not path.is_relative_to(ROOT) or not path.exists():
            raise FileNotFoundError(f"{page}: there is no {target}")
        inside = path.relative_to(ROOT)
        if path.is_dir():
            return link[1]
        if str(inside) == "README.md":
            return link[0].replace(target, "../" * (len(page.parts) - 1) + "index.md")
        if path.suffix == ".ipynb":
            return f"[{link[1]}]({'../' * (len(page.parts) - 1)}notebooks/{path.stem}.md)"
        if str(inside) not in pages():
            place = folder / inside
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place)
        return link[0]

    return LINK.sub(rewritten, text)


def generate(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    texts = {Path("index.md" if page == "README.md" else page): page for page in pages()}
    for place, page in texts.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(linked((ROOT / page).read_text(), Path(page), folder))
    for place, text in {"python.md": python_page(), **cpp_pages(ROOT), **notebook_pages(ROOT, folder)}.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(text)
    shutil.copy(Path(__file__).with_name("site.css"), folder)


if __name__ == "__main__":
    generate(Path(sys.argv[1]))
