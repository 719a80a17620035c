"""A Gymnasium environment with a policy as a domain."""

from __future__ import annotations

import collections

import numpy as np

from ._policies import Policy

REMEMBERED = 100_000  # branches that can be returned to


def observed(observation) -> np.ndarray:
    """An observation as numbers."""
    return np.asarray(observation, dtype=float).ravel()


class _Episodes:
    """The episodes of one environment, each of which can be returned to at any time.

    An environment cannot start from a given state, but it repeats itself: after reset(seed), the same actions lead to
    the same state. So an episode is known by a number, from which the environment and the policies draw everything,
    and a state by its episode and its time. To go on from a state that was left, its episode is played again up to
    that time, and from there on with a new number: a branch. Branches are known by their number, their parent, the
    time they left it, and who acts in them: behaviour or target.
    """

    def __init__(self, env, policies: list[Policy]):
        self.env, self.policies = env, policies
        self._branches: collections.OrderedDict = collections.OrderedDict()
        self._live = (-1, -1)  # episode and time at which the environment is
        self._acting = 0
        self._last = None  # the last observation
        self._rng = np.random.default_rng(0)

    def start(self, number: int, acting: int) -> np.ndarray:
        if acting:
            self._remember(number, None, 0, acting)
        self._begin(number, acting)
        return observed(self._last)

    def step(self, episode: int, time: int, acting: int, seen: np.ndarray, fresh: int):
        """Acts; returns (episode, observation, reward, terminated, truncated, action, probabilities)."""
        if self._live != (episode, time) or self._acting != acting:
            self._go_to(episode, time)
            if not np.array_equal(observed(self._last), seen):
                raise ValueError(
                    "the environment does not repeat itself: after reset(seed) and the same actions it is in another "
                    "state. Policies must draw with the rng that they are given, or return probabilities"
                )
            self._remember(fresh, episode, time, acting)
            self._branch(fresh, acting)
            episode, time = fresh, 0
        before = self._last
        action, p = self._act()
        return episode, before, *self._advance(action), action, p

    def _remember(self, number: int, parent: int | None, time: int, acting: int) -> None:
        self._branches[number] = (parent, time, acting)
        if len(self._branches) > REMEMBERED:
            self._branches.popitem(last=False)

    def _begin(self, number: int, acting: int) -> None:
        self._last, _ = self.env.reset(seed=number % 2**31)
        self._play(number, acting)

    def _branch(self, number: int, acting: int) -> None:
        self.env.unwrapped.np_random = np.random.default_rng(number)
        self._play(number, acting)

    def _play(self, number: int, acting: int) -> None:
        self._rng = np.random.default_rng((number, 1))  # of the policies: independent of the environment's
        self._live, self._acting = (number, 0), acting

    def _go_to(self, episode: int, time: int) -> None:
        """Plays the episode up to this time, and before that those that it branched from."""
        path = [(episode, time)]
        while path[-1][0] in self._branches:
            parent, left_at, _ = self._branches[path[-1][0]]
            if parent is None:
                break
            path.append((parent, left_at))
        for depth, (number, until) in enumerate(reversed(path)):
            acting = self._branches.get(number, (None, 0, 0))[2]
            (self._begin if depth == 0 else self._branch)(number, acting)
            for _ in range(until):
                self._advance(self._act()[0])

    def _act(self):
        return self.policies[self._acting](self._last, self._rng)

    def _advance(self, action):
        self._last, reward, terminated, truncated, _ = self.env.step(action)
        self._live = (self._live[0], self._live[1] + 1)
        return self._last, float(reward), bool(terminated), bool(truncated)


class GymnasiumDomain:
    """A Gymnasium environment with a policy, for `run`, studies, streams and `ground_truth`.

        domain = bw.GymnasiumDomain("CartPole-v1", policy, discount=0.99)
        bw.run(domain, "lstd_stream", features="fourier(order=3)", evaluation={"states": 100, "rollouts": 100})

    `policy` is a function of the observation, or "random"; off-policy, `behaviour` acts and `policy` is evaluated,
    and both return the probabilities of all actions. The value is that of the policy without a time limit: an
    environment that is given by name is made without one, and one that truncates is refused. `ranges` are (low, high)
    of the numbers of an observation, where the environment does not know them; else they are found in a few episodes.

    True values are means of rollouts from states that were visited. As environments cannot start from any state,
    every rollout first repeats the episode that led there, with the same seed and actions. One thread runs it.
    """

    def __init__(self, env, policy, *, discount: float, behaviour=None, features=None, ranges=None, name: str = ""):
        import gymnasium
        from gymnasium import spaces

        if not 0 <= discount <= 1:
            raise ValueError(f"discount is {discount}, which is outside [0, 1]")
        if isinstance(env, str):
            env = gymnasium.make(env, max_episode_steps=-1, disable_env_checker=True)
        space = env.observation_space
        if not isinstance(space, spaces.Box | spaces.Discrete):
            raise ValueError(
                f"observations are {type(space).__name__}; Box or Discrete is expected: flatten them with a wrapper"
            )
        target = Policy(policy, env.action_space)
        acting = [target] if behaviour is None else [Policy(behaviour, env.action_space, "behaviour"), target]
        self._episodes, self._space = _Episodes(env, acting), space
        self._acting, self._target = 0, target if behaviour is not None else None
        self._rng = np.random.default_rng(0)
        spec = getattr(env, "spec", None)
        self.name = name or (spec.id.split("/")[-1].replace("-", "_") if spec else type(env.unwrapped).__name__)
        self.discount = discount
        self.settings = {"discount": discount, "policy": _called(policy)}
        if behaviour is not None:
            self.settings["behaviour"] = _called(behaviour)
        self.variables = self._variables(ranges)
        visible = len(self.variables) - 2
        usual = "tabular" if isinstance(space, spaces.Discrete) else "tile_coding + bias" if visible <= 2 else "fourier"
        self.features = features or usual

    def _variables(self, ranges) -> list[dict]:
        from gymnasium import spaces

        if isinstance(self._space, spaces.Discrete):
            first = int(self._space.start)
            low, high = np.array([first]), np.array([first + int(self._space.n) - 1])
        elif ranges is not None:
            low, high = np.asarray(ranges, dtype=float).reshape(-1, 2).T
        else:
            low, high = self._space.low.ravel().astype(float), self._space.high.ravel().astype(float)
            if np.any(np.abs(low) > 1e6) or np.any(np.abs(high) > 1e6):
                low, high = self._seen(low, high)
        size = int(np.prod(self._space.shape))
        if len(low) != size:
            raise ValueError(f"ranges has {len(low)} pairs; an observation has {size} numbers")
        whole = isinstance(self._space, spaces.Discrete)
        shown = [
            {"name": f"x{i}" if size > 1 else "x", "low": low[i], "high": max(high[i], low[i] + 1e-9), "whole": whole}
            for i in range(size)
        ]
        hidden = [
            {"name": one, "low": 0, "high": 2.0**53, "whole": True, "hidden": True} for one in ("episode", "time")
        ]
        return shown + hidden

    def _seen(self, low, high):
        """The ranges of what a few episodes show, and a tenth beyond."""
        seen = []
        for number in range(20):
            seen.append(self._episodes.start(number, 0))
            for time in range(500):
                _, _, after, _, terminated, *_ = self._episodes.step(number, time, 0, seen[-1], 0)
                seen.append(observed(after))
                if terminated:
                    break
        lowest, highest = np.min(seen, axis=0), np.max(seen, axis=0)
        beyond = 0.1 * (highest - lowest)
        bounded = (np.abs(low) <= 1e6) & (np.abs(high) <= 1e6)
        return np.where(bounded, low, lowest - beyond), np.where(bounded, high, highest + beyond)

    def reset(self, rng):
        number = rng.integers(2**52)
        return np.append(self._episodes.start(number, self._acting), [number, 0])

    def step(self, rng, state):
        episode, time = int(state[-2]), int(state[-1])
        told = self._episodes.step(episode, time, self._acting, state[:-2], rng.integers(2**52))
        after, before, observation, reward, terminated, truncated, action, p = told
        if truncated and not terminated:
            raise ValueError(
                f"{self.name} truncated an episode, whose values then depend on the time: make it without a time "
                "limit, as gymnasium.make(..., max_episode_steps=-1)"
            )
        next_time = time + 1 if after == episode else 1
        following = np.append(observed(observation), [after, next_time])
        rho = pi = 1.0
        if self._target is not None:
            pi = self._target.probability(before, action, self._rng)
            rho = pi / self._episodes.policies[0].drawn_with(p, action)
        elif p is not None:
            pi = self._episodes.policies[0].drawn_with(p, action)
        return following, reward, 0.0 if terminated else self.discount, rho, pi

    def on_policy(self):
        """The environment with the target policy acting; None if it acts already."""
        if self._target is None:
            return None
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._acting, other._target = 1, None
        return other

    def __repr__(self) -> str:
        return f"GymnasiumDomain({self.name!r}, discount={self.discount})"


def _called(policy) -> str:
    return policy if isinstance(policy, str) else getattr(policy, "__name__", type(policy).__name__)
