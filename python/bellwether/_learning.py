"""From data to the value of a policy: `learn`, and what it finds."""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Callable, Iterable, Mapping

from . import _core
from ._data import sources_of
from ._model import Model, _made
from ._progress import Progress
from ._registry import Learner
from ._request import fields_of
from ._show import html_of


def learn(
    data: object,
    *,
    state: str | Iterable[str] | None = None,
    next: str | Iterable[str] | None = None,
    reward: str | Iterable[str] | None = None,
    discount: float | str | Iterable[float] | None = None,
    done: str | None = None,
    terminated: str | None = None,
    truncated: str | None = None,
    episode: str | None = None,
    env: str | None = None,
    time: str | None = None,
    unordered: bool = False,
    rho: str | None = None,
    target: str | None = None,
    behaviour: str | None = None,
    interest: str | None = None,
    skip_bad: bool = False,
    decimal: str = ".",
    dim: int | None = None,
    features: str | None = None,
    feature_settings: Mapping[str, object] | None = None,
    learner: str | type[Learner] | None = None,
    settings: Mapping[str, object] | None = None,
    passes: int = 1,
    holdout: float = 0.0,
    resamples: int | None = None,
    sample: int = 1000,
    seed: int = 1,
    jobs: int | None = None,
    model: str | os.PathLike | None = None,
    checkpoint: float = 0.0,
    resume: bool = False,
    again: bool = False,
    like: str | os.PathLike | Model | None = None,
    figures: bool = True,
    progress: bool | Callable[[float], None] = False,
) -> Learned:
    """Learns the value of a policy from data: finds the columns, chooses features and learner, reads, learns, judges
    and sums up, as `bellwether learn` does, with the same bits.

        learned = bw.learn("log.csv", discount=0.99)
        print(learned)                          # what the program prints
        learned.value, learned.low, learned.high
        learned.model.predict(states, interval=True)

    Data
        data          a path or a list of paths (CSV, JSON lines, .npz, HDF5, ...); a dictionary of arrays, where
                      columns of a matrix `x` are `x.0`, `x.1`, ...; a structured array; or a table with
                      __arrow_c_stream__: pandas, polars, pyarrow, DuckDB. A stream of batches, such as a
                      pyarrow.RecordBatchReader, is read once: its first rows set the ranges of the features.

    Columns, each of which may be left out where it has its usual name
        state         the state; x stands for x.0, x.1, ...
        next          the next state; without it, the state of the next row
        reward        the reward; several are several targets
        discount      a number, several numbers, or a column
        done          1 where an episode ended
        terminated    1 where it ended for good and nothing comes after
        truncated     1 where it was cut short and would have gone on
        episode       any text or number that differs from one episode to the next
        env           the environment, where several are logged in turn
        time          the order of the rows of an episode
        unordered     rows are in no order: each is a step on its own, with its next state
        rho           importance ratio pi(a|s)/mu(a|s); or both of
        target        probability of the action under the policy to be evaluated
        behaviour     probability under the policy that acted
        interest      how much the value of a state matters
        skip_bad      leave out rows in which something is wrong, and count them
        decimal       the decimal mark of numbers in CSV, '.' or ','
        dim           number of features of sparse rows

    How to learn
        features      features of the state: "tile_coding(tilings=16) + bias"; "none": the state is features already
        feature_settings  parameters that the description leaves out
        learner       a name or a class, such as bw.TD; None: chosen by the number of features and the data
        settings      parameters of the learner, such as {"alpha": 0.01}
        {params}
    Models and files
        model         file to write the model to
        checkpoint    seconds after which it is written again and again
        resume        continue from `model` if it exists
        again         learn even from a file that the model has learned from already
        like          a model, or its file, whose columns, features with their ranges, learner and targets to use
        figures       gather what `report` and notebooks draw
        progress      show a bar on standard error; or a function that is called with the share that is done

    Python's lock is released while it works; Ctrl-C stops it. Raises ValueError for an impossible request and for data
    that cannot be understood, OSError when a file cannot be read or written.
    """
    fields = fields_of({name: value for name, value in locals().items() if name not in ("data", "progress")})
    return _learned(data, fields, progress, None)


learn.__doc__ = inspect.cleandoc(learn.__doc__).replace(
    "    {params}\n",
    "".join(f"    {name:<13} {text} ({default}; {accepts})\n" for name, default, accepts, text in _core.learn_params())
    + "\n",
)


class Target:
    """What was learned about one target. Values are in the unit of the reward; what is not known is None."""

    __slots__ = ("summary",)

    def __init__(self, summary: dict):
        self.summary = summary

    name = property(lambda self: self.summary["name"], doc="Its reward, and discount where several share it.")
    reward = property(lambda self: self.summary["reward"], doc="Its column.")
    discount = property(lambda self: self.summary["discount"])
    question = property(lambda self: self.summary["question"], doc="What the value answers.")
    value = property(lambda self: self.summary.get("value"), doc="The value of the policy.")
    low = property(lambda self: self.summary.get("low"), doc="The lower end of its 95 % interval.")
    high = property(lambda self: self.summary.get("high"), doc="The upper end.")
    half_width = property(lambda self: self.summary.get("half_width"), doc="Half the width of the interval.")
    no_value = property(lambda self: self.summary.get("no_value"), doc="Why there is no value.")
    returns = property(lambda self: self.summary.get("returns"), doc="The returns observed from start states.")
    judgements = property(lambda self: self.summary["judgements"], doc="How well steps to come were predicted.")
    findings = property(lambda self: self.summary["findings"], doc="What the learner chose or noticed.")
    diverged_at = property(lambda self: self.summary.get("diverged_at"), doc="The step, if it diverged.")

    def __repr__(self) -> str:
        if self.value is None:
            return f"<Target {self.name}: no value>"
        half = f" +- {self.half_width:.2g}" if self.half_width is not None else ""
        return f"<Target {self.name}: {self.value:.6g}{half}>"


class Learned:
    """What `learn` found: the model, the value of the policy with its interval, judgements and warnings. `str()` is
    what the program prints; in a notebook it is shown with its curves."""

    def __init__(self, model: Model, summary: str, text: str, page: tuple[str, str] | None):
        self.model = model
        self.summary: dict = json.loads(summary)
        self._text = text
        self._page = page

    @property
    def targets(self) -> list[Target]:
        """Every reward with every discount."""
        return [Target(one) for one in self.summary["targets"]]

    @property
    def value(self) -> float | None:
        """The value of the policy, for the first target; None where the data cannot tell."""
        return self.targets[0].value

    @property
    def low(self) -> float | None:
        """The lower end of its 95 % interval; None without resamples."""
        return self.targets[0].low

    @property
    def high(self) -> float | None:
        """The upper end of its 95 % interval."""
        return self.targets[0].high

    @property
    def half_width(self) -> float | None:
        """Half the width of its 95 % interval."""
        return self.targets[0].half_width

    @property
    def judgements(self) -> list[dict]:
        """How well the first target was predicted on steps that had not been learned from, over time."""
        return self.targets[0].judgements

    @property
    def warnings(self) -> list[str]:
        """What to know before trusting the values, and what to do."""
        return self.summary["warnings"]

    @property
    def columns(self) -> dict:
        """Which columns mean what."""
        return {role: name for role, name in self.summary["recipe"]["columns"].items() if name}

    @property
    def figures(self) -> dict | None:
        """The data of figures: values over each variable with their intervals, predictions against returns."""
        return json.loads(self._page[1])["learned"]["figures"] if self._page else None

    def report(self, path: str | os.PathLike) -> None:
        """Writes a page of HTML, one file: the question and its answer, warnings, figures, and how it was made."""
        if self._page is None:
            raise ValueError("there is nothing to draw: learn with `figures=True`")
        _core.write_learned_page(os.fsdecode(path), *self._page)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        several = len(self.warnings)
        told = "" if several == 0 else f", {several} warning{'s' if several > 1 else ''}"
        values = ", ".join(repr(target)[8:-1] for target in self.targets)
        return f"<Learned {values} ({self.summary['steps']} steps, {self.summary['recipe']['learner']}{told})>"

    def _repr_html_(self) -> str:
        return html_of(self)


def continued(model: Model, data: object, options: dict) -> Learned:
    """What a model that learns on from data has learned; the model itself does not change."""
    fields = reading_options({name: value for name, value in options.items() if name != "progress"})
    return _learned(data, fields, options.get("progress", False), model)


def reading_options(options: dict) -> dict:
    """Those options of `learn` that a model does not fix, as fields of a request."""
    defaults = {name: one.default for name, one in inspect.signature(learn).parameters.items()}
    del defaults["data"], defaults["progress"]
    known = [name for name in defaults if name not in ("model", "resume", "like")]
    for name in options:
        if name not in known:
            raise TypeError(f"there is no option '{name}' here; options are {', '.join(known)}")
    return fields_of({**defaults, **options})


def _learned(data: object, fields: dict, progress: object, model: Model | None) -> Learned:
    sources = sources_of(data)
    handle = None if model is None else model._handle
    given = ", ".join(f"{name}={value!r}" for name, value in _shown(fields).items())
    command = f"bellwether.learn({', '.join([*(source.name for source in sources), *([given] if given else [])])})"
    with Progress("learning", progress) as shown:
        tell = shown if progress else None
        handle, summary, text, page = _core.learn(sources, fields, tell, handle, command)
    return Learned(_made(handle), summary, text, page)


def _shown(fields: dict) -> dict:
    told = {name: value for name, value in fields.items() if name not in ("params", "recipe", "figures")}
    return {**told, **fields.get("params", {})}
