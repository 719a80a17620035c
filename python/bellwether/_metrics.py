"""True values of domains, and errors of learned values."""

from __future__ import annotations

import os

import numpy as np

from . import _core
from ._domains import as_domain, features_of
from ._progress import Progress

METRICS: tuple[str, ...] = _core.METRICS


def jobs_or_all(jobs: int | None) -> int:
    """A number of threads; all cores, if it is not given."""
    if jobs is None:
        return os.cpu_count() or 1
    if not 1 <= jobs <= 1024:
        raise ValueError(f"jobs is {jobs}, which is outside [1, 1024]")
    return jobs


def ground_truth(domain, *, jobs: int | None = None, progress: object = True, **evaluation) -> _core.GroundTruth:
    """States of a domain with their true values: exact where they are known, else means of rollouts.

    Parameters are those of [evaluation] in study files: states, trajectory, weights, truth, rollouts, horizon,
    truth_seed. Values that took work are kept in $BELLWETHER_CACHE, or else in ~/.cache/bellwether.
    """
    domain = as_domain(domain)
    with Progress("true values", progress) as shown:
        return _core.ground_truth(domain, evaluation, jobs_or_all(jobs), shown)


class Measure:
    """What can be recorded of a learner on a domain: relative, rmse, msbe, mspbe, fixed_point.

    error = bw.Measure("rmse", "boyan_chain")
    error(learner)                                  # or error(learner.weights())

    `features` are those that the learner sees; `truth` is that of `ground_truth`, found if it is not given.
    `bellman_lambda` and `bellman_steps` are for the last three.
    """

    def __init__(
        self, metric: str, domain, features=None, truth: _core.GroundTruth | None = None, seed: int = 1, **more
    ):
        domain = as_domain(domain)
        features = features_of(domain, features, seed)
        if metric == "effective_samples":
            raise ValueError("effective_samples is a property of steps: record it with run or a study")
        if truth is None:
            truth = ground_truth(domain) if metric in ("relative", "rmse") else _core.GroundTruth()
        self.domain, self.features = domain, features
        self.metric, self._core = metric, _core.Measure(metric, domain, features._core, truth, more, seed)

    def __call__(self, learner) -> float:
        return self._core.of_weights(learner.weights() if hasattr(learner, "weights") else learner)

    def __repr__(self) -> str:
        return f"Measure({self.metric!r})"


def value_error(estimates, values, metric: str = "rmse", weights=None) -> float:
    """The error of estimated values against true ones: rmse, or relative, the mean of |estimate - value| / |value|."""
    return _core.value_error(metric, estimates, values, weights, np.size(values))
