"""Learning in parts: a model for each part of the data, all of one recipe, merged in the end. Engines run this."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ._core import __version__
from ._learning import Learned, learn
from ._model import Model, _restored
from ._registry import make_learner


def fixed_model(like: object, first: Callable[[], object], episode: str, options: dict) -> Model:
    """The model whose recipe all parts share: the one given, or one that is learned from the first rows. Raises
    ValueError when its learner cannot be merged."""
    if like is None:
        model = learn(first(), episode=episode, figures=False, **options).model
    else:
        if options:
            raise ValueError(f"`like` says all about the recipe; leave out {', '.join(options)}")
        model = like if isinstance(like, Model) else Model.load(like)
    recipe = model.recipe
    one, other = (make_learner(recipe["learner"], 1, **dict(recipe["settings"])) for _ in range(2))
    one.absorb(other)  # refuses, and says why
    return model


def check_order(model: Model, parted: bool) -> None:
    """Raises ValueError when rows that are sent elsewhere could not be put in order again."""
    columns = model.recipe["columns"]
    if not parted and not columns.get("time") and not columns.get("next"):
        raise ValueError(
            "rows lose their order on the way to their episode: name the column of their order, `time=`, or keep whole "
            "episodes in partitions and say `partitioned=True`"
        )


def model_of_part(data: object, like: Model, options: dict) -> Model:
    """What one part teaches."""
    return learn(data, like=like, figures=False, **options).model


def merged(models: Iterable[Model | None]) -> Model | None:
    """The models of parts as one, in their order; None for parts without rows."""
    all_models = [model for model in models if model is not None]
    return all_models[0].merge(*all_models[1:]) if all_models else None


def learned_of(model: Model | None) -> Learned:
    """What the parts have taught together."""
    if model is None:
        raise ValueError("data has no rows")
    return Learned(model, *model._handle.summary(), None)


def packed(model: Model) -> bytes:
    """A model as bytes, for engines that carry nothing else."""
    return model._handle.bytes()


def unpacked(state: bytes) -> Model:
    """And back."""
    return _restored(bytes(state), __version__)
