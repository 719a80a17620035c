"""Checks a built site: every link within it leads to a page, a file or a place on a page.

python docs/site/check.py build/site/html
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The links and places of a page."""

    def __init__(self, path: Path):
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name in ("id", "name") and value:
                self.places.add(value)


def broken(folder: Path) -> list[str]:
    """Links that lead nowhere, as lines that name the page and the link."""
    pages = {path.resolve(): Page(path) for path in folder.rglob("*.html")}
    found = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or (path.name == "404.html" and link.startswith("/")):
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target = target / "index.html"
            place = unquote(parts.fragment)
            if not target.exists():
                found.append(f"{path.relative_to(folder.resolve())}: there is no {link}")
            elif place and target in pages and place not in pages[target].places:
                found.append(f"{path.relative_to(folder.resolve())}: there is no place {link}")
    return found


def main() -> int:
    folder = Path(sys.argv[1])
    found = broken(folder)
    for line in found:
        print(line, file=sys.stderr)
    print(f"{len(list(folder.rglob('*.html')))} pages, {len(found)} broken links")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
