"""bellwether.spark and bellwether.ray with real engines, in processes of their own: `make python-engines` runs this."""

from __future__ import annotations

import os
import sys

import logs
import numpy as np
import pandas as pd
import pytest

import bellwether as bw

EXACT = {"state": ["position", "velocity"], "reward": "r", "discount": 0.99, "done": "done", "episode": "episode"}
EXACT |= {"time": "t", "learner": "lstd", "features": "tile_coding(tilings=4, tiles=4) + bias"}


@pytest.fixture(scope="module")
def frame():
    walk = logs.walk()
    return pd.DataFrame(walk).assign(t=np.arange(len(walk["r"])))


@pytest.fixture(scope="module")
def whole(frame):
    return bw.learn(frame, **EXACT)


@pytest.fixture(scope="module")
def spark():
    sql = pytest.importorskip("pyspark.sql")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", False)
    session = session.config("spark.sql.shuffle.partitions", 4).getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="module")
def ray():
    engine = pytest.importorskip("ray")
    engine.init(
        num_cpus=2, include_dashboard=False, runtime_env={"env_vars": {"PYTHONPATH": os.pathsep.join(sys.path)}}
    )
    yield engine
    engine.shutdown()


def check(learned, whole, frame):
    assert learned.summary["steps"] == len(frame)
    assert learned.summary["episodes"] == whole.summary["episodes"]
    assert np.allclose(learned.model.weights(), whole.model.weights(), rtol=1e-9, atol=1e-9)
    assert learned.value == pytest.approx(whole.value, rel=1e-12)


def test_spark_gives_what_one_pass_gives(spark, frame, whole):
    import bellwether.spark

    rows = spark.createDataFrame(frame.sample(frac=1, random_state=1)).repartition(3)
    check(bellwether.spark.learn(rows, episode="episode", like=whole.model), whole, frame)
    options = {name: value for name, value in EXACT.items() if name != "episode"}
    check(bellwether.spark.learn(rows, episode="episode", **options), whole, frame)
    with pytest.raises(ValueError, match="data has no rows"):
        bellwether.spark.learn(rows.where("episode < 0"), episode="episode", like=whole.model)


def test_ray_gives_what_one_pass_gives(ray, frame, whole):
    import ray.data

    import bellwether.ray

    rows = ray.data.from_pandas([frame[:700], frame[700:]])
    check(bellwether.ray.learn(rows, episode="episode", like=whole.model, parts=3), whole, frame)
    options = {name: value for name, value in EXACT.items() if name != "episode"}
    check(bellwether.ray.learn(rows, episode="episode", parts=3, **options), whole, frame)
