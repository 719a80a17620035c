"""Learning from a Spark DataFrame: each partition on its own, then one reduction.

import bellwether.spark
learned = bellwether.spark.learn(frame, episode="episode", like=bw.learn(sample, ...).model)
"""

from __future__ import annotations

from functools import partial

from ._learning import Learned
from ._parts import check_order, fixed_model, learned_of, merged, model_of_part, packed, unpacked


def learn(frame, *, episode: str, like=None, partitioned: bool = False, jobs: int = 1, **options) -> Learned:
    """The value of a policy from the rows of a Spark DataFrame, equal to one pass over them to rounding.

    frame         a pyspark.sql.DataFrame
    episode       its column that tells episodes apart: all rows of one are sent to one partition
    like          a model, or its file, with the columns, features and learner to use; without it they are chosen
                  from the first 100,000 rows, and `options` are those of `bellwether.learn`
    partitioned   episodes are whole in their partitions already: nothing is sent
    jobs          threads of each part
    """
    model = fixed_model(like, lambda: frame.limit(100_000).toPandas(), episode, options)
    check_order(model, partitioned)
    parts = frame if partitioned else frame.repartition(episode)
    models = parts.mapInArrow(partial(_learn_part, packed(model), {"jobs": jobs}), "model binary")
    states = models.rdd.map(lambda row: bytes(row.model))
    return learned_of(None if states.isEmpty() else unpacked(states.treeReduce(_merge)))


def _learn_part(like: bytes, options: dict, batches):
    """The batches of one partition to one row: its model."""
    import pyarrow

    batches = [batch for batch in batches if batch.num_rows]
    if batches:
        model = model_of_part(pyarrow.Table.from_batches(batches), unpacked(like), options)
        yield pyarrow.record_batch({"model": pyarrow.array([packed(model)], pyarrow.binary())})


def _merge(one: bytes, other: bytes) -> bytes:
    return packed(merged([unpacked(one), unpacked(other)]))
