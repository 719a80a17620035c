"""bellwether.dask with a real Dask."""

from __future__ import annotations

import dask
import dask.dataframe as dd
import logs
import numpy as np
import pandas as pd
import pytest

import bellwether as bw
import bellwether.dask

ASKED = {"state": ["position", "velocity"], "reward": "r", "discount": 0.99, "done": "done", "episode": "episode"}
EXACT = {**ASKED, "time": "t", "learner": "lstd", "features": "tile_coding(tilings=4, tiles=4) + bias"}


@pytest.fixture(scope="module")
def frame():
    walk = logs.walk()
    return pd.DataFrame(walk).assign(t=np.arange(len(walk["r"])))


@pytest.fixture(scope="module")
def whole(frame):
    return bw.learn(frame, **EXACT)


@pytest.mark.parametrize("scheduler", ["threads", "processes"])
def test_partitions_that_cut_episodes_give_what_one_pass_gives(frame, whole, scheduler):
    with dask.config.set(scheduler=scheduler):
        learned = bellwether.dask.learn(dd.from_pandas(frame, npartitions=5), episode="episode", like=whole.model)
    assert learned.summary["steps"] == len(frame)
    assert learned.summary["episodes"] == 120
    assert np.allclose(learned.model.weights(), whole.model.weights(), rtol=1e-9, atol=1e-9)
    assert learned.value == pytest.approx(whole.value, rel=1e-12)
    assert learned.half_width == pytest.approx(whole.half_width, rel=0.5)


def test_whole_episodes_in_partitions_need_no_order(frame, whole):
    like = bw.learn(frame.drop(columns="t"), **{**EXACT, "time": None}).model
    parts = [frame[frame["episode"] % 3 == k].drop(columns="t") for k in range(3)]
    parted = dd.from_delayed([dask.delayed(part) for part in parts], meta=parts[0])
    learned = bellwether.dask.learn(parted, episode="episode", like=like, partitioned=True)
    assert np.allclose(learned.model.weights(), whole.model.weights(), rtol=1e-9, atol=1e-9)
    with pytest.raises(ValueError, match="rows lose their order"):
        bellwether.dask.learn(parted, episode="episode", like=like)


def test_without_a_model_the_first_partition_sets_the_features(frame):
    options = {name: value for name, value in EXACT.items() if name != "episode"}
    learned = bellwether.dask.learn(dd.from_pandas(frame, npartitions=4), episode="episode", **options)
    first = bw.learn(dd.from_pandas(frame, npartitions=4).get_partition(0).compute(), **EXACT).model
    assert learned.model.recipe == first.recipe
    assert learned.summary["steps"] == len(frame)


def test_a_learner_that_cannot_be_merged_is_refused_at_once(frame):
    like = bw.learn(frame, **{**EXACT, "learner": "td"}).model
    with pytest.raises(ValueError, match="does not add up"):
        bellwether.dask.learn(dd.from_pandas(frame, npartitions=2), episode="episode", like=like)
    with pytest.raises(ValueError, match="leave out"):
        bellwether.dask.learn(dd.from_pandas(frame, npartitions=2), episode="episode", like=like, discount=0.5)
