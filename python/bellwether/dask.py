"""Learning from a Dask DataFrame: each partition on its own, then one reduction.

import bellwether.dask
learned = bellwether.dask.learn(frame, episode="episode", like=bw.learn(sample, ...).model)
"""

from __future__ import annotations

import dask

from ._learning import Learned
from ._parts import check_order, fixed_model, learned_of, merged, model_of_part, packed, unpacked


def learn(frame, *, episode: str, like=None, partitioned: bool = False, jobs: int = 1, **options) -> Learned:
    """The value of a policy from the rows of a Dask DataFrame, equal to one pass over them to rounding.

    frame         a dask.dataframe.DataFrame
    episode       its column that tells episodes apart: all rows of one are sent to one partition
    like          a model, or its file, with the columns, features and learner to use; without it they are chosen
                  from the first partition, and `options` are those of `bellwether.learn`
    partitioned   episodes are whole in their partitions already: nothing is sent
    jobs          threads of each part
    """
    model = fixed_model(like, lambda: frame.get_partition(0).compute(), episode, options)
    check_order(model, partitioned)
    parts = frame if partitioned else frame.shuffle(on=episode)
    like = dask.delayed(packed(model))  # bytes, since threads cannot share a model
    models = [dask.delayed(_learn_part)(part, like, {"jobs": jobs}) for part in parts.to_delayed()]
    while len(models) > 1:  # a tree, so that no worker needs them all
        models = [dask.delayed(merged)(models[i : i + 8]) for i in range(0, len(models), 8)]
    return learned_of(models[0].compute())


def _learn_part(part, like, options):
    return model_of_part(part, unpacked(like), options) if len(part) else None
