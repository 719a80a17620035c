"""True online TD(lambda) in NumPy: a dense trace, sparse states."""

import numpy as np
from measure import ALPHA, DIM, LAMBDA, measure, steps

x, reward, discount = steps("car")


def learn():
    w = np.zeros(DIM)
    e = np.zeros(DIM)
    g = 0.0
    v_old = 0.0
    for t in range(len(reward)):
        v = w[x[t]].sum()
        v_next = w[x[t + 1]].sum()
        if g == 0:
            v_old = v
        e *= g * LAMBDA
        e[x[t]] += ALPHA * (1 - e[x[t]].sum())
        w += (reward[t] + discount[t] * v_next - v_old) * e
        w[x[t]] += ALPHA * (v_old - v)
        v_old = v_next
        g = discount[t]
    return w


measure(learn, len(reward))
