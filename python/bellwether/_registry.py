"""Classes of the learners, made from what the library says of each: name, parameters, defaults, documentation."""

from __future__ import annotations

import inspect
import keyword
from typing import Literal

from . import _core

_SPELLED = {"vtrace": "VTrace"}


def class_name(name: str) -> str:
    """The C++ name of a learner: true_online_td is TrueOnlineTD, lstd_krylov is LSTDKrylov."""

    def spelled(word: str) -> str:
        return _SPELLED.get(word) or (word.upper() if "td" in word or "tidbd" in word else word.capitalize())

    return "".join(spelled(word) for word in name.split("_"))


def python_name(parameter: str) -> str:
    """The name of a parameter in Python: `lambda` is a keyword, so it is `lambda_`."""
    return parameter + "_" if keyword.iskeyword(parameter) else parameter


def value_of(text: str, kind: str):
    """A default as a value of Python."""
    if kind == "number":
        return float(text) if text not in ("auto", "") else text
    if kind == "integer":
        return int(text) if text.lstrip("-").isdigit() else text
    if kind == "boolean":
        return text == "true"
    return text


def type_of(param: dict):
    """What a parameter accepts, as a type of Python."""
    words = [word for word in param["accepts"].split(" | ") if word.isidentifier()]
    kind = {"number": float, "integer": int, "boolean": bool, "choice": None}.get(param["type"], str)
    if kind in (bool, str) or not words:
        return kind or str
    return Literal[tuple(words)] if kind is None else kind | Literal[tuple(words)]


def documentation(entry: dict) -> str:
    """The docstring: what `bellwether help` prints."""
    lines = [entry["summary"], "", entry["detail"].strip("\n")]
    if entry["params"]:
        lines += ["", "Parameters"]
        for param in entry["params"]:
            lines.append(f"    {python_name(param['name'])} = {param['default']}, {param['accepts']}: {param['text']}")
    if entry["note"]:
        lines += ["", entry["note"]]
    return "\n".join([*lines, "", entry["reference"]])


def signature(entry: dict, dim: bool = False, variables: bool = False) -> inspect.Signature:
    """What a class made of an entry takes: `dim`, names of variables, and its parameters as keywords."""
    first = [inspect.Parameter("dim", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=int)] if dim else []
    first += [inspect.Parameter("variables", inspect.Parameter.VAR_POSITIONAL, annotation=str)] if variables else []
    keywords = [
        inspect.Parameter(
            python_name(param["name"]),
            inspect.Parameter.KEYWORD_ONLY,
            default=value_of(param["default"], param["type"]),
            annotation=type_of(param),
        )
        for param in entry["params"]
    ]
    return inspect.Signature(first + keywords)


class Learner(_core.Learner):
    """Learns a linear value function v(s) = w.x(s) from steps of experience; the base of all learners."""

    __slots__ = ()
    _name = ""

    def __init__(self, dim: int, **parameters) -> None:
        if not self._name:
            raise TypeError("Learner is the base of all learners: make one of these, or use bellwether.make_learner")
        settings = {key.removesuffix("_"): value for key, value in parameters.items()}
        super().__init__(self._name, dim, settings)

    def __repr__(self) -> str:
        changed = {
            python_name(name): value
            for name, value in self.settings.items()
            if value != _defaults(self._name).get(name)
        }
        arguments = "".join(f", {name}={value!r}" for name, value in changed.items())
        return f"{type(self).__name__}({self.dim}{arguments})  # {self.steps} steps"

    def __reduce__(self):
        return _restored, (self._name, self.dim, self.settings, self._save(), _core.__version__)

    def __copy__(self):
        return _restored(self._name, self.dim, self.settings, self._save(), _core.__version__)

    def __deepcopy__(self, memo):
        return self.__copy__()

    def clone(self) -> Learner:
        """A copy with everything it has learned; the two then go their own ways."""
        return self.__copy__()


ENTRIES = {entry["name"]: entry for entry in _core.learner_entries()}


def _defaults(name: str) -> dict:
    return {param["name"]: value_of(param["default"], param["type"]) for param in ENTRIES[name]["params"]}


def _restored(name: str, dim: int, settings: dict, state: bytes, version: str) -> Learner:
    learner = make_learner(name, dim, **settings)
    try:
        learner._load(state)
    except ValueError as error:
        if version == _core.__version__:
            raise
        ours = _core.__version__
        raise ValueError(f"this {name} was pickled by bellwether {version}; this is {ours}: {error}") from None
    return learner


def _class_of(entry: dict) -> type[Learner]:
    made = type(
        class_name(entry["name"]),
        (Learner,),
        {"__slots__": (), "_name": entry["name"], "__doc__": documentation(entry), "__module__": "bellwether"},
    )
    made.__signature__ = signature(entry, dim=True)
    return made


LEARNERS: dict[str, type[Learner]] = {name: _class_of(entry) for name, entry in ENTRIES.items()}


def make_learner(name: str, dim: int, **parameters) -> Learner:
    """Makes a learner of `dim` features by name, as `TD(dim, alpha=0.05)` does by class."""
    if name not in LEARNERS:
        _core.Learner(name, dim, {})  # raises ValueError with the nearest name
    return LEARNERS[name](dim, **parameters)
