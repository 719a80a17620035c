"""Pages of the notebooks, with what their cells wrote."""

import base64
import json
from pathlib import Path


def output_text(output: dict, folder: Path, name: str) -> str:
    """What a cell wrote, as Markdown; pictures become files."""
    if output["output_type"] == "stream":
        return f"```text\n{''.join(output['text']).rstrip()}\n```" if output["name"] == "stdout" else ""
    data = output.get("data", {})
    if "image/png" in data:
        (folder / f"{name}.png").write_bytes(base64.b64decode("".join(data["image/png"])))
        return f"![A figure of this notebook]({name}.png)"
    if "text/html" in data:
        return "<div>\n" + "".join(data["text/html"]).replace("\n\n", "\n") + "\n</div>"
    if "text/plain" in data:
        return f"```text\n{''.join(data['text/plain']).rstrip()}\n```"
    return ""


def page(notebook: Path, folder: Path) -> str:
    parts = []
    for number, cell in enumerate(json.loads(notebook.read_text())["cells"]):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for place, output in enumerate(cell["outputs"]):
            parts.append(output_text(output, folder, f"{notebook.stem}_{number}_{place}"))
    return "\n\n".join(part for part in parts if part) + "\n"


def notebook_pages(root: Path, site: Path) -> dict[str, str]:
    folder = site / "notebooks"
    folder.mkdir(parents=True, exist_ok=True)
    return {f"notebooks/{one.stem}.md": page(one, folder) for one in sorted((root / "docs/notebooks").glob("*.ipynb"))}
