"""Learners in Python learn what they learn in C++: the same classes, the same bits however steps are given."""

import copy
import inspect
import pickle
import re
import threading
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sparse

import bellwether as bw

DIM = 6
STEPS = 300


@pytest.fixture
def steps():
    """States with two of six binary features, rewards, discounts with ends of episodes."""
    random = np.random.default_rng(1)
    active = np.sort(np.stack([random.permutation(DIM)[:2] for _ in range(STEPS + 1)]), axis=1)
    x = np.zeros((STEPS + 1, DIM))
    np.put_along_axis(x, active, 1.0, axis=1)
    discount = np.where(random.random(STEPS) < 0.1, 0.0, 0.9)
    return x, active, random.normal(size=STEPS), discount


def learned(name, batch):
    learner = bw.make_learner(name, DIM)
    learner.learn(batch)
    return learner


@pytest.mark.parametrize("name", bw.LEARNERS)
def test_every_way_to_give_steps_gives_the_same_weights(name, steps):
    x, active, reward, discount = steps
    dense = learned(name, bw.Batch(x, reward, discount)).weights()
    assert np.array_equal(dense, learned(name, bw.Batch(x[:-1], reward, discount, x[1:])).weights())
    assert np.array_equal(dense, learned(name, bw.Batch(x.astype(np.float32), reward, discount)).weights())
    assert np.array_equal(dense, learned(name, bw.Batch(np.asfortranarray(x), reward, discount)).weights())
    one_by_one = bw.make_learner(name, DIM)
    for t in range(STEPS):
        one_by_one.learn_one(x[t], reward[t], discount[t], x[t + 1])
    assert np.array_equal(dense, one_by_one.weights())

    binary = learned(name, bw.Batch(bw.Active(active, DIM), reward, discount)).weights()
    matrix = sparse.csr_matrix(x)
    assert np.array_equal(binary, learned(name, bw.Batch(matrix.astype(bool), reward, discount)).weights())
    for kind in (matrix, matrix.astype(np.float32)):
        assert np.allclose(dense, learned(name, bw.Batch(kind, reward, discount)).weights(), rtol=1e-9, atol=1e-12)
    assert np.allclose(dense, binary, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", bw.LEARNERS)
def test_copies_and_pickles_go_on_as_the_learner_would(name, steps):
    x, _, reward, discount = steps
    half = STEPS // 2
    first = bw.Batch(x[: half + 1], reward[:half], discount[:half])
    second = bw.Batch(x[half:], reward[half:], discount[half:])
    learner = learned(name, first)
    others = [copy.copy(learner), copy.deepcopy(learner), pickle.loads(pickle.dumps(learner)), learner.clone()]
    for one in [learner, *others]:
        one.learn(second)
    for other in others:
        assert np.array_equal(learner.weights(), other.weights())
        assert other.settings == learner.settings


def test_td_is_its_definition(steps):
    x, _, reward, discount = steps
    alpha, decay = 0.05, 0.8
    w, e, before = np.zeros(DIM), np.zeros(DIM), 0.0
    for t in range(STEPS):
        error = reward[t] + discount[t] * w @ x[t + 1] - w @ x[t]
        e = before * decay * e + x[t]
        w = w + alpha * error * e
        before = discount[t]
    learner = bw.TD(DIM, alpha=alpha, lambda_=decay)
    learner.learn(bw.Batch(x, reward, discount))
    assert np.allclose(learner.weights(), w, rtol=1e-12, atol=1e-14)
    assert np.allclose(learner.predict(x), x @ w, rtol=1e-12, atol=1e-14)
    assert learner.predict(x[3]) == learner.predict_one(x[3]) == learner.predict(x[3:4])[0]
    assert learner.predict_one({0: 1.0, 2: 0.5}) == pytest.approx(w[0] + 0.5 * w[2])


def test_classes_have_the_names_of_the_library():
    source = Path(__file__).parents[2] / "src/bellwether/learners"
    lists = "".join(re.sub(r"\s+", " ", file.read_text()) for file in source.glob("*/all.h"))
    names = {name.strip() for found in re.findall(r"TypeList<([^>]*)>", lists) for name in found.split(",")}
    assert {learner.__name__ for learner in bw.LEARNERS.values()} == names


def test_signatures_have_the_defaults_of_the_library():
    parameters = inspect.signature(bw.TD).parameters
    assert list(parameters)[:3] == ["dim", "alpha", "lambda_"]
    assert parameters["alpha"].default == bw.TD(1).settings["alpha"]
    assert "step size" in bw.TD.__doc__


def damaged(x, last=None, **arrays):
    """A matrix whose arrays were changed after it was made."""
    matrix = sparse.csr_matrix(x)
    for name, values in arrays.items():
        setattr(matrix, name, np.array(values))
    if last is not None:
        matrix.indptr = matrix.indptr.astype(np.int64)
        matrix.indptr[-1] = last
    return matrix


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda x, r, g: bw.TD(DIM, alhpa=1), "did you mean 'alpha'"),
        (lambda x, r, g: bw.TD(DIM, alpha=-1), "alpha = -1 is outside (0, inf)"),
        (
            lambda x, r, g: bw.TD(DIM, alpha=None),
            "alpha is None (NoneType); a number, a truth value or a word is expected",
        ),
        (lambda x, r, g: bw.make_learner("tdd", DIM), "did you mean 'td'"),
        (lambda x, r, g: bw.Batch(x, r[:5], g), "reward is an array of shape (5,) and dtype float64; a float64"),
        (lambda x, r, g: bw.Batch(x.astype(int), r, g), "Active(indices, dim)"),
        (lambda x, r, g: bw.Batch(x[0], r, g), "with a row of features for each state"),
        (lambda x, r, g: bw.Batch("x", r, g), "x is 'x' (str)"),
        (lambda x, r, g: bw.Batch(x * np.nan, r, g), "x: row 0 has a feature that is not finite"),
        (lambda x, r, g: bw.Batch(x, r * np.inf, g), "reward: entry 0 is"),
        (lambda x, r, g: bw.Batch(x, r, g + 1), "outside [0, 1]"),
        (lambda x, r, g: bw.Batch(x[:-1], r, g, x[2:]), "x_next has"),
        (lambda x, r, g: bw.Batch(bw.Active([[1, 1]], DIM), [], []), "the index 1 twice"),
        (lambda x, r, g: bw.Batch(bw.Active([[1, 9]], DIM), [], []), "the index 9; there are 6 features"),
        (lambda x, r, g: bw.Batch(bw.Active([[-1, 2]], DIM), [], []), "-1"),
        (lambda x, r, g: bw.TD(3).learn(bw.Batch(x, r, g)), "x has 6 features; this learner has 3"),
        (lambda x, r, g: bw.TD(DIM).learn_one(x[0], 1.0, 0.9), "x_next is None"),
        (lambda x, r, g: bw.TD(DIM).predict_one([1, 2]), "is expected"),
        (lambda x, r, g: bw.TD(DIM).predict_one(bw.Active([1, 1], DIM)), "the index 1 twice"),
        (lambda x, r, g: bw.TD(DIM).predict_one({"a": 1.0}), "a dictionary from indices to values"),
        (lambda x, r, g: bw.TD(DIM).predict_one({0: "a"}), "a dictionary from indices to values"),
        (lambda x, r, g: bw.TD(DIM).predict_one({-1: 1.0}), "a dictionary from indices to values"),
        (lambda x, r, g: bw.Batch(sparse.csc_matrix(x), r, g), "CSR"),
        (lambda x, r, g: bw.Batch(damaged(x, indptr=[0, 1]), r, g), "belong together"),
        (lambda x, r, g: bw.Batch(damaged(x, data=[1.0]), r, g), "belong together"),
        (lambda x, r, g: bw.Batch(damaged(x, last=10**9), r, g), "ends before it begins, or after the matrix"),
        (lambda x, r, g: bw.Batch(damaged(x, last=-1), r, g), "ends before it begins, or after the matrix"),
        (lambda x, r, g: bw.TD(DIM).absorb(bw.TD(DIM)), "td"),
    ],
)
def test_what_is_wrong_is_a_value_error_that_names_it(wrong, message, steps):
    x, _, reward, discount = steps
    with pytest.raises(ValueError, match=re.escape(message)):
        wrong(x, reward, discount)


def test_a_learner_of_two_threads_refuses_the_second(steps):
    random = np.random.default_rng(2)
    x = random.normal(size=(4001, 200))
    batch = bw.Batch(x, random.normal(size=4000), np.full(4000, 0.9))
    learner = bw.LSTD(200)
    refused = []

    def learn():
        for _ in range(5):
            try:
                learner.learn(batch)
            except RuntimeError as error:
                refused.append(str(error))

    threads = [threading.Thread(target=learn) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused and "in use by another thread" in refused[0]


def test_start_from_and_merge(steps):
    x, _, reward, discount = steps
    start = np.arange(DIM, dtype=float)
    learner = bw.TD(DIM)
    learner.start_from(start)
    assert np.array_equal(learner.weights(), start)
    whole, first, second = bw.LSTD(DIM), bw.LSTD(DIM), bw.LSTD(DIM)
    cut = int(np.flatnonzero(discount == 0)[10]) + 1
    whole.learn(bw.Batch(x, reward, discount))
    first.learn(bw.Batch(x[: cut + 1], reward[:cut], discount[:cut]))
    second.learn(bw.Batch(x[cut:], reward[cut:], discount[cut:]))
    first.absorb(second)
    assert np.allclose(first.weights(), whole.weights(), rtol=1e-8)
