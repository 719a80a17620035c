"""The value of a policy as an estimator of scikit-learn."""

from __future__ import annotations

import numpy as np

try:
    from sklearn.base import BaseEstimator
    from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d, validate_data
except ImportError as error:
    raise ImportError("bellwether.ValueEstimator needs scikit-learn 1.6 or later: pip install scikit-learn") from error

from ._learning import learn


class ValueEstimator(BaseEstimator):
    """Learns the values of states under a policy: `learn` with the interface of scikit-learn.

    There are two ways to give data. As a log, X is what `learn` takes, y is left out, and parameters name the columns:

        estimator = bw.ValueEstimator(state=["position", "velocity"], reward="r", done="done", discount=0.99)
        GridSearchCV(estimator, {"features": [...]}, cv=GroupKFold(5)).fit(frame, groups=frame["episode"])

    As arrays, X has a row for each state in the order of time, y is the reward received on leaving it, and `done`,
    `terminated`, `truncated`, `episode` and `rho` of `fit` are arrays of as many rows:

        make_pipeline(StandardScaler(), bw.ValueEstimator()).fit(states, rewards, valueestimator__done=done)

    Splits have to keep episodes whole (GroupKFold), and rows in their order. Parameters are those of `learn`; the
    discount is 0.99 unless it is given, as arrays need not say where episodes end.

    Attributes: `learned_` (what `learn` found), `model_`, `value_`, `low_`, `high_`, `n_features_in_`.
    """

    def __init__(
        self,
        *,
        state=None,
        next=None,
        reward=None,
        discount=0.99,
        done=None,
        terminated=None,
        truncated=None,
        episode=None,
        env=None,
        time=None,
        unordered=False,
        rho=None,
        target=None,
        behaviour=None,
        interest=None,
        skip_bad=False,
        features=None,
        feature_settings=None,
        learner=None,
        settings=None,
        passes=1,
        holdout=0.0,
        resamples=None,
        seed=1,
        jobs=None,
    ):
        self.state = state
        self.next = next
        self.reward = reward
        self.discount = discount
        self.done = done
        self.terminated = terminated
        self.truncated = truncated
        self.episode = episode
        self.env = env
        self.time = time
        self.unordered = unordered
        self.rho = rho
        self.target = target
        self.behaviour = behaviour
        self.interest = interest
        self.skip_bad = skip_bad
        self.features = features
        self.feature_settings = feature_settings
        self.learner = learner
        self.settings = settings
        self.passes = passes
        self.holdout = holdout
        self.resamples = resamples
        self.seed = seed
        self.jobs = jobs

    def fit(self, X, y=None, *, done=None, terminated=None, truncated=None, episode=None, rho=None):
        """Learns from X, with the rewards y and what else is given for each row; forgets what it has learned before."""
        rows = {"done": done, "terminated": terminated, "truncated": truncated, "episode": episode, "rho": rho}
        data, named = self._data(X, y, rows, reset=True)
        return self._take(learn(data, **{**self._request(), **named}))

    def partial_fit(self, X, y=None, *, done=None, terminated=None, truncated=None, episode=None, rho=None):
        """Learns from more data; features keep the ranges of the first."""
        rows = {"done": done, "terminated": terminated, "truncated": truncated, "episode": episode, "rho": rho}
        if not hasattr(self, "model_"):
            return self.fit(X, y, **rows)
        data, _ = self._data(X, y, rows, reset=False)
        self.model_.partial_fit(data, passes=self.passes, skip_bad=self.skip_bad, jobs=self.jobs)
        return self._take(None)

    def predict(self, X, *, interval=False):
        """The values of states; with `interval` also the ends of their 95 % intervals."""
        check_is_fitted(self)
        if self._arrays:
            X = validate_data(self, X, reset=False, dtype=np.float64)
        return self.model_.predict(X, interval=interval)

    def score(
        self, X, y=None, *, done=None, terminated=None, truncated=None, episode=None, rho=None, sample_weight=None
    ):
        """Minus the root mean squared error of the values as predictions of the returns observed: larger is better.
        Only episodes that ended have returns. With several targets it is the mean over these. Steps cannot be weighted:
        `sample_weight` is there for pipelines, which pass it on."""
        if sample_weight is not None:
            raise ValueError("sample_weight is given; steps of an episode cannot be weighted")
        check_is_fitted(self)
        rows = {"done": done, "terminated": terminated, "truncated": truncated, "episode": episode, "rho": rho}
        data, _ = self._data(X, y, rows, reset=False)
        judgements = self.model_.judge(data, skip_bad=self.skip_bad)
        if any(judgement["returns"] == 0 for judgement in judgements):
            raise ValueError("no episode of the data ends, so there are no returns to score by: say where with `done`")
        return -float(np.mean([judgement["return_error"] for judgement in judgements]))

    def __sklearn_is_fitted__(self):
        return hasattr(self, "model_")

    def _request(self):
        """The arguments of `learn`."""
        return self.get_params(deep=False)

    def _take(self, learned):
        if learned is not None:
            self.learned_ = learned
            self.model_ = learned.model
        target = self.model_.summary["targets"][0]
        self.value_, self.low_, self.high_ = target.get("value"), target.get("low"), target.get("high")
        return self

    def _data(self, X, y, rows, *, reset):
        """What `learn` takes, and the columns that it has got names for."""
        given = {name: value for name, value in rows.items() if value is not None}
        if y is None and (not isinstance(X, np.ndarray) or X.dtype.names):
            if given:
                raise ValueError(f"{', '.join(given)}: X is a log; name the columns as parameters of the estimator")
            self._arrays = False
            return X, {}
        X = validate_data(self, X, reset=reset, dtype=np.float64, ensure_min_samples=2)
        if y is None:
            raise ValueError("y is None; X is an array, so y has to be the rewards (requires y to be passed)")
        self._arrays = True
        y = np.asarray(y)
        y = column_or_1d(y, warn=True) if y.ndim != 2 or y.shape[1] == 1 else y
        check_consistent_length(X, y)
        if y.dtype.kind not in "biuf":
            y = y.astype(np.float64)
        names = list(getattr(self, "feature_names_in_", [f"state.{i}" for i in range(X.shape[1])]))
        columns = {name: X[:, i] for i, name in enumerate(names)}
        taken = [name for name in ("reward", *given) if name in columns]
        if taken:
            raise ValueError(f"X has a column '{taken[0]}', which is the name of another argument; rename it")
        columns["reward"] = y
        for name, value in given.items():
            columns[name] = np.asarray(value)
            check_consistent_length(X, columns[name])
        return columns, {"state": names, "reward": "reward", **{name: name for name in given}}


def value_score(estimator, X, y=None, **rows):
    """A scorer for values, `scoring=bw.value_score`: minus the error of the returns of episodes held out."""
    return estimator.score(X, y, **rows)
