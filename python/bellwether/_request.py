"""The arguments of `learn` as the fields of a request: what is wrong with one is a ValueError that names it."""

from __future__ import annotations

import numbers
import os
from collections.abc import Iterable, Mapping
from typing import NoReturn

from . import _core
from ._model import Model
from ._registry import Learner

_LISTS = ("state", "next", "reward")
_COLUMNS = ("done", "terminated", "truncated", "episode", "env", "time", "rho", "target", "behaviour", "interest")
_PARAMS = tuple(param[0] for param in _core.learn_params())
_FLAGS = ("unordered", "skip_bad", "resume", "again", "figures")


def fields_of(given: dict) -> dict:
    """The fields of a request that differ from what the library takes anyway, as it reads them."""
    fields: dict = {}
    for name in _LISTS:
        if given[name] is not None:
            fields[name] = _names(name, given[name])
    for name in _COLUMNS:
        if given[name] is not None:
            fields[name] = _text(name, given[name], "the name of a column")
    for name in _FLAGS:
        if not isinstance(given[name], bool):
            _refuse(name, given[name], "True or False")
        if given[name]:
            fields[name] = given[name]
    if given["discount"] is not None:
        fields["discount"] = _discounts(given["discount"])
    if given["features"] is not None:
        fields["features"] = _text("features", given["features"], "a description of features")
    if given["learner"] is not None:
        fields["learner"] = _learner(given["learner"])
    if given["decimal"] not in (".", ","):
        _refuse("decimal", given["decimal"], "'.' or ','")
    if given["decimal"] == ",":
        fields["decimal"] = ","
    if given["dim"] is not None:
        fields["dim"] = _whole("dim", given["dim"])
    for name in ("settings", "feature_settings"):
        if given[name] is not None:
            fields[name] = _settings(name, given[name])
    defaults = {name: None if text == "auto" else float(text) for name, text, *_ in _core.learn_params()}
    params = {name: given[name] for name in _PARAMS if given[name] is not None and given[name] != defaults[name]}
    for name, value in params.items():
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            _refuse(name, value, "a number")
    if params:
        fields["params"] = {name: _plain(value) for name, value in params.items()}
    if isinstance(given.get("like"), Model):
        fields["recipe"] = given["like"]._handle.recipe()
    elif given.get("like") is not None:
        fields["like"] = _path("like", given["like"])
    if given.get("model") is not None:
        fields["model"] = _path("model", given["model"])
    if not isinstance(given["checkpoint"], numbers.Real):
        _refuse("checkpoint", given["checkpoint"], "a number of seconds")
    if given["checkpoint"]:
        fields["checkpoint"] = float(given["checkpoint"])
    return fields


def _refuse(name: str, value: object, expected: str) -> NoReturn:
    raise ValueError(f"{name} is {value!r} ({type(value).__name__}); {expected} is expected")


def _text(name: str, value: object, expected: str) -> str:
    if not isinstance(value, str):
        _refuse(name, value, expected)
    return value


def _path(name: str, value: object) -> str:
    if not isinstance(value, str | os.PathLike):
        _refuse(name, value, "a path")
    return os.fsdecode(value)


def _names(name: str, value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if not isinstance(value, Iterable):
        _refuse(name, value, "the name of a column or a list of names")
    return [_text(name, one, "the name of a column or a list of names") for one in value]


def _plain(value: numbers.Real) -> int | float:
    return int(value) if isinstance(value, numbers.Integral) else float(value)


def _whole(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < 1:
        _refuse(name, value, "a positive whole number")
    return int(value)


def _discounts(value: object) -> list[str]:
    several = [value] if isinstance(value, str | numbers.Real) or not isinstance(value, Iterable) else list(value)
    for one in several:
        if isinstance(one, bool) or not isinstance(one, str | numbers.Real) or one != one:
            _refuse("discount", value, "a number, several numbers or the name of a column")
    return [one if isinstance(one, str) else repr(_plain(one)) for one in several]


def _learner(value: object) -> str:
    if isinstance(value, type) and issubclass(value, Learner) and value._name:
        return value._name
    return _text("learner", value, "the name or the class of a learner")


def _settings(name: str, value: object) -> dict:
    if not isinstance(value, Mapping):
        _refuse(name, value, "a dictionary of parameters")
    return {_text(name, key, "a dictionary of parameters").removesuffix("_"): one for key, one in value.items()}
