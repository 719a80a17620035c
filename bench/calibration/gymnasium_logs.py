"""How often the 95 % interval of `bellwether learn` contains the true value, over logs of Gymnasium environments.

    python gymnasium_logs.py PROGRAM ANSWERS.csv TABLE.csv [LOGS [PART OF A NAME]]

Every log is written by the real environment, learned from by PROGRAM with nothing but its discount, and its answer is
added to ANSWERS.csv; a log whose answer is there already is not made again, so a run can be stopped and continued.
TABLE.csv has a row for each environment and policy. True values are exact where the environment has a table of its
transitions, and otherwise the mean of many returns without a time limit.
"""

import csv
import dataclasses
import json
import math
import multiprocessing
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import typing

import gymnasium
import numpy as np

SLIP = 0.2  # simple policies act at random so often
SEED = 2026


@dataclasses.dataclass
class Case:
    environment: str
    policy: str
    act: typing.Callable  # observation, random numbers -> action
    discount: float
    limit: int  # steps after which an episode is cut short
    episodes: int  # in each log
    options: dict = dataclasses.field(default_factory=dict)
    chances: typing.Callable | None = None  # of the actions in a state of a table, where there is one
    rollouts: int = 0  # for the true value, where there is no table

    def make(self):
        return gymnasium.make(
            self.environment, disable_env_checker=True, max_episode_steps=-1, **self.options
        ).unwrapped

    def name(self):
        return f"{self.environment}, {self.policy}"


def table_case(environment, policy, chances, discount, limit, episodes, **options):
    """A case whose policy is known by the chances of its actions in every state of a table."""
    sums = {}

    def act(state, rng):
        if state not in sums:
            sums[state] = np.cumsum(chances(state))
        return min(int(np.searchsorted(sums[state], rng.random(), side="right")), len(sums[state]) - 1)

    return Case(environment, policy, act, discount, limit, episodes, options, chances)


def uniform(actions):
    return lambda state: [1 / actions] * actions


def mostly(choose, actions):
    """A simple policy that acts at random sometimes."""

    def chances(state):
        p = np.full(actions, SLIP / actions)
        p[choose(state)] += 1 - SLIP
        return p

    return chances


def sometimes_random(choose, actions):
    return lambda x, rng: int(rng.integers(actions)) if rng.random() < SLIP else choose(x)


def cliff_path(state):
    """Up from the start, along the row above the cliff, and down at the end."""
    row, column = divmod(int(state), 12)
    return 2 if column == 11 else 0 if row == 3 else 1


def best_action(environment, discount):
    """The best action of every state of a table, by value iteration."""
    table = gymnasium.make(environment).unwrapped.P
    values = np.zeros(len(table))
    for _ in range(2000):
        gains = np.array(
            [
                [sum(p * (r + discount * (not end) * values[s]) for p, s, r, end in table[x][a]) for a in table[x]]
                for x in table
            ]
        )
        if np.max(np.abs(gains.max(1) - values)) < 1e-6:
            break
        values = gains.max(1)
    return lambda state: int(gains[state].argmax())


CASES = [
    table_case("FrozenLake-v1", "random", uniform(4), 0.98, 100, 1000),
    table_case("FrozenLake-v1", "mostly the best", mostly(best_action("FrozenLake-v1", 0.98), 4), 0.98, 100, 100),
    table_case("FrozenLake8x8-v1", "mostly the best", mostly(best_action("FrozenLake8x8-v1", 0.98), 4), 0.98, 100, 100),
    table_case("Taxi-v3", "random", uniform(6), 0.9, 100, 50),
    table_case("CliffWalking-v1", "random", uniform(4), 0.95, 100, 50),
    table_case("CliffWalking-v1", "along the cliff", mostly(cliff_path, 4), 0.95, 100, 100),
    Case("Blackjack-v1", "stick at 18", lambda x, rng: int(x[0] < 18), 1, 100, 500, rollouts=400_000),
    Case("CartPole-v1", "random", lambda x, rng: int(rng.integers(2)), 0.99, 100, 150, rollouts=120_000),
    Case(
        "CartPole-v1", "to where it leans", sometimes_random(lambda x: int(x[2] > 0), 2), 0.99, 50, 100, rollouts=10_000
    ),
    Case(
        "Acrobot-v1",
        "against the swing",
        sometimes_random(lambda x: 0 if x[4] > 0 else 2, 3),
        0.98,
        200,
        30,
        rollouts=1000,
    ),
    Case(
        "MountainCar-v0",
        "with the motion",
        sometimes_random(lambda x: 2 if x[1] >= 0 else 0, 3),
        0.98,
        200,
        40,
        rollouts=3000,
    ),
    Case("Pendulum-v1", "random", lambda x, rng: [rng.uniform(-2, 2)], 0.9, 200, 25, rollouts=6000),
    Case(
        "MountainCarContinuous-v0",
        "with the motion",
        lambda x, rng: [math.copysign(1, x[1]) * 0.8 + rng.uniform(-0.2, 0.2)],
        0.98,
        200,
        40,
        rollouts=2000,
    ),
]


def episodes_of(case, count, limit, seed):
    """Lists of (observation, reward, terminated, next observation)."""
    env = case.make()
    rng = np.random.default_rng(seed)
    env.reset(seed=int(rng.integers(2**31)))
    for _ in range(count):
        observation, _ = env.reset()
        steps, terminated = [], False
        while not terminated and len(steps) < limit:
            after, reward, terminated, _, _ = env.step(case.act(observation, rng))
            steps.append((observation, float(reward), terminated, after))
            observation = after
        yield steps
    env.close()


def exact_value(case):
    env = case.make()
    states = len(env.P)
    transitions, rewards = np.zeros((states, states)), np.zeros(states)
    for state, outcomes in env.P.items():
        for chance, action in zip(case.chances(state), range(len(outcomes)), strict=True):
            for p, after, reward, ends in outcomes[action]:
                rewards[state] += chance * p * reward
                transitions[state, after] += 0 if ends else chance * p
    values = np.linalg.solve(np.eye(states) - case.discount * transitions, rewards)
    starts = getattr(env, "initial_state_distrib", None)
    return float(np.dot(starts, values)), 0.0


def sampled_value(case):
    """The mean return without a time limit, until what is left is worth less than 1e-4 of what there was."""
    limit = 10**6 if case.discount == 1 else math.ceil(math.log(1e-4) / math.log(case.discount))
    returns = [
        sum(reward * case.discount**t for t, (_, reward, _, _) in enumerate(steps))
        for steps in episodes_of(case, case.rollouts, limit, [1, 2, 3])
    ]
    return float(np.mean(returns)), float(np.std(returns) / math.sqrt(len(returns)))


def write_log(case, seed, path):
    with open(path, "w", newline="") as file:
        rows = csv.writer(file)
        for episode, steps in enumerate(episodes_of(case, case.episodes, case.limit, seed)):
            if episode == 0:
                size = np.size(steps[0][0])
                names = ["state"] if case.chances else [f"obs.{i}" for i in range(size)]
                rows.writerow([*names, "reward", "terminated", "truncated", "episode"])
            for t, (observation, reward, terminated, _) in enumerate(steps):
                truncated = not terminated and t + 1 == case.limit
                rows.writerow([*np.ravel(observation), reward, int(terminated), int(truncated), episode])
            rows.writerow([*np.ravel(steps[-1][3]), "", "", "", episode])


def answer(work):
    """The value and its interval: program, number of the case, number of the log."""
    program, number, index = work
    case = CASES[number]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "log.csv")
        write_log(case, [SEED, index, number], path)
        command = [program, "learn", path, "--discount", str(case.discount), "--jobs", "1", "--json"]
        target = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["targets"][0]
    return target.get("value", math.nan), target.get("low", math.nan), target.get("high", math.nan)


def read(path):
    if not path.exists():
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def truth_of(case, path):
    """Found once, and kept beside the answers."""
    known = {row["case"]: row for row in read(path)}
    if case.name() not in known:
        value, error = exact_value(case) if case.chances else sampled_value(case)
        new = not path.exists()
        with open(path, "a", newline="") as file:
            rows = csv.writer(file)
            if new:
                rows.writerow(["case", "value", "standard_error"])
            rows.writerow([case.name(), repr(value), repr(error)])
        return value, error
    row = known[case.name()]
    return float(row["value"]), float(row["standard_error"])


def main(program, answers, table, logs=200, part=""):
    answers, logs = pathlib.Path(answers), int(logs)
    done = {(row["case"], int(row["log"])) for row in read(answers)}
    wanted = [
        (program, c, i)
        for i in range(logs)
        for c, case in enumerate(CASES)
        if part in case.name() and (case.name(), i) not in done
    ]
    if not answers.exists():
        answers.write_text("case,log,value,low,high\n")
    begin = time.monotonic()
    with multiprocessing.Pool() as pool, open(answers, "a", newline="") as file:
        for n, found in enumerate(pool.imap(answer, wanted)):
            _, c, i = wanted[n]
            csv.writer(file).writerow([CASES[c].name(), i, *map(repr, found)])
            file.flush()
            left = (time.monotonic() - begin) / (n + 1) * (len(wanted) - n - 1)
            if sys.stderr.isatty():
                print(f"\r\033[Kgymnasium {n + 1} of {len(wanted)} logs, {left:.0f} s left", end="", file=sys.stderr)
    rows = []
    for case in (case for case in CASES if part in case.name()):
        truth, error = truth_of(case, answers.with_suffix(".truth.csv"))
        found = [row for row in read(answers) if row["case"] == case.name() and int(row["log"]) < logs]
        value, low, high = (np.array([float(row[key]) for row in found]) for key in ("value", "low", "high"))
        rows.append(
            {
                "environment": case.environment,
                "policy": case.policy,
                "discount": case.discount,
                "limit": case.limit,
                "episodes": case.episodes,
                "logs": len(found),
                "truth": f"{truth:.6g}",
                "truth_error": f"{error:.2g}",
                "mean_value": f"{np.mean(value):.6g}",
                "coverage": f"{np.mean((low <= truth) & (truth <= high)):.3f}",
                "width_to_ideal": f"{np.mean(high - low) / 2 / (1.96 * np.std(value)):.2f}",
            }
        )
        print("  ".join(str(cell) for cell in rows[-1].values()), flush=True)
    with open(table, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main(*sys.argv[1:])
