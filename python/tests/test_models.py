"""Models: predicting, continuing, merging, saving, copying, threads."""

from __future__ import annotations

import copy
import csv
import io
import json
import multiprocessing
import pickle
import threading

import logs
import numpy as np
import pandas as pd
import pytest

import bellwether as bw

ASKED = {"state": ["position", "velocity"], "reward": "r", "discount": 0.99}


@pytest.fixture(scope="module")
def walk():
    return logs.walk()


@pytest.fixture(scope="module")
def model(walk):
    return bw.learn(walk, **ASKED).model


@pytest.fixture(scope="module")
def states():
    return np.random.default_rng(3).uniform(-1, 1, (50, 2))


def part(walk, low, high):
    chosen = (walk["episode"] >= low) & (walk["episode"] < high)
    return {name: column[chosen] for name, column in walk.items()}


def test_the_program_predicts_the_same_bits_from_the_same_file(model, states, tmp_path):
    model.save(tmp_path / "m.bw")
    path = logs.write_csv(tmp_path / "states.csv", {"position": states[:, 0], "velocity": states[:, 1]})
    rows = list(csv.DictReader(io.StringIO(logs.program("predict", tmp_path / "m.bw", path, "--interval"))))
    value, low, high = model.predict(states, interval=True)
    for name, found in (("value", value), ("low", low), ("high", high), ("visits", model.visits(states))):
        assert [float(row[name]) for row in rows] == found.tolist()
    assert np.array_equal(model.predict(path), value)
    assert np.array_equal(bw.Model.load(tmp_path / "m.bw").predict(states), value)


def test_states_may_be_arrays_dictionaries_frames_or_one_state(model, states):
    values = model.predict(states)
    columns = {"position": states[:, 0], "velocity": states[:, 1]}
    for same in (
        columns,
        pd.DataFrame(columns),
        pd.DataFrame(columns).to_records(),
        states.tolist(),
        np.asfortranarray(states),
    ):
        assert np.array_equal(model.predict(same), values)
    assert model.predict(states[0]) == values[0]
    assert isinstance(model.predict(states[0]), float)
    assert np.allclose(model.predict(states.astype(np.float32)), values, atol=0.2)


def test_several_targets_are_several_columns(walk, states):
    model = bw.learn(walk, **{**ASKED, "discount": [0.5, 0.99]}).model
    values = model.predict(states)
    assert values.shape == (50, 2)
    assert np.array_equal(model.predict(states, target=1), values[:, 1])
    assert np.array_equal(model.predict(states, target=model.targets[0]), values[:, 0])
    low, high = model.predict(states, interval=True)[1:]
    assert np.all(low <= values) and np.all(values <= high)
    assert model.predict(states[0]).shape == (2,)
    with pytest.raises(ValueError, match="target is 'q'; one of"):
        model.predict(states, target="q")


def test_a_model_that_diverged_has_no_weights(walk):
    model = bw.learn(walk, **ASKED, learner="td", settings={"alpha": 1e6}, passes=3).model
    assert np.isnan(model.weights()).all()


def test_partial_fit_continues_as_the_program_does(walk, tmp_path):
    first = logs.write_csv(tmp_path / "first.csv", part(walk, 0, 60))
    second = logs.write_csv(tmp_path / "second.csv", part(walk, 60, 120))
    names = ["--state", "position,velocity", "--reward", "r", "--discount", 0.99, "-m", tmp_path / "m.bw"]
    logs.program("learn", first, *names)
    logs.program("learn", second, *names, "--continue")
    model = bw.learn(part(walk, 0, 60), **ASKED).model
    assert model.partial_fit(part(walk, 60, 120)) is model
    assert np.array_equal(model.weights(), bw.Model.load(tmp_path / "m.bw").weights())
    resumed = bw.learn(first, **ASKED, model=tmp_path / "n.bw").model
    resumed = bw.learn(second, **ASKED, model=tmp_path / "n.bw", resume=True).model
    assert np.array_equal(resumed.weights(), model.weights())
    with pytest.raises(ValueError, match="already learned from"):
        resumed.partial_fit(second)


def test_a_model_stays_as_it_was_when_learning_fails(walk):
    model = bw.learn(walk, **ASKED, resamples=0).model
    before = pickle.dumps(model)
    bad = {**walk, "position": np.where(np.arange(len(walk["r"])) == 1500, np.nan, walk["position"])}
    with pytest.raises(ValueError, match="row 1501"):
        model.partial_fit(bad)
    with pytest.raises(ValueError, match="the model has the learner"):
        model.partial_fit(walk, learner="td")
    with pytest.raises(TypeError, match="there is no option 'model' here"):
        model.partial_fit(walk, model="m.bw")
    assert pickle.dumps(model) == before


def test_models_of_parts_merge_to_the_model_of_all(walk):
    exact = {**ASKED, "features": "tile_coding(tilings=4, tiles=4) + bias", "learner": "lstd", "resamples": 4}
    whole = bw.learn(walk, **exact)
    empty = whole.model
    parts = [bw.learn(part(walk, low, low + 40), like=empty).model for low in (0, 40, 80)]
    merged = parts[0].merge(*parts[1:])
    assert merged.steps == whole.summary["steps"]
    assert np.allclose(merged.weights(), whole.model.weights(), rtol=1e-9, atol=1e-9)
    assert merged.summary["targets"][0]["value"] == pytest.approx(whole.value, rel=1e-9)
    assert parts[0].steps < merged.steps
    with pytest.raises(ValueError, match="different learners cannot be merged"):
        merged.absorb(bw.learn(walk, **{**exact, "learner": "td"}).model)
    with pytest.raises(ValueError, match="cannot absorb itself"):
        merged.absorb(merged)
    with pytest.raises(ValueError, match="a Model is expected"):
        merged.absorb(3)


def test_like_takes_the_recipe_of_a_model_or_of_its_file(walk, model, tmp_path):
    model.save(tmp_path / "m.bw")
    of_model = bw.learn(part(walk, 0, 30), like=model).model
    of_file = bw.learn(part(walk, 0, 30), like=tmp_path / "m.bw").model
    assert of_model.recipe == model.recipe == of_file.recipe
    assert np.array_equal(of_model.weights(), of_file.weights())


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, bw.Model.copy, lambda m: pickle.loads(pickle.dumps(m))])
def test_copies_go_their_own_ways(walk, copied):
    model = bw.learn(walk, **ASKED, resamples=2).model
    twin = copied(model)
    assert np.array_equal(twin.weights(), model.weights()) and twin.recipe == model.recipe
    twin.partial_fit(logs.walk(10, seed=9))
    assert twin.steps > model.steps


def test_models_cross_processes(model, states):
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert np.array_equal(pool.apply(model.predict, (states,)), model.predict(states))


def test_a_model_in_use_by_another_thread_refuses(model):
    many = np.random.default_rng(1).uniform(-1, 1, (400_000, 2))
    refused = []  # whoever comes second is

    def attempt(work, *arguments, **options):
        try:
            work(*arguments, **options)
        except RuntimeError as error:
            refused.append(str(error))

    thread = threading.Thread(target=attempt, args=(model.predict, many), kwargs={"interval": True})
    thread.start()
    while thread.is_alive():
        attempt(model.weights)
    thread.join()
    assert refused and all("this model is in use by another thread" in message for message in refused)
    assert len(model.weights()) == model.recipe["dim"]


def test_judging_by_data_that_was_not_learned_from(model):
    (judged,) = model.judge(logs.walk(20, seed=4))
    assert judged["after"] == model.steps and judged["returns"] == judged["steps"]
    assert judged["return_error"] > 0 and abs(judged["mean_value"] - judged["mean_return"]) < 1


def test_it_shows_itself(model):
    assert repr(model) == "<Model of r: lstd_krylov, 969 features, 1904 steps>"
    assert "value of the policy" in str(model)
    assert model.state == ["position", "velocity"] and model.targets == ["r"]


def test_what_is_wrong_is_one_error(model, states, tmp_path):
    with pytest.raises(
        ValueError, match=r"states is an array of shape \(50, 1\) and dtype float64; an array of shape \(n, 2\)"
    ):
        model.predict(states[:, :1])
    with pytest.raises(ValueError, match="states: there is no column 'velocity'"):
        model.predict({"position": states[:, 0]})
    with pytest.raises(ValueError, match=r"states: row 1, column 'velocity'"):
        model.predict([[0.0, np.nan]])
    with pytest.raises(ValueError, match=r"states is 3 \(int\)"):
        model.predict(3)
    with pytest.raises(OSError, match="none.bw"):
        bw.Model.load(tmp_path / "none.bw")
    (tmp_path / "bad.bw").write_bytes(b"nothing of the kind")
    with pytest.raises(ValueError, match="bad.bw"):
        bw.Model.load(tmp_path / "bad.bw")
    with pytest.raises(OSError, match="none"):
        model.save(tmp_path / "none" / "m.bw")
    rest, (state, _) = model.__reduce__()
    with pytest.raises(ValueError, match=r"pickled by bellwether 99.0; this is .*: the pickled model"):
        rest(state[:-10], "99.0")
    without = bw.learn(logs.walk(30), **ASKED, resamples=0).model
    with pytest.raises(ValueError, match="resamples"):
        without.predict(states, interval=True)


def test_a_model_of_ready_made_features(walk):
    x = np.stack([walk["position"], walk["velocity"], np.ones(len(walk["r"]))], axis=1)
    model = bw.learn({"x": x, "reward": walk["r"], "done": walk["done"]}, discount=0.9).model
    assert json.loads(json.dumps(model.recipe))["features"] == "none"
    assert np.allclose(model.predict(x[:5]), x[:5] @ model.weights())
