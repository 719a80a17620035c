"""Learning from data: the same as the program, whatever holds the data."""

from __future__ import annotations

import json
import os
import pickle
import re
import signal
import threading
import time

import duckdb
import logs
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import bellwether as bw

ASKED = {"state": ["position", "velocity"], "reward": "r", "discount": 0.99}


@pytest.fixture(scope="module")
def walk():
    return logs.walk()


@pytest.fixture(scope="module")
def learned(walk):
    return bw.learn(walk, **ASKED)


def test_the_program_finds_the_same_numbers(walk, learned, tmp_path):
    path = logs.write_csv(tmp_path / "walk.csv", walk)
    told = json.loads(
        logs.program("learn", path, "--state", "position,velocity", "--reward", "r", "--discount", 0.99, "--json")
    )
    assert bw.learn(path, **ASKED).summary == told
    assert {**learned.summary, "learned_from": [str(path)]} == told
    text = logs.program("learn", path, "--state", "position,velocity", "--reward", "r", "--discount", 0.99)
    assert str(learned) == text


@pytest.mark.parametrize(
    ("options", "flags"),
    [
        ({"learner": "true_online_td", "settings": {"alpha": 0.05, "lambda_": 0.8}, "passes": 3, "jobs": 2},
         ["--learner", "true_online_td", "--set", "alpha=0.05", "--set", "lambda=0.8", "--passes", 3]),
        ({"learner": bw.ATD, "features": "tile_coding", "feature_settings": {"tilings": 4}, "seed": 7},
         ["--learner", "atd", "--features", "tile_coding", "--set", "features.tilings=4", "--seed", 7]),
        ({"holdout": 0.2, "resamples": 5, "discount": [0.9, 0.99], "done": "none", "episode": "episode"},
         ["--holdout", 0.2, "--resamples", 5, "--discount", "0.9,0.99", "--done", "none", "--episode", "episode"]),
    ],
)  # fmt: skip
def test_options_mean_what_the_flags_of_the_program_mean(walk, tmp_path, options, flags):
    path = logs.write_csv(tmp_path / "walk.csv", walk)
    discount = [] if "discount" in options else ["--discount", 0.99]
    told = json.loads(
        logs.program("learn", path, "--state", "position,velocity", "--reward", "r", *discount, *flags, "--json")
    )
    found = bw.learn(walk, **{**ASKED, **options}).summary
    found = json.loads(re.sub(r"`(\w+)`", r"--\1", json.dumps(found)))  # the program names its flags in sentences
    assert {**found, "learned_from": [str(path)]} == told


@pytest.mark.parametrize(
    "table",
    [pd.DataFrame, pl.DataFrame, pa.table, lambda d: pd.DataFrame(d).to_records(index=False), lambda d: dict(d)],
    ids=["pandas", "polars", "pyarrow", "records", "dict"],
)
def test_every_kind_of_table_gives_the_same(walk, learned, table):
    assert bw.learn(table(walk), **ASKED).summary == learned.summary


@pytest.mark.parametrize("rows", [1, 7, 1000])
def test_the_batches_of_a_table_do_not_matter(walk, learned, rows):
    table = pa.table(walk)
    assert bw.learn(pa.Table.from_batches(table.to_batches(max_chunksize=rows)), **ASKED).summary == learned.summary


def test_duckdb_and_parquet(walk, learned, tmp_path):
    path = tmp_path / "walk.parquet"
    pd.DataFrame(walk).to_parquet(path, row_group_size=500)
    assert bw.learn(path, **ASKED).summary == learned.summary
    pd.DataFrame(walk).to_feather(tmp_path / "walk.feather")
    assert bw.learn(tmp_path / "walk.feather", **ASKED).summary == learned.summary
    (tmp_path / "bad.parquet").write_bytes(b"nothing of the kind")
    with pytest.raises((ValueError, OSError), match="bad.parquet"):
        bw.learn(tmp_path / "bad.parquet", **ASKED)
    with duckdb.connect() as connection:
        assert bw.learn(connection.read_parquet(str(path)), **ASKED).summary == learned.summary


def test_a_stream_of_batches_is_read_once_and_in_order(walk):
    table = pa.table(walk)
    found = bw.learn(table.to_reader(max_chunksize=100), **ASKED)
    assert found.summary["choices"][0] == "ranges of the state: those of the first 1000 rows"
    assert found.summary["steps"] == len(walk["r"])
    with pytest.raises(ValueError, match="a stream can be read only once, so `passes` must be 1"):
        bw.learn(table.to_reader(), **ASKED, passes=2)


def test_matrices_float32_integers_dates_and_texts(walk):
    both = np.stack([walk["position"], walk["velocity"]], axis=1)
    kind = np.where(walk["velocity"] > 0, "fast", "slow")
    times = np.datetime64("2026-01-01", "ms") + np.arange(len(kind)).astype("m8[s]")
    data = {
        "s": both.astype(np.float32),
        "kind": kind,
        "r": walk["r"],
        "done": walk["done"].astype(np.int8),
        "t": times,
    }
    found = bw.learn(data, state=["s", "kind"], reward="r", time="t")
    assert found.columns["state"] == ["s.0", "s.1", "kind"]
    assert found.columns["time"] == "t"
    frame = pd.DataFrame(
        {"s.0": data["s"][:, 0], "s.1": data["s"][:, 1], "kind": kind, **{k: data[k] for k in ("r", "done", "t")}}
    )
    assert bw.learn(frame, state=["s.0", "s.1", "kind"], reward="r", time="t").value == found.value
    values = found.model.predict(np.array([[0.5, 1.0, "fast"], [0.5, 1.0, "slow"]], object))
    assert values.shape == (2,) and np.all(np.isfinite(values))


def test_columns_with_gaps_and_other_byte_orders_are_read_as_they_are(walk, learned):
    everything = np.column_stack([walk["position"], walk["velocity"], walk["r"]])
    data = {"position": everything[:, 0], "velocity": everything[:, 1].astype(">f8"), "r": everything[:, 2]}
    data |= {"done": walk["done"][::-1][::-1], "episode": walk["episode"].astype(object)}
    assert bw.learn(data, **ASKED, resamples=0).value == bw.learn(walk, **ASKED, resamples=0).value


def test_missing_values_are_empty_cells(walk):
    holes = walk["position"].copy()
    holes[7] = np.nan
    for position in (holes, np.ma.masked_invalid(holes), [None if np.isnan(x) else x for x in holes]):
        with pytest.raises(ValueError, match=r"data: row 8, column 'position'.*with `skip_bad` such rows are left out"):
            bw.learn({**walk, "position": position}, **ASKED)
    assert bw.learn({**walk, "position": holes}, **ASKED, skip_bad=True).summary["skipped_rows"] == 1


def test_several_tables_are_several_logs(walk, learned):
    first = {name: column[walk["episode"] < 60] for name, column in walk.items()}
    second = {name: column[walk["episode"] >= 60] for name, column in walk.items()}
    both = bw.learn([first, pd.DataFrame(second)], **ASKED)
    assert both.summary["steps"] == learned.summary["steps"]
    assert both.value == pytest.approx(learned.value)
    with pytest.raises(ValueError, match=r"data\[1\]: there is no column 'position'"):
        bw.learn([first, {"r": second["r"]}], **ASKED)


def test_what_was_learned_shows_itself(learned, tmp_path):
    assert repr(learned) == f"<Learned r: {learned.value:.6g} +- {learned.half_width:.2g} (1904 steps, lstd_krylov)>"
    assert learned.low < learned.value < learned.high
    assert learned.targets[0].returns["episodes"] == 120
    assert learned.judgements[0]["after"] == 767
    html = learned._repr_html_()
    assert html.count("<svg") == 4 and "value over position" in html and "polygon" in html
    learned.report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "How much reward will the policy collect from its start" in page
    assert "bellwether.learn(data, state=['position', 'velocity']" in page
    again = pickle.loads(pickle.dumps(learned))
    assert again.summary == learned.summary and str(again) == str(learned)
    bare = bw.learn({"s": [0, 1, 0, 1], "reward": [0, 1, 0, 1], "done": [0, 1, 0, 1]}, figures=False)
    assert "<svg" not in bare._repr_html_()
    with pytest.raises(ValueError, match="learn with `figures=True`"):
        bare.report(tmp_path / "none.html")


def test_progress_is_told_and_an_error_in_it_ends_learning(walk):
    shares = []
    bw.learn(walk, **ASKED, progress=shares.append)
    assert shares[-1] == pytest.approx(1) and all(0 <= share <= 1 for share in shares)

    def fail(share):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        bw.learn(walk, **ASKED, progress=fail)


def test_control_c_stops_learning(walk):
    threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        bw.learn(walk, **ASKED, learner="td", passes=10**6)
    assert time.monotonic() - begun < 5


def test_the_lock_of_python_is_released(walk):
    counted = []
    over = threading.Event()

    def count():
        while not over.is_set():
            counted.append(None)
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    bw.learn(walk, **ASKED, learner="td", passes=300)
    over.set()
    thread.join()
    assert len(counted) > 20


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (17, {}, r"data is 17 \(int\); a path or a list of paths, a dictionary of arrays"),
        (np.zeros((3, 2)), {}, r"data is an array of shape \(3, 2\) and dtype float64; a path"),
        ([], {}, "data is an empty list"),
        ({}, {}, "data has no columns"),
        ({"s": []}, {}, "data has no rows"),
        ({1: [1.0]}, {}, "the name 1 of a column is int; a str is expected"),
        ({"s": 1.0}, {}, r"data\['s'\] is 1.0 \(float\); an array with a value for each row is expected"),
        ({"s": [1, 2], "reward": [1]}, {}, "'reward' has 1 rows, 's' has 2"),
        ({"s": np.zeros(2, complex)}, {}, r"data\['s'\] has dtype complex128; numbers, truth values, dates or texts"),
        ({"s": [{}, {}]}, {}, r"data\['s'\] holds \{\} \(dict\)"),
        ({"s": [[1], [1, 2]]}, {}, r"data\['s'\] is not an array"),
        ({"s": [1, 2], "r": [1, 2]}, {"state": 3}, r"state is 3 \(int\); the name of a column or a list of names"),
        ({"s": [1, 2], "r": [1, 2]}, {"reward": [1]}, r"reward is 1 \(int\); the name of a column"),
        ({"s": [1, 2], "r": [1, 2]}, {"done": ["d"]}, r"done is \['d'\] \(list\); the name of a column is expected"),
        ({"s": [1, 2], "r": [1, 2]}, {"discount": None, "state": "S"}, "there is no column 'S'; did you mean 's'"),
        ({"s": [1, 2], "r": [1, 2]}, {"discount": 1.5}, "discount = 1.5"),
        ({"s": [1, 2], "r": [1, 2]}, {"discount": [True]}, r"discount is \[True\] \(list\); a number, several numbers"),
        ({"s": [1, 2], "r": [1, 2]}, {"passes": "two"}, r"passes is 'two' \(str\); a number is expected"),
        ({"s": [1, 2], "r": [1, 2]}, {"passes": 0}, "passes = 0"),
        ({"s": [1, 2], "r": [1, 2]}, {"holdout": 1.0}, "holdout = 1"),
        ({"s": [1, 2], "r": [1, 2]}, {"resume": True}, "`resume` needs the `model`"),
        ({"s": [1, 2], "r": [1, 2]}, {"skip_bad": 1}, r"skip_bad is 1 \(int\); True or False is expected"),
        ({"s": [1, 2], "r": [1, 2]}, {"decimal": ";"}, r"decimal is ';' \(str\); '.' or ',' is expected"),
        ({"s": [1, 2], "r": [1, 2]}, {"dim": 0}, r"dim is 0 \(int\); a positive whole number"),
        ({"s": [1, 2], "r": [1, 2]}, {"learner": "tdd"}, "there is no learner 'tdd'; did you mean 'td'"),
        ({"s": [1, 2], "r": [1, 2]}, {"learner": int}, r"learner is <class 'int'> \(type\)"),
        ({"s": [1, 2], "r": [1, 2]}, {"learner": "td", "settings": {"alfa": 1}}, "did you mean 'alpha'"),
        ({"s": [1, 2], "r": [1, 2]}, {"settings": [1]}, r"settings is \[1\] \(list\); a dictionary of parameters"),
        ({"s": [1, 2], "r": [1, 2]}, {"features": "tiles"}, "tiles"),
        ({"s": [1, 2], "r": [1, 2]}, {"model": 3}, r"model is 3 \(int\); a path is expected"),
        ({"s": [1, 2], "r": [1, 2]}, {"checkpoint": "1s"}, r"checkpoint is '1s' \(str\); a number of seconds"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_error_that_names_the_argument(data, options, message):
    with pytest.raises(ValueError, match=message):
        bw.learn(data, **{"state": "s", "reward": "r", "discount": 0.9, **options})


def test_files_that_cannot_be_read_or_written_are_errors_of_the_system(walk, tmp_path):
    with pytest.raises(OSError, match="cannot open: No such file or directory"):
        bw.learn(tmp_path / "none.csv")
    with pytest.raises(OSError, match="none"):
        bw.learn(walk, **ASKED, model=tmp_path / "none" / "m.bw")
    with pytest.raises(OSError, match="none.bw"):
        bw.learn(walk, **ASKED, like=tmp_path / "none.bw")
    with pytest.raises(TypeError, match="rewrd"):
        bw.learn(walk, rewrd="r")


def test_an_arrow_table_that_fails_says_so(walk):
    def batches():
        yield pa.record_batch({name: column[:10] for name, column in walk.items()})
        raise RuntimeError("the source dried up")

    schema = pa.table(walk).schema
    with pytest.raises(OSError, match="the source dried up"):
        bw.learn(pa.RecordBatchReader.from_batches(schema, batches()), **ASKED)

    class Broken:
        def __arrow_c_stream__(self, requested_schema=None):
            raise RuntimeError("not today")

    with pytest.raises(RuntimeError, match="not today"):
        bw.learn(Broken(), **ASKED)
