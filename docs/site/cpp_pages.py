"""Pages of the public C++ headers: their comments as text, what they declare as code."""

import re
from pathlib import Path

NAMESPACE = re.compile(r"^namespace bellwether \{|^\}  // namespace bellwether$", re.MULTILINE)


def headers(root: Path) -> list[str]:
    text = (root / "cmake/public_headers.cmake").read_text()
    return re.findall(r"^  (\S+\.h)\)?$", text, re.MULTILINE)


def sections(source: str) -> list[tuple[str, str]]:
    """(comment, code that follows it) in turn. A comment that is not indented begins a section."""
    found, comment, code = [], [], []
    for line in source.splitlines():
        if line.startswith("///"):
            if code:
                found.append(("\n".join(comment), "\n".join(code)))
                comment, code = [], []
            comment.append(line[3:].removeprefix(" "))
        elif comment or code:
            code.append(line)
    return [*found, ("\n".join(comment), "\n".join(code))]


def prose(comment: str) -> str:
    """A comment as Markdown: lines that are indented are code or tables, whose shape matters."""
    parts, block, shaped = [], [], False
    for line in [*comment.split("\n"), None]:
        indented = line is not None and (line.startswith("  ") or (shaped and line == ""))
        if line is None or indented != shaped:
            text = "\n".join(block).strip("\n")
            if text:
                parts.append(f"```text\n{text}\n```" if shaped else text)
            block, shaped = [], indented
        block.append(line or "")
    return "\n\n".join(parts)


def page(header: str, source: str) -> str:
    parts = [f"# {header}", f"`#include <bellwether/{header}>`"]
    for comment, code in sections(source):
        parts.append(prose(comment))
        code = NAMESPACE.sub("", code).strip("\n")
        if code.strip():
            parts.append(f"```cpp\n{code}\n```")
    return "\n\n".join(parts) + "\n"


def summary(source: str) -> str:
    comment = next((comment for comment, _ in sections(source) if comment), "")
    return re.split(r"\n\n|(?<=[.:]) ", comment)[0].replace("\n", " ")


def cpp_pages(root: Path) -> dict[str, str]:
    lines = ["# The C++ library", "The headers that are installed; `bellwether/bellwether.h` includes them all.", ""]
    pages = {}
    for header in headers(root):
        source = (root / "src/bellwether" / header).read_text()
        name = header.replace("/", "_").removesuffix(".h")
        pages[f"cpp/{name}.md"] = page(header, source)
        lines.append(f"- [{header}]({name}.md): {summary(source)}")
    return {"cpp/index.md": "\n".join(lines) + "\n", **pages}
