"""Policies of Gymnasium environments, and observations as numbers."""

from __future__ import annotations

import inspect

import numpy as np


def takes_rng(policy) -> bool:
    """Whether a policy wants random numbers besides the observation."""
    try:
        signature = inspect.signature(policy)
    except (TypeError, ValueError):
        return False
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = [one for one in signature.parameters.values() if one.kind in kinds and one.default is one.empty]
    return len(needed) == 2


class Policy:
    """A policy in an action space: a function of the observation, and of random numbers if it takes two arguments.

    It returns an action or, where actions are numbered, the probabilities of all of them, from which one is drawn.
    "random" stands for all actions alike.
    """

    def __init__(self, policy, space, what: str = "policy"):
        from gymnasium import spaces

        self.count = int(space.n) if isinstance(space, spaces.Discrete) else 0
        self._first = int(space.start) if self.count else 0
        self._space, self._what = space, what
        if isinstance(policy, str):
            if policy != "random":
                raise ValueError(f"there is no {what} '{policy}'; did you mean 'random', or a function?")
            policy = self._random
        if not callable(policy):
            raise ValueError(f"{what} is {policy!r}; a function of the observation, or 'random', is expected")
        self._policy, self._takes_rng = policy, takes_rng(policy)

    def _random(self, observation, rng):
        if self.count:
            return np.full(self.count, 1 / self.count)
        self._space.seed(int(rng.integers(2**31)))
        return self._space.sample()

    def __call__(self, observation, rng: np.random.Generator):
        """(action, probabilities of all actions, or None where it returned an action)."""
        answer = self._policy(observation, rng) if self._takes_rng else self._policy(observation)
        if not self.count or np.ndim(answer) == 0:
            return answer, None
        p = self.checked(answer)
        return self._first + int(np.searchsorted(np.cumsum(p)[:-1], rng.random(), side="right")), p

    def checked(self, p) -> np.ndarray:
        p = np.asarray(p, dtype=float)
        if p.shape != (self.count,) or np.any(p < 0) or abs(p.sum() - 1) > 1e-6:
            raise ValueError(
                f"{self._what} returned {p}; an action, or the probabilities of {self.count} actions, is expected"
            )
        return p

    def probability(self, observation, action, rng: np.random.Generator) -> float:
        """The probability of an action that another policy took; 0 or 1 for a policy that returns one action."""
        answer = self._policy(observation, rng) if self._takes_rng else self._policy(observation)
        if np.ndim(answer) == 0 or not self.count:
            return float(np.array_equal(answer, action))
        return float(self.checked(answer)[int(action) - self._first])

    def drawn_with(self, p: np.ndarray | None, action) -> float:
        """The probability with which the action was drawn."""
        if p is None:
            raise ValueError(
                f"{self._what} returned an action; off-policy it has to return the probabilities of all actions"
            )
        return float(p[int(action) - self._first])


def flatten(name: str, value) -> dict[str, np.ndarray]:
    """What is inside of dictionaries and tuples by path, arrays as rows of numbers: goal of obs is obs/goal.0, ..."""
    if isinstance(value, dict):
        parts = [flatten(f"{name}/{key}", one) for key, one in sorted(value.items())]
        return {key: one for part in parts for key, one in part.items()}
    if isinstance(value, tuple):
        parts = [flatten(f"{name}/{i}", one) for i, one in enumerate(value)]
        return {key: one for part in parts for key, one in part.items()}
    return {name: np.asarray(value)}
