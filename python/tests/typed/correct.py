"""Calls that a type checker accepts."""

import numpy as np
from numpy.typing import NDArray

import bellwether as bw

learner = bw.TrueOnlineTD(4, alpha=0.1, lambda_=0.9)
learner.learn(bw.Batch(np.eye(4), np.zeros(3), 0.9))
learner.learn_one(np.ones(4), 1.0, 0.0)
value: float = learner.predict_one(np.ones(4))
weights: NDArray[np.float64] = learner.weights()
largest = float(weights.max()) + learner.predict(np.eye(4)).max()
sums = bw.LSTDStream(4, storage="matrix")
again: bw.Learner = sums.clone()
names: list[str] = sorted(bw.LEARNERS)
