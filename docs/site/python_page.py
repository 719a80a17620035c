"""The page of the Python package: every public name with its signature and documentation."""

import inspect
import re
import textwrap

import bellwether


def signature(made) -> str:
    try:
        return re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(inspect.signature(made)))
    except (TypeError, ValueError):
        described = made if hasattr(made, "__nb_signature__") else getattr(made, "__init__", None)
        text, _, defaults = (*getattr(described, "__nb_signature__", [["", ""]])[0], ())[:3]
        text = re.sub(r"\\(\d+)", lambda place: repr((defaults or ())[int(place[1])]), text)
        return re.sub(r"^def \w+\((self(, )?)?", "(", text)


def fenced(text: str) -> str:
    return f"```text\n{text.strip()}\n```" if text else ""


def members(made: type) -> list[str]:
    """Methods and properties that a class has of its own, or from a base that is not public."""
    found = []
    for name in sorted(set(dir(made))):
        value = inspect.getattr_static(made, name)
        if name.startswith("_") or getattr(object, name, None) is value:
            continue
        doc = (inspect.getdoc(value) or "").split("\n\n")[0].replace("\n", " ")
        call = signature(getattr(made, name)) if callable(getattr(made, name, None)) else ""
        doc = re.sub(rf"^({name})?\(.*?\)( -> [\w. |\[\]]+)?$", "", doc)
        found.append(f"- `{name}{re.sub(r'self(, )?', '', call, count=1)}`{': ' + doc if doc else ''}")
    return found


def entry(name: str) -> str:
    made = getattr(bellwether, name)
    if inspect.isclass(made) or inspect.isfunction(made):
        word = "class " if inspect.isclass(made) else ""
        call = textwrap.fill(f"{word}{name}{signature(made)}", 100, subsequent_indent=" " * 4, break_long_words=False)
        lines = [f"### {name}", f"```python\n{call}\n```", fenced(inspect.getdoc(made) or "")]
        known = [base for base in getattr(made, "__mro__", [])[1:] if base is getattr(bellwether, base.__name__, None)]
        if inspect.isclass(made) and not known:
            lines.append("\n".join(members(made)))
        return "\n\n".join(line for line in lines if line)
    values = ", ".join(f"`{key}`" for key in made) if isinstance(made, dict) else f"`{made}`"
    return f"### {name}\n\n`{type(made).__name__}`: {values}"


def python_page() -> str:
    registered = {
        title: sorted(made.__name__ for made in vars(bellwether).get(table, {}).values())
        for title, table in (("Learners", "LEARNERS"), ("Domains", "DOMAINS"), ("Features", "FEATURES"))
    }
    of_registry = {name for names in registered.values() for name in names}
    public = sorted({*bellwether.__all__, *bellwether._LATER} - of_registry - {"__version__"}, key=str.lower)
    parts = ["# The Python package", inspect.getdoc(bellwether) or "", "[A guide](docs/python.md) introduces it."]
    parts += ["## Functions and classes", *(entry(name) for name in public)]
    for title, names in registered.items():
        if names:
            parts += [f"## {title}", *(entry(name) for name in names)]
    return "\n\n".join(parts) + "\n"
