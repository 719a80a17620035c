"""Learning from a Ray Dataset: each part on its own, then one reduction.

import bellwether.ray
learned = bellwether.ray.learn(dataset, episode="episode", like=bw.learn(sample, ...).model)
"""

from __future__ import annotations

import zlib
from functools import partial

import numpy as np

from ._learning import Learned
from ._parts import check_order, fixed_model, learned_of, merged, model_of_part, packed, unpacked

_PART = "bellwether_part"


def learn(dataset, *, episode: str, like=None, parts: int = 16, jobs: int = 1, **options) -> Learned:
    """The value of a policy from the rows of a Ray Dataset, equal to one pass over them to rounding.

    dataset       a ray.data.Dataset
    episode       its column that tells episodes apart: all rows of one are sent to one part
    like          a model, or its file, with the columns, features and learner to use; without it they are chosen
                  from the first 100,000 rows, and `options` are those of `bellwether.learn`
    parts         how many parts there are
    jobs          threads of each part
    """
    model = fixed_model(like, lambda: dataset.limit(100_000).to_pandas(), episode, options)
    check_order(model, parted=False)
    learn_part = partial(_learn_part, like=packed(model), options={"jobs": jobs})
    groups = dataset.map_batches(partial(_number, episode=episode, parts=parts), batch_format="pyarrow").groupby(_PART)
    rows = groups.map_groups(learn_part, batch_format="pyarrow").take_all()
    return learned_of(merged(unpacked(row["model"]) for row in sorted(rows, key=lambda row: row[_PART])))


def _number(batch, episode: str, parts: int):
    """Adds the part that each row goes to."""
    numbers = [zlib.crc32(repr(name).encode()) % parts for name in batch[episode].to_pylist()]
    return batch.append_column(_PART, [np.array(numbers, np.int64)])


def _learn_part(part, like: bytes, options: dict):
    """The rows of one part to one row: its model."""
    model = model_of_part(part.drop_columns([_PART]), unpacked(like), options)
    return {_PART: [part[_PART][0].as_py()], "model": [packed(model)]}
