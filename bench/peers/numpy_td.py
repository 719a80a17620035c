"""TD(lambda) in NumPy: a dense trace, sparse states."""

import numpy as np
from measure import ALPHA, DIM, LAMBDA, measure, steps

x, reward, discount = steps("car")


def learn():
    w = np.zeros(DIM)
    e = np.zeros(DIM)
    g = 0.0
    for t in range(len(reward)):
        delta = reward[t] + discount[t] * w[x[t + 1]].sum() - w[x[t]].sum()
        e *= g * LAMBDA
        e[x[t]] += 1
        w += ALPHA * delta * e
        g = discount[t]
    return w


measure(learn, len(reward))
