"""ValueEstimator: scikit-learn's own checks, pipelines, searches, clones and pickles."""

from __future__ import annotations

import pickle
import subprocess
import sys

import logs
import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import bellwether as bw

COLUMNS = {"state": ["position", "velocity"], "reward": "r", "done": "done"}
NO_ENDS = "`score` compares values with the returns of episodes that ended, and the data of the check has no episodes"
NOT_APPLICABLE = {"check_fit_score_takes_y": NO_ENDS, "check_pipeline_consistency": NO_ENDS}


@pytest.fixture(scope="module")
def frame():
    return pd.DataFrame(logs.walk(60))


@parametrize_with_checks([bw.ValueEstimator(resamples=0)], expected_failed_checks=lambda _: NOT_APPLICABLE)
def test_the_checks_of_scikit_learn(estimator, check):
    check(estimator)


def test_a_log_gives_what_learn_gives(frame):
    estimator = bw.ValueEstimator(**COLUMNS).fit(frame)
    learned = bw.learn(frame, **COLUMNS, discount=0.99)
    assert estimator.learned_.summary == learned.summary
    assert (estimator.value_, estimator.low_, estimator.high_) == (learned.value, learned.low, learned.high)
    states = frame[["position", "velocity"]]
    assert np.array_equal(estimator.predict(states), learned.model.predict(states))
    assert len(estimator.predict(states, interval=True)) == 3


def test_arrays_give_what_a_log_of_them_gives(frame):
    states, rewards = frame[["position", "velocity"]].to_numpy(), frame["r"].to_numpy()
    estimator = bw.ValueEstimator().fit(states, rewards, done=frame["done"])
    of_log = bw.ValueEstimator(**COLUMNS).fit(frame)
    assert np.array_equal(estimator.model_.weights(), of_log.model_.weights())
    assert estimator.score(states, rewards, done=frame["done"]) == of_log.score(frame)


def test_several_rewards_are_several_targets(frame):
    states = frame[["position", "velocity"]].to_numpy()
    both = np.stack([frame["r"], 2 * frame["r"]], axis=1)
    estimator = bw.ValueEstimator(resamples=0).fit(states, both, done=frame["done"])
    values = estimator.predict(states)
    assert values.shape == (len(frame), 2)
    assert np.allclose(values[:, 1], 2 * values[:, 0], rtol=1e-3)


def test_the_score_is_minus_the_error_of_returns_of_episodes_held_out(frame):
    fitted = bw.ValueEstimator(**COLUMNS, resamples=0).fit(frame)
    other = pd.DataFrame(logs.walk(20, seed=5))
    values = fitted.predict(other)
    returns = np.zeros(len(other))
    for i in range(len(other) - 1, -1, -1):
        after = 0 if other["done"][i] else returns[i + 1]
        returns[i] = other["r"][i] + 0.99 * after
    assert fitted.score(other) == pytest.approx(-np.sqrt(np.mean((values - returns) ** 2)))
    assert bw.value_score(fitted, other) == fitted.score(other)


def test_a_search_over_features_keeps_episodes_together(frame):
    estimator = bw.ValueEstimator(**COLUMNS, learner="lstd", resamples=0)
    grid = {
        "features": ["bias", "tile_coding + bias"],
        "settings": [{"lambda": 0.9}, {"lambda": 0.5}],
        "learner": ["lstd"],
    }
    search = GridSearchCV(estimator, grid, cv=GroupKFold(3), scoring=bw.value_score, error_score="raise", n_jobs=2)
    search.fit(frame, groups=frame["episode"])
    assert search.best_params_["features"] == "tile_coding + bias"
    assert np.all(search.cv_results_["mean_test_score"] < 0)
    assert search.predict(frame).shape == (len(frame),)


def test_a_pipeline_scales_states_and_a_search_hands_on_where_episodes_end(frame):
    states, rewards, done = frame[["position", "velocity"]].to_numpy(), frame["r"].to_numpy(), frame["done"].to_numpy()
    pipeline = make_pipeline(StandardScaler(), bw.ValueEstimator(resamples=0))
    pipeline.fit(states, rewards, valueestimator__done=done)
    scaled = StandardScaler().fit_transform(states)
    alone = bw.ValueEstimator(resamples=0).fit(scaled, rewards, done=done)
    assert np.array_equal(pipeline.predict(states), alone.predict(scaled))
    with sklearn.config_context(enable_metadata_routing=True):
        routed = bw.ValueEstimator(resamples=0).set_fit_request(done=True).set_score_request(done=True)
        pipeline = make_pipeline(StandardScaler(), routed).fit(states, rewards, done=done)
        assert pipeline.score(states, rewards, done=done) == alone.score(scaled, rewards, done=done)
        search = GridSearchCV(
            routed, {"features": ["bias", "tile_coding + bias"]}, cv=GroupKFold(3), error_score="raise"
        )
        search.fit(scaled, rewards, done=done, groups=frame["episode"])
    assert search.best_params_ == {"features": "tile_coding + bias"}


def test_clones_and_pickles_predict_the_same(frame):
    estimator = bw.ValueEstimator(**COLUMNS, learner="lstd", settings={"lambda": 0.5})
    assert clone(estimator).get_params() == estimator.get_params()
    estimator.fit(frame)
    with pytest.raises(sklearn.exceptions.NotFittedError):
        clone(estimator).predict(frame)
    again = pickle.loads(pickle.dumps(estimator))
    assert np.array_equal(again.predict(frame), estimator.predict(frame))
    assert again.score(frame) == estimator.score(frame)


def test_partial_fit_goes_on(frame):
    first = frame[frame["episode"] < 30]
    estimator = bw.ValueEstimator(**COLUMNS, resamples=0).partial_fit(first)
    estimator.partial_fit(frame[frame["episode"] >= 30])
    assert estimator.model_.steps == len(frame)
    model = bw.learn(first, **COLUMNS, discount=0.99, resamples=0).model.partial_fit(frame[frame["episode"] >= 30])
    assert np.array_equal(estimator.model_.weights(), model.weights())


def test_what_is_wrong_names_the_argument(frame):
    states = frame[["position", "velocity"]].to_numpy()
    with pytest.raises(ValueError, match="y is None; X is an array"):
        bw.ValueEstimator().fit(states)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        bw.ValueEstimator().fit(states, frame["r"], done=[0, 1])
    with pytest.raises(ValueError, match="done: X is a log"):
        bw.ValueEstimator(**COLUMNS).fit(frame, done=frame["done"])
    with pytest.raises(ValueError, match="X has a column 'reward'"):
        bw.ValueEstimator().fit(frame.rename(columns={"position": "reward"})[["reward"]], frame["r"])
    with pytest.raises(ValueError, match="no episode of the data ends"):
        bw.ValueEstimator(resamples=0).fit(states, frame["r"]).score(states, frame["r"])
    with pytest.raises(ValueError, match="there is no learner 'tdd'; did you mean 'td'"):
        bw.ValueEstimator(**COLUMNS, learner="tdd").fit(frame)


def test_the_package_imports_without_scikit_learn():
    code = (
        "import sys; sys.modules['sklearn'] = None\n"
        "import bellwether as bw\n"
        "try: bw.ValueEstimator\n"
        "except ImportError as error: print(error)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.strip() == "bellwether.ValueEstimator needs scikit-learn 1.6 or later: pip install scikit-learn"
