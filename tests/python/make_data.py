"""Writes the files that the tests of data/ read into a folder, with the packages that users write them with.

    python make_data.py FOLDER

Beside each file it writes the same numbers as .csv, without the package: a header, and one row for each row that
Bellwether must see; empty cells are nan.
"""

import csv
import decimal
import importlib
import importlib.metadata
import json
import os
import pathlib
import sys
import types
import unittest.mock
import warnings

folder = pathlib.Path(sys.argv[1]).absolute()  # as Minari wants it
os.environ["MINARI_DATASETS_PATH"] = str(folder / "minari")

import gymnasium as gym
import h5py
import minari
import numpy as np
import scipy.sparse
from minari.data_collector import EpisodeBuffer

try:
    import pyarrow as pa
    import pyarrow.csv as pc
    import pyarrow.feather as pf
    import pyarrow.parquet as pq
except ImportError:  # for Python 3.10 there is no pyarrow of this version
    pa = None

warnings.filterwarnings("ignore")
gym.logger.min_level = gym.logger.ERROR


def write_truth(name, columns):
    """Columns are (name, numbers); matrices become name.0, name.1, ..."""
    named = []
    for column, numbers in columns:
        numbers = np.asarray(numbers, dtype=np.float64)
        if numbers.ndim == 1:
            named.append((column, numbers))
        else:
            numbers = numbers.reshape(len(numbers), -1)
            named += [(f"{column}.{i}", numbers[:, i]) for i in range(numbers.shape[1])]
    with open(folder / f"{name}.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([column for column, _ in named])
        writer.writerows([repr(float(v)) for v in row] for row in zip(*(numbers for _, numbers in named), strict=True))


def flattened(name, value):
    """What is inside of dictionaries and tuples, by path."""
    if isinstance(value, dict):
        for key in sorted(value):
            yield from flattened(f"{name}/{key}", value[key])
    elif isinstance(value, tuple):
        for i, part in enumerate(value):
            yield from flattened(f"{name}/_index_{i}", part)
    else:
        yield name, np.asarray(value, dtype=np.float64)


def joined(values):
    """A list of dictionaries or tuples as a dictionary or tuple of lists, which is how Minari takes them."""
    if isinstance(values[0], dict):
        return {key: joined([value[key] for value in values]) for key in values[0]}
    if isinstance(values[0], tuple):
        return tuple(joined(list(parts)) for parts in zip(*values, strict=True))
    return values


def collect(name, env, episodes, with_infos=False, data_formats=("hdf5",)):
    """Datasets of episodes of random actions, with what was seen on the way as their truth."""
    env.action_space.seed(5)
    buffers, truth = [], []
    for episode in range(episodes):
        observation, info = env.reset(seed=100 + episode)
        observations, infos, actions, rewards, terminations, truncations = [observation], [info], [], [], [], []
        while not actions or not (terminations[-1] or truncations[-1]):
            actions.append(env.action_space.sample())
            observation, reward, terminated, truncated, info = env.step(actions[-1])
            observations.append(observation)
            infos.append(info)
            rewards.append(float(reward))
            terminations.append(terminated)
            truncations.append(truncated)
        buffers.append(
            EpisodeBuffer(
                id=episode,
                seed=100 + episode,
                observations=joined(observations),
                actions=joined(actions),
                rewards=rewards,
                terminations=terminations,
                truncations=truncations,
                infos=joined(infos) if with_infos else None,
            )
        )
        for t, observation in enumerate(observations):
            last = t == len(rewards)
            step = {
                **dict(flattened("actions", actions[min(t, len(actions) - 1)])),
                "rewards": 0 if last else rewards[t],
                "terminations": not last and terminations[t],
                "truncations": not last and truncations[t],
            }
            if last:
                step = {key: np.full(np.shape(value), np.nan) for key, value in step.items()}
            seen = dict(flattened("observations", observation))
            told = dict(flattened("infos", infos[t])) if with_infos else {}
            truth.append({**seen, **step, **told, "episode": episode})
    for data_format in data_formats:
        minari.create_dataset_from_buffers(
            f"bellwether/{name}{'' if data_format == 'hdf5' else '_' + data_format}-v0",
            buffers,
            env=env,
            algorithm_name="random",
            author="Bellwether",
            author_email="bellwether@example.org",
            code_permalink="https://example.org",
            data_format=data_format,
        )
    env.close()
    write_truth(name, [(key, [row[key] for row in truth]) for key in truth[0]])


def write_environments_in_turn(steps=600, environments=8):
    """A log of several environments in turn, with random actions and a cost of 1 per step, and the exact value."""

    def make():
        return gym.wrappers.TransformReward(gym.make("FrozenLake-v1", max_episode_steps=10**6), lambda r: r - 1)

    envs = [make() for _ in range(environments)]
    states = [env.reset(seed=seed)[0] for seed, env in enumerate(envs)]
    episodes, rows = list(range(environments)), []
    for seed, env in enumerate(envs):
        env.action_space.seed(seed)
    for _ in range(steps):
        for i, env in enumerate(envs):
            after, reward, terminated, _, _ = env.step(env.action_space.sample())
            rows.append((i, episodes[i], states[i], reward, terminated, after))
            states[i] = after
            if terminated:
                episodes[i] = 1 + max(episodes)
                states[i] = env.reset()[0]
    names = ["env", "episode", "state", "reward", "terminated", "next_state"]
    write_truth("lakes_in_turn", list(zip(names, zip(*rows, strict=True), strict=True)))
    table = envs[0].unwrapped.P
    values = np.zeros(len(table))
    for _ in range(2000):  # the lake is left with probability one, so this converges
        values = np.array(
            [
                np.mean([sum(p * (r - 1 + (not end) * values[s]) for p, s, r, end in table[x][a]) for a in table[x]])
                for x in range(len(table))
            ]
        )
    write_truth("lakes_value", [("value", values[:1])])


def write_cut_cart_pole(episodes=200, limit=50, discount=0.99):
    """A log of a simple policy that is cut short after `limit` steps, and the policy's value without a limit."""
    env = gym.make("CartPole-v1", max_episode_steps=-1).unwrapped
    env.reset(seed=1)
    rng = np.random.default_rng(1)

    def record(longest):
        steps, ended = [], False
        observation, _ = env.reset()
        while not ended and len(steps) < longest:
            action = int(rng.integers(2)) if rng.random() < 0.2 else int(observation[2] > 0)
            after, reward, ended, _, _ = env.step(action)
            steps.append((observation, after, reward, ended, not ended and len(steps) + 1 == longest))
            observation = after
        return steps

    rows = [(*step, episode) for episode in range(episodes) for step in record(limit)]
    names = ["obs", "next_obs", "reward", "terminated", "truncated", "episode"]
    write_truth("cart_pole_cut", list(zip(names, zip(*rows, strict=True), strict=True)))
    returns = [sum(discount**t * step[2] for t, step in enumerate(record(1000))) for _ in range(1000)]
    write_truth("cart_pole_value", [("value", [np.mean(returns)])])


class Nested(gym.Env):
    """Observations within dictionaries and tuples, and actions that are vectors."""

    observation_space = gym.spaces.Dict(
        {
            "goal": gym.spaces.Box(-1, 1, (2,), np.float64),
            "inner": gym.spaces.Dict(
                {"count": gym.spaces.Discrete(100), "grid": gym.spaces.Box(0, 1, (2, 3), np.float32)}
            ),
            "pair": gym.spaces.Tuple((gym.spaces.Discrete(5), gym.spaces.Box(-1, 1, (1,), np.float32))),
        }
    )
    action_space = gym.spaces.Box(-1, 1, (2,), np.float32)

    def observe(self):
        rng = self.np_random
        return {
            "goal": rng.uniform(-1, 1, 2),
            "inner": {"count": self.count, "grid": rng.random((2, 3), dtype=np.float32)},
            "pair": (int(rng.integers(5)), rng.random(1, dtype=np.float32)),
        }

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.count = 0
        return self.observe(), {"distance": 0.5}

    def step(self, action):
        self.count += 1
        ended = bool(self.np_random.random() < 0.1)
        return self.observe(), float(action.sum()), ended, self.count >= 15 and not ended, {"distance": self.count / 3}


def write_steps():
    rng = np.random.default_rng(11)
    n, d = 500, 6
    x = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.5)
    x_next = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.5)
    numbers = {
        "reward": rng.normal(size=n),
        "discount": np.where(rng.random(n) < 0.1, 0.0, 0.95),
        "rho": rng.exponential(size=n),
        "pi": rng.random(n),
        "interest": rng.integers(0, 3, n),
        "restart": rng.random(n) < 0.05,
    }

    def truth(name, x, x_next, numbers):
        write_truth(name, [("x", x), ("x_next", x_next), *numbers.items()])

    np.savez(folder / "dense.npz", x=x, x_next=x_next, **numbers)
    np.savez_compressed(folder / "compressed.npz", x=x, x_next=x_next, **numbers)
    truth("dense", x, x_next, numbers)

    small = {
        "x": x.astype(np.float32),
        "x_next": x_next.astype(">f4"),
        "discount": numbers["discount"],
        "reward": rng.integers(-100, 100, (n, 3)).astype(np.int16),
    }
    np.savez(folder / "float32.npz", **small)
    truth("float32", small["x"], small["x_next"], {"reward": small["reward"], "discount": small["discount"]})

    def compressed_rows(name, matrix, values=True, shape=True):
        matrix = scipy.sparse.csr_array(matrix)
        parts = {f"{name}_indices": matrix.indices, f"{name}_indptr": matrix.indptr}
        if values:
            parts[f"{name}_data"] = matrix.data
        if shape:
            parts[f"{name}_shape"] = np.array(matrix.shape)
        return parts

    np.savez_compressed(folder / "csr.npz", **compressed_rows("x", x), **compressed_rows("x_next", x_next), **numbers)
    ones, ones_next = x != 0, x_next != 0
    np.savez(
        folder / "binary.npz",
        **compressed_rows("x", ones, False, False),
        **compressed_rows("x_next", ones_next, False, False),
        **numbers,
    )
    truth("binary", ones, ones_next, numbers)


def write_records():
    rng = np.random.default_rng(13)
    records = np.zeros(
        200,
        np.dtype(
            [
                ("position", "<f4", (2,)),
                ("done", "?"),
                ("reward", ">f8"),
                ("note", "U3"),
                ("inner", [("count", "<u2"), ("level", "i1")]),
            ],
            align=True,
        ),
    )
    records["position"] = rng.normal(size=(200, 2))
    records["done"] = rng.random(200) < 0.2
    records["reward"] = rng.normal(size=200)
    records["note"] = "abc"
    records["inner"]["count"] = rng.integers(0, 60000, 200)
    records["inner"]["level"] = rng.integers(-100, 100, 200)
    np.save(folder / "records.npy", records)
    write_truth(
        "records",
        [
            ("position", records["position"]),
            ("done", records["done"]),
            ("reward", records["reward"]),
            ("inner/count", records["inner"]["count"]),
            ("inner/level", records["inner"]["level"]),
        ],
    )
    for name in ("u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f4", "f8"):
        for order in "<>":
            np.save(
                folder / f"numbers_{'big' if order == '>' else 'little'}_{name}.npy",
                np.arange(100, 110).astype(order + name),
            )


def d3rlpy_parts():
    """The parts of d3rlpy that write files. The package itself would import PyTorch, which they do not need."""
    where = importlib.metadata.distribution("d3rlpy").locate_file("d3rlpy")
    sys.modules["torch"] = sys.modules["torch.optim"] = unittest.mock.MagicMock()
    sys.modules["gym"], sys.modules["gym.spaces"] = gym, gym.spaces
    for name, path in (("d3rlpy", where), ("d3rlpy.dataset", where / "dataset")):
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__path__ = [str(path)]
    return importlib.import_module("d3rlpy.dataset.io"), importlib.import_module("d3rlpy.dataset.components")


def write_other_hdf5():
    """The same ten episodes of CartPole as d3rlpy and D4RL store them, half of them cut short."""
    writer, components = d3rlpy_parts()
    env = gym.make("CartPole-v1")
    env.action_space.seed(3)
    episodes, flat = [], {key: [] for key in ("observations", "actions", "rewards", "terminals", "timeouts")}
    flat["next_observations"] = []
    rows = []
    for episode in range(10):
        observation, _ = env.reset(seed=episode)
        seen, actions, rewards, ended = [], [], [], False
        while not ended and (episode % 2 == 0 or len(seen) < 8):
            seen.append(observation)
            actions.append([env.action_space.sample()])
            observation, reward, ended, _, _ = env.step(actions[-1][0])
            rewards.append([float(reward)])
            last = ended or (episode % 2 == 1 and len(seen) == 8)
            flat["next_observations"].append(observation)
            flat["timeouts"].append(last and not ended)
            rows.append([*seen[-1], actions[-1][0], reward, ended, last and not ended, episode])
        episodes.append(
            components.Episode(np.array(seen), np.array(actions), np.array(rewards, dtype=np.float32), ended)
        )
        flat["observations"] += seen
        flat["actions"] += actions
        flat["rewards"] += [reward for (reward,) in rewards]
        flat["terminals"] += [False] * (len(seen) - 1) + [ended]
    with open(folder / "d3rlpy.h5", "w+b") as file:
        writer.dump(episodes, file)
    with h5py.File(folder / "d4rl.hdf5", "w") as file:
        for key, values in flat.items():
            file.create_dataset(key, data=np.array(values), compression="gzip")
        file.create_dataset("infos/qpos", data=np.array(flat["observations"])[:, :2])
        file.create_dataset("metadata/algorithm", data="random")
    with h5py.File(folder / "d3rlpy_1.h5", "w") as file:
        for key in ("observations", "actions", "rewards", "terminals"):
            file.create_dataset(key, data=np.array(flat[key]))
        file.create_dataset("episode_terminals", data=np.array(flat["terminals"]) | np.array(flat["timeouts"]))
        file.create_dataset("discrete_action", data=True)
        file.create_dataset("version", data="1.0")
    names = [*(f"observations.{i}" for i in range(4)), "actions", "rewards", "terminated", "truncated", "episode"]
    write_truth("other_hdf5", list(zip(names, zip(*rows, strict=True), strict=True)))


def write_messy_text():
    """A log as spreadsheets of other countries write it: UTF-16, decimal commas, gaps, yes and no, and words."""
    rng = np.random.default_rng(17)
    rows = [["weekday", "temperature", "reward", "done"]]
    for _ in range(60):
        for day in ("Montag", "Mittwoch", "Samstag"):
            rows.append([day, f"{20 * rng.random():.3f}".replace(".", ","), "1,5", ("no", "yes")[day == "Samstag"]])
    rows[5][1] = "NA"
    with open(folder / "messy.csv", "w", encoding="utf-16", newline="") as file:
        csv.writer(file, delimiter=";").writerows(rows)
    objects = [
        dict(zip(rows[0], [d, float(t.replace(",", ".")), 1.5, e == "yes"], strict=True))
        for d, t, _, e in rows[1:]
        if t != "NA"
    ]
    with open(folder / "objects.json", "w") as file:
        json.dump(objects, file, indent=2)


def write_arrow_types():
    """Every type of Arrow that is read, with gaps, as Parquet, Feather and an Arrow stream; and its numbers."""
    rng = np.random.default_rng(19)
    n = 300
    whole = rng.integers(0, 100, n)
    missing = rng.random(n) < 0.1
    kinds = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64"]
    numbers = {kind: pa.array(whole.astype(kind), mask=missing) for kind in kinds}
    numbers["float16"] = pa.array(whole.astype(np.float16))
    numbers["bool"] = pa.array(whole > 50)
    numbers["decimal"] = pa.array([decimal.Decimal(int(v)) / 4 for v in whole], pa.decimal128(20, 2))
    numbers["date"] = pa.array(whole.astype("datetime64[D]"), pa.date32())
    numbers["timestamp"] = pa.array(whole.astype("datetime64[us]"), pa.timestamp("us", "UTC"))
    numbers["levels"] = pa.array(whole % 7 * 0.5).dictionary_encode()
    numbers["nothing"] = pa.nulls(n)
    pairs = np.stack([whole, whole + 0.5], axis=1)
    nested = {
        "fixed": pa.FixedSizeListArray.from_arrays(pairs.ravel(), 2),
        "list": pa.array(list(pairs)),
        "struct": pa.StructArray.from_arrays([pa.array(whole)], ["inner"]),
    }
    words = np.array(["east", "north", "a word of more than twelve letters", "west"])[whole % 4]
    texts = {"text": pa.array(words), "coded": pa.array(words).dictionary_encode()}
    table = pa.table(numbers | nested | texts)
    pq.write_table(table, folder / "types.parquet", row_group_size=70)
    views = table.append_column("view", pa.array(words).cast(pa.string_view()))
    pf.write_feather(views, str(folder / "types.feather"), chunksize=64)
    with pa.ipc.new_stream(folder / "types.arrow", views.schema) as stream:
        stream.write_table(views.slice(10), max_chunksize=33)
    gaps = np.where(missing, np.nan, whole)
    truth = dict.fromkeys(kinds, gaps) | {"float16": whole, "bool": whole > 50, "decimal": whole / 4}
    truth |= {"date": 86400.0 * whole, "timestamp": whole / 1e6, "levels": whole % 7 * 0.5, "nothing": whole * np.nan}
    truth |= {"fixed": pairs, "list": pairs, "struct/inner": whole}
    write_truth("types", list(truth.items()))


def write_arrow_log():
    """The same log with words and gaps as Parquet, Feather, an Arrow file, an Arrow stream and CSV."""
    rng = np.random.default_rng(23)
    n = 3000
    x = rng.random(n)
    day = rng.integers(0, 4, n)
    reward = x + (day == 1) + rng.normal(size=n)
    log = pa.table(
        {
            "episode": [f"run {i // 25}" for i in range(n)],
            "day": pa.array(np.array(["Mon", "Tue", "Wed", "Thu"])[day]).dictionary_encode(),
            "x": x.astype(np.float32).astype(np.float64),
            "reward": pa.array(reward, mask=rng.random(n) < 0.01),
            "terminated": np.arange(n) % 25 == 24,
        }
    )
    pc.write_csv(log, folder / "arrow_log.csv")
    pq.write_table(log, folder / "arrow_log.parquet", row_group_size=700)
    pf.write_feather(log, str(folder / "arrow_log.feather"), chunksize=500)
    with pa.ipc.new_file(folder / "arrow_log.ipc", log.schema) as file:
        file.write_table(log, max_chunksize=100)
    with pa.ipc.new_stream(folder / "arrow_log.arrow", log.schema) as stream:
        stream.write_table(log)


formats = ("hdf5", "arrow", "parquet") if pa else ("hdf5",)
collect("cartpole", gym.make("CartPole-v1", max_episode_steps=25), 40, data_formats=formats)
collect("frozen_lake", gym.make("FrozenLake-v1"), 20, with_infos=True)
collect("nested", Nested(), 12, with_infos=True)
write_environments_in_turn()
write_cut_cart_pole()
write_steps()
write_records()
write_other_hdf5()
write_messy_text()
if pa:
    write_arrow_types()
    write_arrow_log()
