"""Runs and studies: learners with many settings on domains, in memory or into a file of results."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from . import _core
from ._domains import Domain, as_domain
from ._metrics import jobs_or_all
from ._progress import Progress
from ._registry import Learner, python_name
from ._results import Results
from ._run import Run


def name_of(learner) -> str:
    """The name of a learner, which may also be given as its class."""
    if isinstance(learner, type) and issubclass(learner, Learner):
        return learner._name
    if not isinstance(learner, str):
        raise ValueError(f"learner is {learner!r}; a name such as 'td', or a class such as TD, is expected")
    return learner


def _metrics(metric) -> list[str]:
    if metric is None or metric == "auto":
        return []
    return metric.split(",") if isinstance(metric, str) else list(metric)


def _values(value) -> list:
    """The values of a parameter that is swept."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable | np.ndarray):
        return [value]
    return [one.item() if isinstance(one, np.generic) else one for one in value]


def _setting(value) -> str:
    """A value as TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    return '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _is_text(study: str) -> bool:
    return "\n" in study or "=" in study


class Study(_core.Study):
    """A study: learners with every combination of the values listed for their parameters, on domains, for many seeds.

        study = bw.Study("boyan_chain", steps=1000, seeds=50)
        study.add("td", alpha=[0.01, 0.1, 1], lambda_=[0, 0.5, 0.9])
        results = bw.sweep(study, "boyan.db")

    `cases` is a domain, or a list of them; a pair (domain, features) is a domain with other features than its own.
    `metrics`: the first ranks the settings. All else is as in the tables [run] and [evaluation] of a study file.
    """

    def __init__(self, cases, *, name: str = "study", title: str = "", about: str = "", metrics=None, **parameters):
        super().__init__()
        tables: dict[str, dict] = {table: {} for table in _core.STUDY_PARAMETERS}
        for key, value in parameters.items():
            table = next((t for t, names in _core.STUDY_PARAMETERS.items() if key in names), "run")
            tables[table][key] = value
        self._set_run(tables["run"])
        self._set_evaluation(tables["evaluation"])
        self._set_bellman(tables["bellman"])
        self._set_metrics(_metrics(metrics))
        self._tables = {**tables, "metrics": _metrics(metrics)}
        self._texts = (name, title or name, about)
        self._cases: list[tuple[Domain, str]] = []
        self._added: list[tuple[str, str, dict]] = []
        for case in cases if isinstance(cases, list) else [cases]:
            domain, features = case if isinstance(case, tuple) else (case, "")
            self._cases.append((as_domain(domain), str(features or "")))
            self._add_case(*self._cases[-1])
        if not self._cases:
            raise ValueError("study: there is no domain to run on")
        self._set_texts(*self._texts, "")

    @classmethod
    def from_toml(cls, study: str | Path, scale: str = "", name: str = "study") -> Study:
        """Reads a study file, or its text; `scale` is one of the scales that it has, empty its paper's."""
        made = cls.__new__(cls)
        _core.Study.__init__(made)
        if isinstance(study, str) and _is_text(study):
            made._parse(study, name + ".toml", scale)
        else:
            made._read(str(study), scale)
        return made

    def add(self, learner: str | type[Learner], *, label: str = "", **parameters) -> Study:
        """Adds a learner to every case; lists of values are swept, in every combination. Returns the study.

        `label` is what figures and tables call it.
        """
        if not hasattr(self, "_added"):
            raise ValueError("this study was read from TOML: add learners to its text")
        learner = name_of(learner)
        grid = {key.removesuffix("_"): _values(value) for key, value in parameters.items()}
        for key, values in grid.items():
            if not values:
                raise ValueError(f"{learner}: {python_name(key)} has no values")
        combinations = [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]
        for case in range(len(self._cases)):
            for settings in combinations:
                self._add(learner, settings, label or learner, case)
        self._added.append((learner, label or learner, grid))
        self._set_texts(*self._texts, self.to_toml())
        return self

    def to_toml(self) -> str:
        """The study as a file that the program runs with the same results (but for domains of Python)."""
        if not hasattr(self, "_added"):
            return self._source
        _, title, about = self._texts
        lines = [f"title = {_setting(title)}"] + ([f"about = {_setting(about)}"] if about else [])
        for domain, features in self._cases:
            lines += ["", "[[domain]]", f"name = {_setting(domain.type)}"]
            lines += [f"{key} = {_setting(value)}" for key, value in domain.settings.items()]
            lines += [f"feature_map = {_setting(features)}"] if features else []
        for table in ("evaluation", "run"):
            content = {**self._tables[table], **(self._tables["bellman"] if table == "evaluation" else {})}
            metrics = self._tables["metrics"] if table == "run" else []
            if content or metrics:
                lines += ["", f"[{table}]", *(f"{key} = {_setting(value)}" for key, value in content.items())]
                lines += [f"metrics = [{', '.join(_setting(metric) for metric in metrics)}]"] if metrics else []
        for learner, label, grid in self._added:
            lines += ["", "[[learner]]", f"name = {_setting(learner)}", f"label = {_setting(label)}"]
            for key, values in grid.items():
                one = _setting(values[0]) if len(values) == 1 else f"[{', '.join(map(_setting, values))}]"
                lines.append(f"{key} = {one}")
        return "\n".join(lines) + "\n"

    def __len__(self) -> int:
        return self._setting_count

    def __repr__(self) -> str:
        return f"Study {self.name!r}: {len(self)} settings on {self._case_count} cases, {self._run['seeds']} seeds each"


def run(
    domain,
    learner: str | type[Learner] = "lstd_stream",
    *,
    features=None,
    steps: int = 1000,
    every: int = 50,
    runs: int = 30,
    seed: int = 1,
    metric=None,
    jobs: int | None = None,
    progress: object = True,
    evaluation: Mapping | None = None,
    parameters: Mapping | None = None,
    **more,
) -> Run:
    """Runs a learner on a domain many times and returns its learning curve, as `bellwether run` does, bit for bit.

        bw.run("boyan_chain", "td", alpha=0.1, lambda_=0.5, steps=2000)

    `domain` is a name, a domain, or an object of your own (`as_domain`). Keywords that are not listed are parameters
    of the learner; `parameters` is for those that are called like one of these, such as `seed`. `evaluation` has what
    study files have in [evaluation]: states, rollouts, truth, bellman_lambda, ... `metric` is one of bw.METRICS, or
    several.
    """
    study = Study(
        [(domain, features)],
        metrics=metric,
        steps=steps,
        every=every,
        seeds=runs,
        seed=seed,
        **_known("evaluation", evaluation),
    )
    study.add(learner, **{**(parameters or {}), **more})
    if len(study) > 1:
        raise ValueError("run takes one value for each parameter; Study and sweep take lists of them")
    with Progress(name_of(learner), progress) as shown:
        return Run(_core.run(study, jobs_or_all(jobs), shown), study._run)


def _known(table: str, given: Mapping | None) -> dict:
    """Parameters of a table; others are refused before they can be taken for those of another."""
    names = {*_core.STUDY_PARAMETERS[table], *_core.STUDY_PARAMETERS["bellman"]}
    unknown = {key: value for key, value in (given or {}).items() if key not in names}
    if unknown:
        _core.Study()._set_evaluation(unknown)  # raises ValueError with the nearest name
    return dict(given or {})


def sweep(
    study: Study | str | Path, out: str | Path | None = None, *, jobs: int | None = None, progress: object = True
):
    """Runs a study into a file of results: every setting for every seed that the file does not have yet.

    The file has the same content as that of `bellwether sweep`, bit for bit. Ctrl-C stops it; the same call continues
    where it stopped. `out` is NAME.db, if it is not given. Domains of Python run in one thread. Returns the Results.
    """
    if not isinstance(study, Study):
        study = Study.from_toml(study)
    if len(study) == 0:
        raise ValueError("study: there is no learner to run; add one")
    path = Path(out or f"{study.name}.db")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"{path}: there is no folder {path.parent}")
    with Progress(study.name, progress) as shown:
        _core.sweep(study, str(path), jobs_or_all(jobs), shown)
    return Results(path, study=study.name)
