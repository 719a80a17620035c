"""Models: values learned from data, ready to predict, to learn more, and to be merged."""

from __future__ import annotations

import json
import os

import numpy as np

from . import _core
from ._data import Source, numpy_source, source_of, sources_of


class Model:
    """Values learned from data, with everything that is needed to use them and to continue: the columns, the features
    with their ranges, the learners, and statistics of the data. `learn` makes one; files are those of the program.

        model = bw.learn("log.csv", discount=0.99).model
        value, low, high = model.predict(states, interval=True)
        model.partial_fit("more.csv")
        model.save("m.bw")

    Models pickle and copy. A model that another thread works with refuses to be used: make a copy for each thread.
    """

    __slots__ = ("_handle",)

    def __init__(self, path: str | os.PathLike):
        self._handle = _core.Model.load(os.fsdecode(path))

    @classmethod
    def load(cls, path: str | os.PathLike) -> Model:
        """Reads a model from a file that `save` or the program wrote."""
        return cls(path)

    def save(self, path: str | os.PathLike) -> None:
        """Writes the model to a file, which is replaced only when the new one is complete."""
        self._handle.save(os.fsdecode(path))

    @property
    def recipe(self) -> dict:
        """How the model is made: columns, features, learner, targets."""
        return json.loads(self._handle.recipe())

    @property
    def state(self) -> list[str]:
        """The columns of the state, in order; `x` for a model of ready-made features."""
        return self.recipe["columns"]["state"] or ["x"]

    @property
    def targets(self) -> list[str]:
        """The names of what it predicts: a reward each, with its discount where there are several."""
        return self._handle.target_names()

    @property
    def summary(self) -> dict:
        """What it has learned, as `bellwether inspect` tells it."""
        return json.loads(self._handle.summary()[0])

    @property
    def steps(self) -> int:
        """The steps that it has read."""
        return self.summary["steps"]

    def weights(self, target: int | str = 0) -> np.ndarray:
        """The weights of the features for one target."""
        return self._handle.weights(self._index(target))

    def predict(self, states: object, *, interval: bool = False, target: int | str | None = None):
        """The values of states: an array with a number for each, and a column for each target if there are several.

        `states` is an array with a row of the columns of `state` for each state, or anything that `learn` takes: only
        the columns of the state are needed. A single row gives a single number. With `interval`, the result is a tuple:
        values, and the lower and upper ends of their 95 % intervals, each of which holds for one state.
        """
        source, one = self._states(states)
        values, _ = self._handle.predict(source, interval)
        chosen = values if target is None else [values[self._index(target)]]
        parts = [np.stack(part, axis=-1) if len(chosen) > 1 else part[0] for part in zip(*chosen, strict=True)]
        if one:
            parts = [part[0] if part.ndim > 1 else float(part[0]) for part in parts]
        return tuple(parts) if interval else parts[0]

    def visits(self, states: object):
        """How well the data supports each value: at most so many steps were learned from states like it."""
        source, one = self._states(states)
        counts = self._handle.predict(source, False)[1]
        return float(counts[0]) if one else counts

    def partial_fit(self, data: object, **options) -> Model:
        """Learns from more data, in place, and returns the model. Options are those of `learn` that concern reading:
        `passes`, `jobs`, `skip_bad`, `again`, `progress`, ... If something fails the model stays as it was."""
        from ._learning import continued

        self._handle = continued(self, data, options).model._handle
        return self

    def absorb(self, other: Model) -> None:
        """Adds what a model with the same recipe has learned from other episodes."""
        if not isinstance(other, Model):
            raise ValueError(f"other is {type(other).__name__}; a Model is expected")
        self._handle.absorb(other._handle)

    def merge(self, *others: Model) -> Model:
        """A new model that has learned what this one and the others have; they must have the same recipe."""
        merged = self.copy()
        for other in others:
            merged.absorb(other)
        return merged

    def judge(self, data: object, **options) -> list[dict]:
        """How well it predicts data that it has not learned from: for each target the TD error, and the error and means
        of the returns of episodes that ended."""
        from ._learning import reading_options

        return self._handle.judge(sources_of(data), reading_options(options))

    def copy(self) -> Model:
        """A copy; the two then go their own ways."""
        return _restored(self._handle.bytes(), _core.__version__)

    __copy__ = copy

    def __deepcopy__(self, memo) -> Model:
        return self.copy()

    def __reduce__(self):
        return _restored, (self._handle.bytes(), _core.__version__)

    def __repr__(self) -> str:
        recipe = self.recipe
        names = ", ".join(self.targets)
        return f"<Model of {names}: {recipe['learner']}, {recipe['dim']} features, {self.steps} steps>"

    def __str__(self) -> str:
        return self._handle.summary()[1]

    def _index(self, target: int | str) -> int:
        names = self.targets
        if isinstance(target, str) and target in names:
            return names.index(target)
        if isinstance(target, int | np.integer) and not isinstance(target, bool) and 0 <= target < len(names):
            return int(target)
        raise ValueError(f"target is {target!r}; one of {names} or its index is expected")

    def _states(self, states: object) -> tuple[Source, bool]:
        """The source of states, and whether it is a single one."""
        if isinstance(states, list | tuple):
            states = np.asarray(states)
        if not isinstance(states, np.ndarray) or states.dtype.names:
            return source_of(states, "states"), False
        names = self.state
        if names == ["x"]:
            names = [f"x.{i}" for i in range(self.recipe["dim"])]
        one = states.ndim == 1 and len(states) == len(names)
        rows = states[np.newaxis] if one else states
        if rows.ndim != 2 or rows.shape[1] != len(names):
            expected = f"an array of shape (n, {len(names)}) with the columns {', '.join(names)}"
            raise ValueError(
                f"states is an array of shape {states.shape} and dtype {states.dtype}; {expected} is expected"
            )
        return numpy_source({name: rows[:, i] for i, name in enumerate(names)}, "states"), one


def _made(handle: _core.Model) -> Model:
    model = Model.__new__(Model)
    model._handle = handle
    return model


def _restored(state: bytes, version: str) -> Model:
    try:
        return _made(_core.Model.parse(state, "the pickled model"))
    except ValueError as error:
        if version == _core.__version__:
            raise
        raise ValueError(
            f"this model was pickled by bellwether {version}; this is {_core.__version__}: {error}"
        ) from None
