"""Domains, features, streams and true values in Python are those of the library; domains of Python stand beside."""

import inspect
import pickle
import threading

import numpy as np
import pytest

import bellwether as bw


class Same:
    """A domain of the library, told again in Python."""

    def __init__(self, domain, name):
        self._domain, self.name, self.variables = domain, name, domain.variables
        self._features = domain.features()
        self.settings = {"size": 12}

    def features(self, state):
        return self._features([state])[0]

    def reset(self, rng):
        return self._domain.start(rng)

    def step(self, rng, state):
        return self._domain.step(rng, state)[:5]


class Walk:
    """From the middle of five states left or right; the right end pays 1."""

    variables = {"x": {"low": 1, "high": 5, "whole": True}}  # noqa: RUF012
    features = "tabular"

    def reset(self, rng):
        return 3

    def step(self, rng, state):
        x = state[0] + (1 if rng.random() < 0.5 else -1)
        return x, float(x == 6), 0.0 if x in (0, 6) else 1.0


@pytest.mark.parametrize("name", bw.DOMAINS)
def test_every_domain_is_a_class_with_the_documentation_of_the_library(name):
    made = bw.make_domain(name)
    assert type(made) is bw.DOMAINS[name] and getattr(bw, type(made).__name__) is type(made)
    assert made.type == name and list(inspect.signature(type(made)).parameters) == list(made.settings)
    for parameter in made.settings:
        assert parameter in type(made).__doc__
    again = pickle.loads(pickle.dumps(made))
    assert again.type == name and again.settings == made.settings and repr(again) == repr(made)


@pytest.mark.parametrize("name", bw.FEATURES)
def test_every_feature_map_is_a_class_that_writes_its_description(name):
    assert str(bw.FEATURES[name]()) == name and bw.FEATURES[name].__doc__


def test_what_is_misspelled_is_answered_with_the_nearest_name():
    with pytest.raises(ValueError, match="did you mean 'boyan_chain'"):
        bw.make_domain("boyan_chian")
    with pytest.raises(ValueError, match="did you mean 'randomness'"):
        bw.MountainCar(randomnes=0.1)
    with pytest.raises(ValueError, match="did you mean 'tilings'"):
        bw.TileCoding(tiling=3)
    with pytest.raises(ValueError, match="did you mean 'rmse'"):
        bw.Measure("rmsa", "boyan_chain")


def test_the_steps_of_a_stream_do_not_depend_on_how_they_are_cut_and_stay():
    whole = bw.TrueOnlineTD(bw.Stream("mountain_car").dim, alpha=0.1)
    whole.learn(bw.Stream("mountain_car", seed=3).next(1000))
    stream = bw.Stream("mountain_car", seed=3)
    cut = bw.TrueOnlineTD(stream.dim, alpha=0.1)
    batches = [stream.next(n) for n in (1, 9, 490, 500)]
    for batch in batches:
        cut.learn(batch)
    assert np.array_equal(whole.weights(), cut.weights())
    assert [len(batch) for batch in batches] == [1, 9, 490, 500]


def test_a_stream_takes_other_features_and_another_seed():
    dims = [bw.Stream("mountain_car", features).dim for features in (None, bw.Fourier(order=2), "bias")]
    assert dims[1:] == [9, 1] and len(set(dims)) == 3
    first, second = (learned(bw.Stream("boyan_chain", seed=seed)) for seed in (1, 2))
    assert not np.array_equal(first, second)


def learned(stream):
    learner = bw.TD(stream.dim, alpha=0.1)
    learner.learn(stream.next(100))
    return learner.weights()


def test_true_values_are_exact_where_they_are_known():
    assert np.array_equal(bw.BoyanChain().true_values(np.arange(1, 13)), -2.0 * np.arange(1, 13))
    assert np.array_equal(bw.BoyanChain().true_values([[3.0]]), [-6])
    with pytest.raises(ValueError, match="does not know its values"):
        bw.MountainCar().true_values([[-0.5, 0.0]])
    with pytest.raises(ValueError, match=r"shape \(2, 3\).*shape \(states, 1\)"):
        bw.BoyanChain().true_values(np.ones((2, 3)))


def test_rollouts_find_the_values_that_are_known():
    exact = bw.ground_truth("boyan_chain")
    assert exact.truth == "exact" and np.array_equal(exact.values, -2 * exact.states[:, 0])
    found = bw.ground_truth("boyan_chain", truth="mc", rollouts=400)
    assert found.truth == "mc"
    known = found.standard_error > 0
    z = (found.values - exact.values)[known] / found.standard_error[known]
    assert np.abs(z).max() < 5 and 0.1 < np.mean(z**2) < 4


def test_measures_are_zero_at_the_solution_and_the_errors_they_are_elsewhere():
    chain = bw.BoyanChain()
    solution = -8.0 * np.array([3, 2, 1, 0])
    for metric in ("rmse", "relative", "msbe", "mspbe", "fixed_point"):
        assert bw.Measure(metric, chain)(solution) == pytest.approx(0, abs=1e-9)
        assert bw.Measure(metric, chain)(np.zeros(4)) > 0.1
    values = -2.0 * np.arange(1, 13)
    assert bw.Measure("rmse", chain)(np.zeros(4)) == pytest.approx(np.sqrt(np.mean(values**2)))
    assert bw.Measure("rmse", chain)(bw.TD(4)) == bw.value_error(np.zeros(12), values)
    assert bw.value_error(values / 2, values, "relative") == 0.5
    with pytest.raises(ValueError, match="no relative error"):
        bw.value_error([1.0, 2], [0.0, 2], "relative")


def test_features_of_states_are_what_a_learner_takes():
    variables = {"position": (-1.2, 0.5), "velocity": (-0.07, 0.07)}
    states = [[-0.5, 0.0], [0.3, 0.05]]
    tiles = bw.make_features("tile_coding(tilings=8)", variables)
    rows = tiles(states)
    assert isinstance(rows, bw.Active) and len(rows) == 2 and rows.dim == tiles.dim and tiles.max_active == 8
    assert np.array_equal(bw.TD(tiles.dim).predict(rows), [0, 0])
    dense = bw.make_features(bw.Fourier(order=1) + bw.Bias(), variables)(states)
    assert dense.shape == (2, 5) and np.array_equal(dense[:, 4], [1, 1])
    mixed = bw.make_features("tile_coding(tilings=2) + polynomial(degree=1)", variables)
    assert mixed(states).shape == (2, mixed.dim)
    with pytest.raises(ValueError, match="low < high"):
        bw.make_features("bias", {"x": (1, 0)})
    with pytest.raises(ValueError, match="cannot be read"):
        bw.make_features("bias", {"x": "wide"})
    with pytest.raises(ValueError, match="did you mean 'tile_coding'"):
        bw.make_features("tile_codin", variables)


def test_random_numbers_repeat_themselves_and_end_with_the_call_they_were_lent_for():
    rng, again = bw.Rng(7), bw.Rng(7)
    assert [rng.random() for _ in range(3)] == [again.random() for _ in range(3)]
    assert bw.Rng(7, run=1).random() != bw.Rng(7).random()
    drawn = [bw.Rng(1, run).choice([0.2, 0, 0.8]) for run in range(2000)]
    assert set(drawn) == {0, 2} and np.mean(np.array(drawn) == 0) == pytest.approx(0.2, abs=0.04)
    assert {rng.integers(2, 5) for _ in range(100)} == {2, 3, 4}
    assert rng.numpy().random() != rng.numpy().random()
    with pytest.raises(ValueError, match="sum to 1"):
        rng.choice([0.1, 0.1])

    class Keeps(Walk):
        def reset(self, rng):
            self.kept = rng
            return 3

    domain = Keeps()
    bw.Stream(domain)
    with pytest.raises(RuntimeError, match="call that has ended"):
        domain.kept.random()


@pytest.mark.parametrize("name", ["boyan_chain", "baird"])
def test_a_domain_of_python_runs_as_the_same_domain_of_the_library_bit_for_bit(name):
    library = bw.make_domain(name)
    stream, mirrored = bw.Stream(library, seed=5), bw.Stream(Same(library, "mirrored"), seed=5)
    first, second = bw.TD(stream.dim, alpha=0.01), bw.TD(stream.dim, alpha=0.01)
    first.learn(stream.next(500))
    second.learn(mirrored.next(500))
    assert np.array_equal(first.weights(), second.weights())


def test_a_run_on_a_domain_of_python_is_that_on_the_librarys_bit_for_bit():
    library = bw.BoyanChain()
    protocol = {"metric": "rmse", "steps": 300, "runs": 4, "evaluation": {"states": 20, "rollouts": 50, "truth": "mc"}}
    ours = bw.run(Same(library, "told_again"), "td", alpha=0.1, lambda_=0.5, **protocol)
    theirs = bw.run(library, "td", alpha=0.1, lambda_=0.5, **protocol)
    assert np.array_equal(ours.mean, theirs.mean) and np.array_equal(ours.half_width, theirs.half_width)


def test_the_values_of_a_domain_of_python_are_found_by_rollouts_or_told():
    truth = bw.ground_truth(Walk(), states=30, rollouts=1000)
    z = (truth.values - truth.states[:, 0] / 6) / truth.standard_error
    assert np.abs(z).max() < 5

    class Knows(Walk):
        def true_values(self, states):
            return states[:, 0] / 6

    told = bw.ground_truth(Knows(), states=30)
    assert told.truth == "exact" and np.array_equal(told.values, told.states[:, 0] / 6)
    assert np.array_equal(bw.as_domain(Knows()).true_values([[3.0]]), [0.5])


def test_a_domain_of_python_may_be_off_policy():
    class Biased(Walk):
        """Behaviour goes right with probability 0.7, the target policy with 0.5."""

        right = 0.7

        def step(self, rng, state):
            goes_right = rng.random() < self.right
            x = state[0] + (1 if goes_right else -1)
            rho = 0.5 / (self.right if goes_right else 1 - self.right)
            return x, float(x == 6), 0.0 if x in (0, 6) else 1.0, rho, 0.5

        def on_policy(self):
            return Walk()

    truth = bw.ground_truth(Biased(), states=30, rollouts=1000)
    assert np.abs((truth.values - truth.states[:, 0] / 6) / truth.standard_error).max() < 5
    stream = bw.Stream(Biased())
    learner = bw.LSTD(stream.dim)
    learner.learn(stream.next(50_000))
    assert np.allclose(learner.weights(), np.arange(1, 6) / 6, atol=0.05)


def test_what_a_domain_of_python_does_wrong_is_one_clear_error():
    def stepping(step, **more):
        return type("Wrong", (Walk,), {"step": step, **more})()

    wrong = [
        (
            lambda self, rng, state: (1, 0.0),
            r"wrong.step returned \(1, 0.0\) \(tuple\); a tuple \(next state, reward, discount\)",
        ),
        (lambda self, rng, state: ([1, 2], 0.0, 1.0), "wrong.step returned 2 numbers; one is expected"),
        (lambda self, rng, state: (np.nan, 0.0, 1.0), "wrong.step returned nan, which is not finite"),
        (lambda self, rng, state: (1, np.inf, 1.0), "the reward inf; a finite number is expected"),
        (lambda self, rng, state: (1, 0.0, 1.5), "the discount 1.5; a number from 0 to 1 is expected"),
        (lambda self, rng, state: (1, 0.0, "x"), "the discount 'x'"),
        (lambda self, rng, state: ("left", 0.0, 1.0), "wrong.step returned 'left'"),
    ]
    for step, message in wrong:
        with pytest.raises(ValueError, match=message):
            bw.Stream(stepping(step)).next(1)
    with pytest.raises(ValueError, match="wrong.reset returned 2 numbers"):
        bw.Stream(stepping(None, reset=lambda self, rng: [1, 2]))
    with pytest.raises(ValueError, match="has no variables"):
        bw.as_domain(type("Bare", (), {"reset": 1, "step": 2})())
    with pytest.raises(ValueError, match="is a domain of the library"):
        bw.as_domain(type("BoyanChain", (Walk,), {})())
    with pytest.raises(ValueError, match=r"an object of it is needed: Walk\(\)"):
        bw.as_domain(Walk)


def test_an_exception_of_a_domain_of_python_comes_out_of_whatever_runs_it(tmp_path):
    class Gives(Walk):
        def step(self, rng, state):
            raise ZeroDivisionError("this is mine")

    for use in (
        lambda: bw.Stream(Gives()).next(1),
        lambda: bw.ground_truth(Gives(), states=2),
        lambda: bw.run(Gives(), "td", metric="msbe", steps=10, runs=2),
        lambda: bw.sweep(bw.Study(Gives(), metrics="msbe", steps=10, seeds=2).add("td"), tmp_path / "x.db"),
    ):
        with pytest.raises(ZeroDivisionError, match="this is mine"):
            use()


def test_a_stream_that_another_thread_uses_refuses():
    running, go = threading.Event(), threading.Event()

    class Slow(Walk):
        def step(self, rng, state):
            running.set()
            go.wait(10)
            return super().step(rng, state)

    stream = bw.Stream(Slow())
    thread = threading.Thread(target=stream.next, args=(3,))
    thread.start()
    running.wait(10)
    with pytest.raises(RuntimeError, match="in use by another thread"):
        stream.next(1)
    go.set()
    thread.join()
    assert len(stream.next(2)) == 2
