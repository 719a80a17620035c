"""Runs the notebooks of docs/notebooks and writes what their cells show into them: `make notebooks`.

    PYTHONPATH=build/dev/python python scripts/notebooks.py [NOTEBOOK...]

Cells run one after another in this process, as Jupyter would run them: the value of the last expression is shown, as
HTML where it can, then figures of Matplotlib. The tests run them the same way and compare the texts.
"""

import ast
import base64
import contextlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path

NOTEBOOKS = Path(__file__).parents[1] / "docs/notebooks"


def lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def shown(value, count: int) -> dict:
    """The output of a cell whose last expression has this value."""
    data = {"text/plain": lines(repr(value))}
    if hasattr(value, "_repr_html_") and (html := value._repr_html_()) is not None:
        data["text/html"] = lines(html)
    return {"output_type": "execute_result", "execution_count": count, "metadata": {}, "data": data}


def figures() -> list[dict]:
    """Every open figure of Matplotlib as a picture."""
    if "matplotlib.pyplot" not in sys.modules:
        return []
    plt = sys.modules["matplotlib.pyplot"]
    outputs = []
    for number in plt.get_fignums():
        picture = io.BytesIO()
        plt.figure(number).savefig(picture, format="png", dpi=80, bbox_inches="tight", metadata={"Software": None})
        data = {"image/png": base64.b64encode(picture.getvalue()).decode(), "text/plain": ["<Figure>"]}
        outputs.append({"output_type": "display_data", "metadata": {}, "data": data})
    plt.close("all")
    return outputs


def run_cell(source: str, names: dict, count: int) -> list[dict]:
    """What a cell of code shows."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    written = io.StringIO()
    value = None
    with contextlib.redirect_stdout(written):
        exec(compile(tree, "<cell>", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    outputs = []
    if written.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": lines(written.getvalue())})
    if value is not None and not source.rstrip().endswith(";"):
        outputs.append(shown(value, count))
    return outputs + figures()


def run(notebook: dict) -> dict:
    """The notebook with its outputs; cells run in a folder of their own."""
    os.environ["MPLBACKEND"] = "agg"
    names: dict = {"__name__": "__main__"}
    count = 0
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for cell in notebook["cells"]:
                if cell["cell_type"] == "code":
                    count += 1
                    outputs = run_cell("".join(cell["source"]), names, count)
                    cell |= {"execution_count": count, "outputs": outputs}
        finally:
            os.chdir(before)
    return notebook


def main() -> int:
    for path in [Path(one) for one in sys.argv[1:]] or sorted(NOTEBOOKS.glob("*.ipynb")):
        notebook = run(json.loads(path.read_text()))
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
