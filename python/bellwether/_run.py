"""What a run of a learner on a domain gives."""

from __future__ import annotations

import numpy as np

from ._registry import python_name


class Run:
    """The learning curve of a learner on a domain: means over runs with 95 % intervals.

    steps                  steps learned at each measurement
    mean, half_width       of the first metric at each of these
    curves                 {metric: {"mean", "half_width", "average", "last"}} of every metric
    average, last          of the first metric, over the whole curve and at its end: {"mean", "half_width", "runs"}
    diverged               runs that diverged, which take no part in any mean
    parameters, findings   of the learner: every parameter, and what it chose or noticed in the first run
    """

    def __init__(self, result: dict, protocol: dict):
        (setting,) = result["settings"]
        (self.case,) = result["cases"]
        self.protocol = protocol
        self.steps = np.array(result["steps"])
        self.metrics: list[str] = result["metrics"]
        self.titles: dict = result["titles"]
        self.learner: str = setting["learner"]
        self.parameters: dict = setting["parameters"]
        self.findings: dict = setting["findings"]
        self.diverged: int = setting["diverged"]
        self.grown: int = setting["grown"]
        self.seconds_per_step: float = setting["seconds_per_step"]
        self.curves: dict = setting["curves"]

    @property
    def mean(self) -> np.ndarray:
        return self.curves[self.metrics[0]]["mean"]

    @property
    def half_width(self) -> np.ndarray:
        return self.curves[self.metrics[0]]["half_width"]

    @property
    def average(self) -> dict:
        return self.curves[self.metrics[0]]["average"]

    @property
    def last(self) -> dict:
        return self.curves[self.metrics[0]]["last"]

    def to_pandas(self):
        """A row for each measurement: the step, and mean and half-width of each metric."""
        import pandas

        columns = {"step": self.steps}
        for name in self.metrics:
            columns[name] = self.curves[name]["mean"]
            columns[f"{name}_half_width"] = self.curves[name]["half_width"]
        return pandas.DataFrame(columns)

    def plot(self, metric: str | None = None, ax=None):
        """Draws the curve with its 95 % band; returns the axes."""
        from ._plots import plot_run

        return plot_run(self, metric or self.metrics[0], ax)

    def __repr__(self) -> str:
        settings = ", ".join(f"{python_name(name)}={value}" for name, value in self.parameters.items())
        lines = [
            f"{self.learner} on {self.case['domain']}: {settings}",
            f"mean over {self.protocol['seeds']} runs of {self.protocol['steps']} steps, seed {self.protocol['seed']}; "
            "+- is the 95 % interval",
        ]
        for name in self.metrics:
            average, last = self.curves[name]["average"], self.curves[name]["last"]
            lines.append(
                f"{name}: {average['mean']:.5g} +- {average['half_width']:.2g} over the whole curve, "
                f"{last['mean']:.5g} +- {last['half_width']:.2g} at its end"
            )
        if self.diverged:
            lines.append(f"{self.diverged} of {self.protocol['seeds']} runs diverged and are left out of the means")
        return "\n".join(lines)
