"""Domains: classes made from what the library says of each, domains of one's own, and streams of their steps."""

from __future__ import annotations

import re
import weakref

import numpy as np

from . import _core
from ._features import FeatureMap, Features, described
from ._registry import class_name, documentation, signature

ENTRIES = {entry["name"]: entry for entry in _core.domain_entries()}


class Domain(_core.Domain):
    """A Markov chain with rewards: an environment, the policy that acts in it and the policy to be evaluated."""

    __slots__ = ()
    _name = ""

    def __init__(self, **parameters):
        if not self._name:
            raise TypeError("Domain is the base of all domains: make one of these, or use bellwether.make_domain")
        super().__init__(self._name, {key.removesuffix("_"): value for key, value in parameters.items()})

    @property
    def variables(self) -> list[dict]:
        """The numbers of a state: their names, ranges, and whether features may use them (hidden: they may not)."""
        return self._variables

    def features(self, features: Features | str | None = None, seed: int = 0, run: int = 0) -> FeatureMap:
        """Features of its states: its own, or others by their description; "own" stands for its own in a sum."""
        return FeatureMap(self._features(str(features or ""), seed, run), len(self._variables), self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.settings.items())})"

    def __reduce_ex__(self, protocol):
        return _restored, (self._name, self.settings)


def _restored(name: str, settings: dict) -> Domain:
    return make_domain(name, **settings)


def _class_of(entry: dict) -> type[Domain]:
    made = type(
        class_name(entry["name"]),
        (Domain,),
        {"__slots__": (), "_name": entry["name"], "__doc__": documentation(entry), "__module__": "bellwether"},
    )
    made.__signature__ = signature(entry)
    return made


DOMAINS: dict[str, type[Domain]] = {name: _class_of(entry) for name, entry in ENTRIES.items()}


def make_domain(name: str, **parameters) -> Domain:
    """Makes a domain by name, as `MountainCar(randomness=0.1)` does by class."""
    if name not in DOMAINS:
        _core.Domain(name, {})  # raises ValueError with the nearest name
    return DOMAINS[name](**parameters)


class OwnDomain(Domain):
    """A domain of Python: an object with `reset(rng)` and `step(rng, state)`. `as_domain` makes it."""

    __slots__ = ("source", "target")

    def __init__(self, source):
        name = _snake(getattr(source, "name", None) or type(source).__name__)
        for needed in ("reset", "step", "variables"):
            if not hasattr(source, needed):
                raise ValueError(
                    f"{name} has no {needed}: a domain needs reset(rng), step(rng, state) and variables, such as "
                    '{"position": (-1.2, 0.5)}'
                )
        if name in DOMAINS:
            raise ValueError(f"{name} is a domain of the library: give your own another name")
        variables = described(source.variables)
        features = getattr(source, "features", "tile_coding + bias")
        target = source.on_policy() if hasattr(source, "on_policy") else None
        self.source, self.target = source, None if target is None else as_domain(target)
        owner = weakref.ref(self)  # the library must not keep alive what may refer to what the library keeps alive

        def calling(function: str):
            return lambda *arguments: getattr(owner().source, function)(*arguments)

        dim = 0
        if callable(features) and not isinstance(features, Features):
            dim = np.size(features(np.array([one["low"] for one in variables])))
        parts = {
            "name": name,
            "settings": _settings_of(source),
            "variables": variables,
            "actions": [str(action) for action in getattr(source, "actions", [])],
            "features": calling("features") if dim else str(features),
            "dim": dim,
            "reset": calling("reset"),
            "step": calling("step"),
            "true_values": calling("true_values") if hasattr(source, "true_values") else None,
            "target": self.target,
        }
        _core.Domain.__init__(self, parts)

    def __repr__(self) -> str:
        return f"as_domain({self.source!r})"

    def __reduce_ex__(self, protocol):
        return as_domain, (self.source,)


def _snake(name: str) -> str:
    """MountainCar is mountain_car, as the names of the library are."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def _settings_of(source) -> dict:
    """What identifies a domain of Python in results: its `settings`, or its public attributes that are values."""
    given = getattr(source, "settings", None)
    if given is not None:
        return dict(given)
    values = getattr(source, "__dict__", {})
    return {
        key: value
        for key, value in values.items()
        if not key.startswith("_") and key not in ("name", "features") and isinstance(value, bool | int | float | str)
    }


def as_domain(domain) -> Domain:
    """A domain from whatever stands for one: a domain, its name, or an object of your own.

    An object of your own has `reset(rng)`, which returns the first state of an episode, `step(rng, state)`, which
    returns (next state, reward, discount) and, off-policy, the ratio rho and the probability pi as well, and
    `variables`. What it may have: `features`, a description or a function of the state; `true_values(states)`;
    `on_policy()`, the domain in which the target policy acts; `name`; `actions`; `settings`, which tell it from
    others of its name in results.
    """
    if isinstance(domain, Domain):
        return domain
    if isinstance(domain, str):
        return make_domain(domain)
    if isinstance(domain, type):
        raise ValueError(f"{domain.__name__} is a class; an object of it is needed: {domain.__name__}()")
    return OwnDomain(domain)


def features_of(domain: Domain, features: Features | str | FeatureMap | None, seed: int, run: int = 0) -> FeatureMap:
    """Features for the states of a domain: those that are made already, if they are made for such states."""
    if not isinstance(features, FeatureMap):
        return domain.features(features, seed, run)
    of, shown = features._domain, sum(not one["hidden"] for one in domain.variables)
    if of is None and features._variables != shown:
        raise ValueError(f"the features are those of {features._variables} variables; {domain.type} has {shown}")
    if of is not None and (of.type, of.settings) != (domain.type, domain.settings):
        raise ValueError(f"the features are those of {of!r}, not of {domain!r}")
    return features


class Stream(_core.Stream):
    """An endless run of a domain as features: episode after episode, in batches of any size.

    The steps are a function of (domain, features, seed, run). `next(n)` gives a Batch that learners take.
    """

    def __init__(self, domain, features: Features | str | FeatureMap | None = None, seed: int = 1, run: int = 0):
        domain = as_domain(domain)
        features = features_of(domain, features, seed, run)
        super().__init__(domain, features._core, seed, run)
        self.domain, self.features = domain, features
