"""Feature maps: descriptions of features, and the maps that are made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from . import _core
from ._registry import class_name, documentation, python_name, signature

ENTRIES = {entry["name"]: entry for entry in _core.feature_entries()}


class Features:
    """A description of features. Two descriptions joined by `+` are features side by side.

    str(bw.TileCoding(tilings=8) + bw.Bias()) is "tile_coding(tilings=8) + bias": wherever features are asked for,
    such a text does as well. The variables that a map is made of are positional: bw.Categorical("weekday").
    """

    _name = ""

    def __init__(self, *variables: str, **parameters):
        if not self._name:
            raise TypeError("Features is the base of all feature maps: make one of these, or describe it in words")
        known = [python_name(param["name"]) for param in ENTRIES[self._name]["params"]]
        for name in parameters:
            if name not in known:
                _core.make_features(f"{self._name}({name.removesuffix('_')}=0)", [_variable("x")], 0, 0)
        inside = [*variables, *(f"{key.removesuffix('_')}={_word(value)}" for key, value in parameters.items())]
        self._text = f"{self._name}({' '.join(inside)})" if inside else self._name

    def __add__(self, other: Features | str) -> Features:
        return _joined(f"{self} + {other}")

    def __radd__(self, other: str) -> Features:
        return _joined(f"{other} + {self}")

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Features({self._text!r})"


def _joined(text: str) -> Features:
    result = Features.__new__(Features)
    result._text = text
    return result


def _word(value) -> str:
    if isinstance(value, list | tuple):
        return "x".join(_word(one) for one in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _class_of(entry: dict) -> type[Features]:
    made = type(
        class_name(entry["name"]),
        (Features,),
        {"_name": entry["name"], "__doc__": documentation(entry), "__module__": "bellwether"},
    )
    made.__signature__ = signature(entry, variables=True)
    return made


FEATURES: dict[str, type[Features]] = {name: _class_of(entry) for name, entry in ENTRIES.items()}


class FeatureMap:
    """Features that are made: called with states, a row of numbers each, it gives what a Batch and `predict` take.

    Features that are mostly zero come as Active, where every state has as many, or as a SciPy CSR matrix.
    """

    def __init__(self, core: _core.FeatureMap, variables: int):
        self._core, self._variables = core, variables

    @property
    def dim(self) -> int:
        """The number of features."""
        return self._core.dim

    @property
    def max_active(self) -> int:
        """The largest number of features of a state that are not zero."""
        return self._core.max_active

    def __call__(self, states):
        rows = self._core.mapped(np.asarray(states, dtype=float), self._variables)
        if isinstance(rows, np.ndarray):
            return rows
        values, indices, offsets = rows
        counts = np.diff(offsets)
        if values is None and len(counts) and np.all(counts == counts[0]):
            return _core.Active(indices.reshape(len(counts), counts[0]), self.dim)
        from scipy.sparse import csr_matrix

        content = np.ones(len(indices), dtype=bool) if values is None else values
        return csr_matrix((content, indices.astype(np.int64), offsets.astype(np.int64)), shape=(len(counts), self.dim))

    def __repr__(self) -> str:
        return f"FeatureMap of {self.dim} features, at most {self.max_active} active"


def _variable(name: str, low=0.0, high=1.0, whole=False, wraps=False, hidden=False) -> dict:
    return {"name": name, "low": low, "high": high, "whole": whole, "wraps": wraps, "hidden": hidden}


def described(variables: Mapping | Sequence) -> list[dict]:
    """Variables as the library wants them: from {"position": (-1.2, 0.5)}, or a list of names or dictionaries.

    Besides (low, high), a variable may be a dictionary with `low`, `high`, and `whole`, `wraps` or `hidden` set to
    True. A name alone has the range from 0 to 1.
    """
    if isinstance(variables, Mapping):
        variables = [(name, about) for name, about in variables.items()]
    result = []
    for one in variables:
        if isinstance(one, str):
            result.append(_variable(one))
            continue
        if isinstance(one, Mapping):
            one = (one.get("name"), {key: value for key, value in one.items() if key != "name"})
        try:
            name, about = one
            made = _variable(name, **about) if isinstance(about, Mapping) else _variable(name, *about)
            result.append({**made, "low": float(made["low"]), "high": float(made["high"])})
        except (TypeError, ValueError):
            raise ValueError(
                f"variable {one!r} cannot be read; a name with (low, high), or with a dictionary of low, high, whole, "
                "wraps and hidden, is expected"
            ) from None
    return result


def make_features(features: Features | str, variables: Mapping | Sequence, seed: int = 0, run: int = 0) -> FeatureMap:
    """Features of variables, as `bellwether list features` describes them.

    make_features("tile_coding(tilings=8) + bias", {"position": (-1.2, 0.5), "velocity": (-0.07, 0.07)})
    """
    given = described(variables)
    return FeatureMap(_core.make_features(str(features), given, seed, run), len(given))
