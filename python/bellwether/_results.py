"""Files of results: tables, figures and pages of studies."""

from __future__ import annotations

import difflib
import html
import math
from pathlib import Path

from . import _core

_SCORES = ("average", "average_half_width", "last", "last_half_width")


def _nearest(name: str, known: list[str], what: str) -> str:
    if name in known:
        return name
    near = difflib.get_close_matches(str(name), known, 1)
    hint = f"; did you mean '{near[0]}'?" if near else ""
    raise ValueError(f"there is no {what} '{name}'{hint} (known: {', '.join(known)})")


class Results(_core.Results):
    """The results of a study, in a file that `sweep` or the program wrote; it may still be growing.

    `study` names one of several studies in the file, `scale` one of its scales; without them, it is the last.
    """

    def __init__(self, file: str | Path, study: str | None = None, scale: str | None = None):
        if not Path(file).exists():
            raise FileNotFoundError(f"{file}: there is no such file of results")
        super().__init__(str(file))
        self._choose(study, scale)

    def _choose(self, study: str | None, scale: str | None) -> None:
        studies = [self._study(i) for i in range(self._size())]
        if not studies:
            raise ValueError(f"{self.file} holds no study yet")
        if study is not None:
            _nearest(study, [one["name"] for one in studies], "study")
        fitting = [i for i, one in enumerate(studies) if study in (None, one["name"])]
        if scale is not None:
            _nearest(scale, [studies[i]["scale"] for i in fitting], "scale")
            fitting = [i for i in fitting if studies[i]["scale"] == scale]
        self._index = fitting[-1]
        self.study: dict = studies[self._index]
        self._settings: list[dict] = self._rows(self._index)

    def refresh(self) -> Results:
        """Reads the file again, in which a sweep may have written more. Returns the results."""
        self._refresh()
        self._choose(self.study["name"], self.study["scale"])
        return self

    @property
    def metrics(self) -> list[str]:
        """The metrics that were recorded; the first ranks the settings."""
        return self.study["metrics"]

    @property
    def cases(self) -> list[str]:
        """The domains with their features, as texts."""
        return self.study["cases"]

    @property
    def labels(self) -> list[str]:
        """What the study calls its learners."""
        return list(self.study["learners"])

    @property
    def digest(self) -> str:
        """A hash of all runs, scores and curves: equal for equal results, whoever computed them."""
        return self._digest(self._index)

    def _metric(self, metric: str | None) -> int:
        return self.metrics.index(_nearest(metric or self.metrics[0], self.metrics, "metric"))

    def ranked(self, metric: str | None = None, case: int = 0, by: str = "average", best: bool = False) -> list[dict]:
        """The settings of a case, best first, by their error over the whole curve (average) or at its end (last)."""
        _nearest(by, ["average", "last"], "score")
        if not 0 <= case < len(self.cases):
            raise ValueError(f"there is no case {case}: {self.file} has {len(self.cases)}")
        order = self._ranked(self._index, case, self._metric(metric), by == "last", best)
        return [self._settings[i] for i in order]

    def _table(self, metrics: list[str], best: bool, by: str = "average"):
        import pandas

        rows = []
        for metric in metrics:
            for case in range(len(self.cases)):
                for rank, row in enumerate(self.ranked(metric, case, by, best), 1):
                    line = {"study": self.study["name"], "scale": self.study["scale"], "metric": metric, "rank": rank}
                    line.update({key: row[key] for key in ("setting", "domain", "domain_settings", "features")})
                    line.update({key: row[key] for key in ("feature_settings", "label", "learner")})
                    line.update(zip(_SCORES, row["scores"][self.metrics.index(metric)], strict=True))
                    line.update(runs=row["runs"], planned=self.study["seeds"], diverged=row["diverged"])
                    line.update({key: row[key] for key in ("microseconds", "bytes", "dim", "max_active")})
                    line.update({f"p_{name}": value for name, value in row["parameters"].items()})
                    rows.append(line)
        return pandas.DataFrame(rows)

    def to_pandas(self, curves: bool = False):
        """Every setting with its scores by every metric, best first, with columns as `bellwether results --csv`.

        With `curves=True`: the learning curves instead, a row for each setting, metric and step.
        """
        if not curves:
            return self._table(self.metrics, best=False)
        import pandas

        parts = []
        for row in self._settings:
            for metric in self.metrics:
                mean, half_width, runs = self._curve(row["setting"], metric)
                if len(mean) == 0:
                    continue
                about = {key: row[key] for key in ("setting", "domain", "features", "label", "learner")}
                about.update({f"p_{name}": value for name, value in row["parameters"].items()})
                steps = {"step": self.study["steps"], "mean": mean, "half_width": half_width, "runs": runs}
                parts.append(pandas.DataFrame({**about, "metric": metric, **steps}))
        return pandas.concat(parts, ignore_index=True) if parts else pandas.DataFrame()

    def best(self, metric: str | None = None, by: str = "average"):
        """The best setting of each learner on each case, best first.

        The best of many looks better than it is; `held_out` judges it by runs that did not choose it.
        """
        return self._table([self.metrics[self._metric(metric)]], best=True, by=by)

    def held_out(self, metric: str | None = None, case: int = 0, against: str = "", per: str = ""):
        """Each learner at the setting that half of the seeds choose, judged by the other half.

        Differences and ratios are to the learner of the label `against`, or the best, seed by seed. With a swept
        parameter `per`, each of its values counts as a learner: "ATD, rank=20".
        """
        import pandas

        if per:
            _nearest(per, self._swept(self.labels), "swept parameter")
        judged = pandas.DataFrame(self._held_out(self._index, case, self._metric(metric), against, per))
        if against:
            _nearest(against, list(judged["label"]), "label")
        return judged

    def curve(self, setting: int, metric: str | None = None):
        """The learning curve of a setting, by its id: arrays of steps, means and half-widths of 95 % intervals."""
        if setting not in {row["setting"] for row in self._settings}:
            raise ValueError(f"there is no setting {setting} in {self.file}; to_pandas() shows their ids")
        mean, half_width, _ = self._curve(setting, self.metrics[self._metric(metric)])
        return self.study["steps"][: len(mean)], mean, half_width

    def plot_curves(self, metric: str | None = None, case: int = 0, learners: list[str] | None = None, ax=None):
        """Draws the learning curve of every learner at its best setting, with 95 % bands; returns the axes."""
        from ._plots import plot_curves

        return plot_curves(self, self.metrics[self._metric(metric)], case, self._chosen(learners), ax)

    def plot_sensitivity(
        self,
        parameter: str | None = None,
        metric: str | None = None,
        case: int = 0,
        learners: list[str] | None = None,
        ax=None,
    ):
        """Draws the error over the whole curve against a parameter, at the best of all others; returns the axes.

        Without a parameter it is the one that most learners call their own: the step size, or else the ridge.
        """
        from ._plots import plot_sensitivity

        chosen = self._chosen(learners)
        swept = self._swept(chosen)
        if parameter is None:
            own = [self.study["learners"][label]["own"] for label in chosen]
            candidates = [name for name in own if name]
            candidates = candidates or [name for label in chosen for name in self.study["learners"][label]["swept"]]
            if not candidates:
                raise ValueError("no learner of this study sweeps a parameter")
            parameter = max(candidates, key=candidates.count)
        parameter = _nearest(parameter.removesuffix("_"), swept, "swept parameter")
        return plot_sensitivity(self, parameter, self.metrics[self._metric(metric)], case, chosen, ax)

    def _swept(self, labels: list[str]) -> list[str]:
        return list(dict.fromkeys(name for label in labels for name in self.study["learners"][label]["swept"]))

    def _chosen(self, learners: list[str] | None) -> list[str]:
        return [_nearest(label, self.labels, "label") for label in learners] if learners else self.labels

    def report(self, path: str | Path, curves: str = "all") -> Path:
        """Writes the page that `bellwether report` writes: one file with everything in it, for any browser.

        `curves="best"` keeps only the curves of the best settings, for a smaller page.
        """
        _core.report_page([self.file], self.study["name"], curves, str(path))
        return Path(path)

    def pictures(self, case: int = 0) -> list[tuple[str, str]]:
        """The figures of the study as (title, SVG), as `bellwether report --figures` draws them."""
        return self._pictures(self._index, case)

    def _done(self) -> str:
        planned = self.study["seeds"] * len(self._settings)
        done = sum(min(row["runs"], self.study["seeds"]) for row in self._settings)
        diverged = sum(row["diverged"] for row in self._settings)
        return f"{len(self._settings)} settings, {done} of {planned} runs done, {diverged} diverged"

    def __len__(self) -> int:
        return len(self._settings)

    def __repr__(self) -> str:
        return f"Results of {self.study['name']} ({self.study['scale']}) in {self.file}: {self._done()}"

    def _repr_html_(self) -> str:
        metric = self.study["titles"][0]
        parts = [f"<h3>{html.escape(self.study['title'])}</h3>", f"<p>{html.escape(self._done())}</p>"]
        for case, text in enumerate(self.cases):
            rows = "".join(
                "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in self._cells(row)) + "</tr>"
                for row in self.ranked(case=case, best=True)
            )
            head = "".join(f"<th>{html.escape(name)}</th>" for name in ("learner", "setting", metric, "+-", "diverged"))
            parts.append(f"<p><b>{html.escape(text)}</b></p><table><tr>{head}</tr>{rows}</table>")
            pictures = self.pictures(case)
            parts += [f'<div style="max-width:44em;background:#fff">{picture}</div>' for _, picture in pictures[:1]]
        return "\n".join(parts)

    def _cells(self, row: dict) -> list[str]:
        swept = self.study["learners"][row["label"]]["swept"]
        setting = " ".join(f"{name}={row['parameters'][name]}" for name in swept if name in row["parameters"])
        mean, half_width = row["scores"][0][:2]
        numbers = ["-" if math.isnan(value) else f"{value:.5g}" for value in (mean, half_width)]
        return [row["label"], setting, *numbers, f"{row['diverged']}/{row['runs']}"]
