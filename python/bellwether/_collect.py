"""Steps of Gymnasium environments and Minari datasets as columns."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from ._policies import Policy, flatten
from ._progress import Progress


class _Columns:
    """Rows of steps, episode by episode, which become columns."""

    def __init__(self):
        self._episodes: dict[int, list[dict]] = {}

    def add(self, episode: int, step: dict) -> None:
        self._episodes.setdefault(episode, []).append(step)

    def arrays(self) -> dict[str, np.ndarray]:
        rows = [{"episode": episode, **step} for episode in sorted(self._episodes) for step in self._episodes[episode]]
        if not rows:
            raise ValueError("there are no steps")
        columns = {}
        for name in rows[0]:
            for column, numbers in spread(name, [row[name] for row in rows]):
                columns[column] = numbers
        return columns


def spread(name: str, values) -> list[tuple[str, np.ndarray]]:
    """A column of numbers, or name.0, name.1, ... of arrays; dictionaries and tuples by path."""
    if isinstance(values[0], dict | tuple):
        flat = [flatten(name, value) for value in values]
        return [one for key in flat[0] for one in spread(key, [row[key] for row in flat])]
    numbers = np.asarray(values)
    if numbers.ndim == 1:
        return [(name, numbers)]
    numbers = numbers.reshape(len(numbers), -1)
    return [(f"{name}.{i}", np.ascontiguousarray(numbers[:, i])) for i in range(numbers.shape[1])]


class _Actor:
    """Acts with the behaviour policy and notes the probabilities of what it did."""

    def __init__(self, space, policy, behaviour, seed: int):
        self._target = Policy(policy, space)
        self._behaviour = None if behaviour is None else Policy(behaviour, space, "behaviour")
        self._rng = np.random.default_rng(seed)

    def act(self, observation):
        """(action, columns of its probabilities)."""
        if self._behaviour is None:
            return self._target(observation, self._rng)[0], {}
        action, p = self._behaviour(observation, self._rng)
        behaviour = self._behaviour.drawn_with(p, action)
        return action, {"target": self._target.probability(observation, action, self._rng), "behaviour": behaviour}


def _step(observation, action, reward, after, terminated, truncated, probabilities) -> dict:
    return {
        "observation": observation,
        "action": action,
        "reward": float(reward),
        "terminated": bool(terminated),
        "truncated": bool(truncated and not terminated),
        "next_observation": after,
        **probabilities,
    }


def _copied(observation):
    """Environments may write into the array that they returned."""
    return observation.copy() if isinstance(observation, np.ndarray) else observation


def _from_one(env, actor: _Actor, episodes: int, seed: int, progress) -> _Columns:
    columns = _Columns()
    for episode in range(episodes):
        observation, _ = env.reset(seed=seed if episode == 0 else None)
        ended = False
        while not ended:
            observation = _copied(observation)
            action, probabilities = actor.act(observation)
            after, reward, terminated, truncated, _ = env.step(action)
            columns.add(
                episode, _step(observation, action, reward, _copied(after), terminated, truncated, probabilities)
            )
            observation, ended = after, terminated or truncated
        progress((episode + 1) / episodes)
    return columns


def _row(observations, i: int):
    """What one of several environments observed."""
    if isinstance(observations, dict):
        return {key: _row(value, i) for key, value in observations.items()}
    if isinstance(observations, tuple):
        return tuple(_row(value, i) for value in observations)
    return _copied(observations[i])


def _from_many(env, actors: list[_Actor], episodes: int, seed: int, progress) -> _Columns:
    """From a vector environment. Episodes count in the order in which they begin: the first to end are short."""
    from gymnasium.vector import AutoresetMode

    mode = env.metadata.get("autoreset_mode", AutoresetMode.NEXT_STEP)
    mode = mode if isinstance(mode, AutoresetMode) else AutoresetMode(mode)
    columns, count = _Columns(), env.num_envs
    observations, _ = env.reset(seed=seed)
    number = list(range(count))  # of the episode that each environment is in
    begun, ended, open_ = count, 0, set(range(min(count, episodes)))
    resetting = np.zeros(count, dtype=bool)  # this step only resets the environment: its action is ignored
    while open_:
        acted = [actors[i].act(_row(observations, i)) for i in range(count)]
        actions = _together(env, [action for action, _ in acted])
        after, rewards, terminated, truncated, infos = env.step(actions)
        done = np.logical_or(terminated, truncated)
        for i in range(count):
            if resetting[i] or number[i] >= episodes:
                continue
            final = _final(after, infos, i) if done[i] and mode == AutoresetMode.SAME_STEP else _row(after, i)
            action, probabilities = acted[i]
            step = _step(_row(observations, i), action, rewards[i], final, terminated[i], truncated[i], probabilities)
            columns.add(number[i], step)
        for i in np.flatnonzero(done & ~resetting):
            open_.discard(number[i])
            ended += number[i] < episodes
            number[i] = begun
            begun += 1
            if number[i] < episodes:
                open_.add(number[i])
        if mode == AutoresetMode.DISABLED and done.any():
            after, _ = env.reset(options={"reset_mask": done})
        resetting = (done & ~resetting) if mode == AutoresetMode.NEXT_STEP else np.zeros(count, dtype=bool)
        observations = after
        progress(ended / episodes)
    return columns


def _together(env, actions: list):
    """The actions of all environments, as the vector environment takes them."""
    from gymnasium.vector.utils import concatenate, create_empty_array

    out = create_empty_array(env.single_action_space, n=env.num_envs)
    return concatenate(env.single_action_space, actions, out)


def _final(after, infos: dict, i: int):
    """The last observation of an episode after which the environment was reset in the same step."""
    for name in ("final_obs", "final_observation"):
        if name in infos and infos.get(f"_{name}", [True] * (i + 1))[i]:
            return _row(infos[name], i)
    raise ValueError("the vector environment does not tell the last observation of an episode: infos has no final_obs")


def collect(
    env, policy, episodes: int, *, behaviour=None, seed: int = 0, progress: object = True, pandas: bool = False
):
    """Plays episodes of a Gymnasium environment and returns its steps as columns, which `learn` understands.

    `env` is an environment, its name, or a vector environment. `policy` is a function of the observation (of one
    environment), and of a NumPy generator if it takes two arguments; it returns an action or, where actions are
    numbered, the probabilities of all of them. "random" takes all actions alike. With `behaviour`, that policy acts
    and `policy` is the target, and the columns `target` and `behaviour` have the probabilities of the actions under
    each.

    Columns: episode, observation (or observation.0, ...), action, reward, terminated, truncated, next_observation. An
    episode that a time limit cut is truncated, not terminated, and its next_observation is the last one. The result
    is a dictionary of arrays, or a DataFrame with `pandas=True`.
    """
    import gymnasium

    if episodes < 1:
        raise ValueError(f"episodes is {episodes}, which is outside [1, inf)")
    own = isinstance(env, str)
    env = gymnasium.make(env) if own else env
    try:
        with Progress("collecting", progress) as shown:
            if isinstance(env, gymnasium.vector.VectorEnv):
                space = env.single_action_space
                actors = [_Actor(space, policy, behaviour, seed + i) for i in range(env.num_envs)]
                columns = _from_many(env, actors, episodes, seed, shown)
            else:
                columns = _from_one(env, _Actor(env.action_space, policy, behaviour, seed), episodes, seed, shown)
    finally:
        if own:
            env.close()
    return _result(columns.arrays(), pandas)


def _result(columns: dict, pandas: bool):
    if not pandas:
        return columns
    from pandas import DataFrame

    return DataFrame(columns)


def _minari_file(name: str | Path) -> Path:
    given = Path(name)
    folder = Path(os.environ.get("MINARI_DATASETS_PATH") or Path.home() / ".minari" / "datasets")
    for path in (
        given,
        given / "main_data.hdf5",
        given / "data" / "main_data.hdf5",
        folder / given / "data" / "main_data.hdf5",
    ):
        if path.is_file():
            return path
    raise FileNotFoundError(f"{name}: there is no such file, nor a dataset of Minari in {folder}")


def _minari_values(node):
    """The arrays of a group: a dictionary, a tuple (groups _index_0, _index_1, ...), or an array."""
    import h5py

    if isinstance(node, h5py.Dataset):
        return node[()]
    if "_index_0" in node:
        return tuple(_minari_values(node[f"_index_{i}"]) for i in range(len(node)))
    return {key: _minari_values(node[key]) for key in node}


def _minari_part(name: str, value, rows: slice) -> list[tuple[str, np.ndarray]]:
    return [one for key, array in flatten(name, value).items() for one in spread(key, array[rows])]


def read_minari(name: str | Path, *, pandas: bool = False):
    """The steps of a Minari dataset as columns, as `collect` gives them.

    `name` is that of a dataset of this machine, such as "mujoco/halfcheetah/medium-v0", its folder, or its
    main_data.hdf5. Needs h5py.
    """
    import h5py

    parts: dict[str, list[np.ndarray]] = {}
    path = _minari_file(name)
    with h5py.File(path, "r") as file:
        episodes = sorted((key for key in file if key.startswith("episode_")), key=lambda key: int(key[8:]))
        if not episodes:
            raise ValueError(f"{path} has no episodes: it is no dataset of Minari")
        for key in episodes:
            group = file[key]
            for needed in ("observations", "actions", "rewards", "terminations", "truncations"):
                if needed not in group:
                    raise ValueError(f"{path}: {key} has no {needed}")
            steps = len(group["rewards"])
            seen, acted = _minari_values(group["observations"]), _minari_values(group["actions"])
            terminated = group["terminations"][()].astype(bool)
            columns = [("episode", np.full(steps, int(key[8:])))]
            columns += _minari_part("observation", seen, slice(0, steps))
            columns += _minari_part("action", acted, slice(0, steps))
            columns += [("reward", group["rewards"][()].astype(float)), ("terminated", terminated)]
            columns += [("truncated", group["truncations"][()].astype(bool) & ~terminated)]
            columns += _minari_part("next_observation", seen, slice(1, steps + 1))
            for column, values in columns:
                parts.setdefault(column, []).append(values)
    return _result({column: np.concatenate(values) for column, values in parts.items()}, pandas)
