"""Recursive LSTD(lambda) in NumPy: the inverse is updated by Sherman and Morrison's formula at every step."""

import numpy as np
from measure import DIM, LAMBDA, measure, steps

x, reward, discount = steps("car", 2000)


def learn():
    w = np.zeros(DIM)
    e = np.zeros(DIM)
    P = np.eye(DIM)
    g = 0.0
    for t in range(len(reward)):
        e *= g * LAMBDA
        e[x[t]] += 1
        Pe = P @ e
        dP = P[x[t]].sum(axis=0) - discount[t] * P[x[t + 1]].sum(axis=0)
        c = 1 + Pe[x[t]].sum() - discount[t] * Pe[x[t + 1]].sum()
        delta = reward[t] + discount[t] * w[x[t + 1]].sum() - w[x[t]].sum()
        w += delta / c * Pe
        P -= np.outer(Pe / c, dP)
        g = discount[t]
    return w


measure(learn, len(reward))
