"""Steps of Gymnasium environments and of Minari datasets, and environments as domains."""

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import bellwether as bw


def push(observation):
    """A policy of MountainCar: with the velocity."""
    return 2 if observation[1] >= 0 else 0


def car(steps=30):
    return gym.make("MountainCar-v0", max_episode_steps=steps)


def observations(columns, name="observation"):
    return np.stack([columns[f"{name}.0"], columns[f"{name}.1"]], axis=1)


def assert_steps_are_those_of_the_car(columns):
    """Every step is checked against the equations of the car, and every episode against itself."""
    before, after = observations(columns), observations(columns, "next_observation")
    model = gym.make("MountainCar-v0").unwrapped
    model.reset(seed=0)
    for state, action, following in zip(before, columns["action"], after, strict=True):
        model.state = state.astype(float)
        assert np.allclose(model.step(int(action))[0], following, atol=1e-6)
    same = columns["episode"][1:] == columns["episode"][:-1]
    assert np.array_equal(before[1:][same], after[:-1][same])
    last = np.append(~same, True)
    ended = columns["terminated"] | columns["truncated"]
    assert np.array_equal(ended, last)
    assert np.array_equal(columns["terminated"], after[:, 0] >= 0.5)


def test_an_episode_that_a_time_limit_cuts_is_truncated_and_not_terminated():
    columns = bw.collect(car(), push, 4, seed=1)
    assert_steps_are_those_of_the_car(columns)
    assert columns["truncated"].sum() == 4 and not columns["terminated"].any() and len(columns["reward"]) == 120
    whole = bw.collect(gym.make("MountainCar-v0"), push, 3, seed=1)
    assert_steps_are_those_of_the_car(whole)
    assert whole["terminated"].sum() == 3 and not whole["truncated"].any()
    assert set(columns["episode"]) == {0, 1, 2, 3} and np.all(columns["reward"] == -1)


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("limit", [7, 200])
def test_vector_environments_give_the_same_kind_of_steps_however_they_reset(mode, limit):
    env = SyncVectorEnv([lambda: car(limit)] * 3, autoreset_mode=mode)
    columns = bw.collect(env, push, 8, seed=2)
    assert_steps_are_those_of_the_car(columns)
    assert sorted(set(columns["episode"])) == list(range(8))
    starts = observations(columns)[np.append(True, np.diff(columns["episode"]) != 0)]
    assert np.all(starts[:, 1] == 0) and np.all((starts[:, 0] >= -0.6) & (starts[:, 0] <= -0.4))
    assert len(np.unique(starts[:, 0])) == 8


def test_the_first_episodes_of_a_vector_environment_are_not_the_short_ones():
    class Lasts(gym.Env):
        """Environment i has episodes of i steps."""

        observation_space, action_space = gym.spaces.Discrete(1000), gym.spaces.Discrete(2)

        def __init__(self, steps):
            self.steps = steps

        def reset(self, seed=None, options=None):
            super().reset(seed=seed)
            self.time = 0
            return 0, {}

        def step(self, action):
            self.time += 1
            return self.time, 1.0, self.time == self.steps, False, {}

    env = SyncVectorEnv([lambda steps=steps: Lasts(steps) for steps in (1, 10, 100)])
    columns = bw.collect(env, "random", 4)
    assert sorted(np.bincount(columns["episode"])) == [1, 1, 10, 100]


def test_collecting_repeats_itself_and_can_give_a_data_frame():
    first, again = (bw.collect("CartPole-v1", "random", 5, seed=3) for _ in range(2))
    assert all(np.array_equal(first[name], again[name]) for name in first)
    other = bw.collect("CartPole-v1", "random", 5, seed=4, pandas=True)
    assert list(other) == list(first) and len(other) != len(first["reward"])
    shares = []
    bw.collect("CartPole-v1", "random", 5, progress=shares.append)
    assert shares == [0.2, 0.4, 0.6, 0.8, 1.0]


def test_off_policy_steps_have_the_probabilities_of_both_policies():
    target, behaviour = np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.4, 0.3, 0.2, 0.1])
    columns = bw.collect("FrozenLake-v1", lambda s: target, 200, behaviour=lambda s, rng: behaviour, seed=1)
    assert np.array_equal(columns["target"], target[columns["action"]])
    assert np.array_equal(columns["behaviour"], behaviour[columns["action"]])
    assert np.allclose(np.bincount(columns["action"]) / len(columns["action"]), behaviour, atol=0.05)
    greedy = bw.collect("FrozenLake-v1", lambda s: 2, 20, behaviour="random", seed=1)
    assert np.array_equal(greedy["target"], (greedy["action"] == 2).astype(float)) and set(greedy["behaviour"]) == {
        0.25
    }


def lake_values(policy, discount):
    """The exact values of a policy on the lake."""
    table = gym.make("FrozenLake-v1").unwrapped.P
    values = np.zeros(16)
    for _ in range(1000):
        values = np.array(
            [
                sum(
                    policy[a] * sum(p * (r + discount * (not end) * values[after]) for p, after, r, end in table[s][a])
                    for a in range(4)
                )
                for s in range(16)
            ]
        )
    return values


def test_what_is_collected_can_be_learned_from():
    right = np.array([0.1, 0.4, 0.4, 0.1])
    columns = bw.collect(gym.make("FrozenLake-v1", max_episode_steps=-1), lambda s: right, 4000, seed=5)
    truth = lake_values(right, 0.99)[0]
    learned = bw.learn(columns, discount=0.99)
    assert learned.low <= truth <= learned.high and learned.half_width < 0.03
    endless = gym.make("FrozenLake-v1", max_episode_steps=-1)
    off = bw.learn(bw.collect(endless, lambda s: right, 4000, behaviour="random", seed=6), discount=0.99)
    assert off.low <= truth <= off.high and off.half_width < 0.05


def test_wrong_policies_are_one_clear_error():
    for call, message in [
        (lambda: bw.collect("CartPole-v1", "radnom", 1), "did you mean 'random'"),
        (lambda: bw.collect("CartPole-v1", 3, 1), "a function of the observation"),
        (lambda: bw.collect("CartPole-v1", lambda s: [0.5, 0.6], 1), "probabilities of 2 actions"),
        (lambda: bw.collect("CartPole-v1", lambda s: [1.0], 1), "probabilities of 2 actions"),
        (lambda: bw.collect("CartPole-v1", "random", 0), r"episodes is 0, which is outside \[1, inf\)"),
        (lambda: bw.collect("CartPole-v1", "random", 1, behaviour=lambda s: 0), "has to return the probabilities"),
        (lambda: bw.GymnasiumDomain("CartPole-v1", "random", discount=2), "discount is 2"),
        (lambda: bw.GymnasiumDomain("CartPole-v1", "random", discount=1, ranges=[(0, 1)]), "ranges has 1 pairs"),
    ]:
        with pytest.raises(ValueError, match=message):
            call()


def z_of(domain, values):
    truth = bw.ground_truth(domain, states=25, rollouts=150)
    known = truth.standard_error > 0
    states = truth.states[known, 0].astype(int)
    return (truth.values[known] - values[states]) / truth.standard_error[known]


def test_rollouts_from_states_of_an_environment_find_its_values():
    right = np.array([0.05, 0.45, 0.45, 0.05])

    def target(state):
        return right

    lake = bw.GymnasiumDomain("FrozenLake-v1", target, discount=0.99)
    z = z_of(lake, lake_values(right, 0.99))
    assert len(z) > 15 and np.abs(z).max() < 5 and np.mean(z**2) < 3
    off = bw.GymnasiumDomain("FrozenLake-v1", target, behaviour="random", discount=0.99)
    z = z_of(off, lake_values(right, 0.99))
    assert len(z) > 10 and np.abs(z).max() < 5 and np.mean(z**2) < 3
    stream = bw.Stream(off)
    learner = bw.LSTD(stream.dim)
    learner.learn(stream.next(20_000))
    visited = [0, 4, 8, 1]
    assert np.allclose(learner.weights()[visited], lake_values(right, 0.99)[visited], atol=0.1)


def test_an_environment_runs_in_studies_and_repeats_itself(tmp_path):
    domain = bw.GymnasiumDomain("CartPole-v1", "random", discount=0.95)
    assert domain.features == "fourier" and len(domain.variables) == 6
    study = bw.Study(
        [(domain, "fourier(order=1)"), "boyan_chain"],
        steps=60,
        every=30,
        seeds=3,
        metrics="rmse",
        states=8,
        rollouts=10,
    )
    study.add("td", alpha=[0.01, 0.1])
    first = bw.sweep(study, tmp_path / "x.db")
    assert first.cases[0].startswith("cart_pole_v1 (discount=0.95 policy=random)")
    again = bw.GymnasiumDomain("CartPole-v1", "random", discount=0.95)
    run = bw.run(
        again,
        "td",
        alpha=0.1,
        features="fourier(order=1)",
        steps=60,
        every=30,
        runs=3,
        metric="rmse",
        evaluation={"states": 8, "rollouts": 10},
    )
    row = next(row for row in first.ranked(case=0) if row["parameters"]["alpha"] == 0.1)
    assert np.allclose(first.curve(row["setting"])[1], run.mean, rtol=1e-12)


def test_an_environment_that_does_not_repeat_itself_or_truncates_is_refused():
    random = np.random.default_rng(1)
    restless = bw.GymnasiumDomain("FrozenLake-v1", lambda s: int(random.integers(4)), discount=0.9)
    with pytest.raises(ValueError, match="does not repeat itself"):
        bw.ground_truth(restless, states=50, rollouts=20)
    short = bw.GymnasiumDomain(car(10), push, discount=0.9)
    with pytest.raises(ValueError, match="without a time limit"):
        bw.Stream(short).next(20)


@pytest.fixture
def dataset(tmp_path, monkeypatch):
    """A dataset that Minari wrote, with the episodes it was made of."""
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    import minari
    from minari.data_collector import EpisodeBuffer

    env = car(12)
    buffers = []
    for episode in range(12):
        seen, actions, rewards, terminated, truncated = [env.reset(seed=episode)[0]], [], [], [], []
        while not truncated or not (terminated[-1] or truncated[-1]):
            actions.append(env.action_space.sample())
            after, reward, end, cut, _ = env.step(actions[-1])
            seen.append(after)
            rewards.append(reward)
            terminated.append(end)
            truncated.append(cut)
        buffers.append(
            EpisodeBuffer(
                id=episode,
                seed=episode,
                observations=np.array(seen),
                actions=np.array(actions),
                rewards=rewards,
                terminations=terminated,
                truncations=truncated,
            )
        )
    minari.create_dataset_from_buffers(
        "bellwether/car-v0", buffers, env=env, algorithm_name="random", author="b", author_email="b", code_permalink="b"
    )
    return tmp_path, buffers


def test_minari_datasets_are_read_by_name_and_by_path(dataset):
    folder, buffers = dataset
    columns = bw.read_minari("bellwether/car-v0")
    assert_steps_are_those_of_the_car(columns)
    assert np.array_equal(columns["episode"], np.repeat(np.arange(12), 12)) and columns["truncated"].sum() == 12
    assert np.array_equal(columns["observation.0"], np.concatenate([b.observations[:-1, 0] for b in buffers]))
    assert np.array_equal(columns["next_observation.1"], np.concatenate([b.observations[1:, 1] for b in buffers]))
    for path in (folder / "bellwether/car-v0", folder / "bellwether/car-v0/data/main_data.hdf5"):
        again = bw.read_minari(path, pandas=True)
        assert all(np.array_equal(again[name], columns[name]) for name in columns)
    with pytest.raises(FileNotFoundError, match="nor a dataset of Minari"):
        bw.read_minari("bellwether/cat-v0")


def test_a_file_that_is_no_dataset_is_refused(tmp_path):
    import h5py

    with h5py.File(tmp_path / "x.hdf5", "w") as file:
        file["rewards"] = [1.0]
    with pytest.raises(ValueError, match="has no episodes"):
        bw.read_minari(tmp_path / "x.hdf5")
    (tmp_path / "y.hdf5").write_text("no HDF5")
    with pytest.raises(OSError):
        bw.read_minari(tmp_path / "y.hdf5")
