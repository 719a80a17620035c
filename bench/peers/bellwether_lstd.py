"""Recursive LSTD(lambda) in our Python package, from a batch."""

from measure import DIM, LAMBDA, measure, steps

import bellwether as bw

x, reward, discount = steps("car", 2000)


def learn():
    learner = bw.LSTD(DIM, lambda_=LAMBDA)
    learner.learn(bw.Batch(bw.Active(x, DIM), reward, discount))
    return learner.weights()


measure(learn, len(reward))
