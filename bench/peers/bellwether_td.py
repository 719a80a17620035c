"""TD(lambda) in our Python package, from a batch: arrays are checked, then learned from."""

from measure import ALPHA, DIM, LAMBDA, measure, steps

import bellwether as bw

x, reward, discount = steps("car")


def learn():
    learner = bw.TD(DIM, alpha=ALPHA, lambda_=LAMBDA)
    learner.learn(bw.Batch(bw.Active(x, DIM), reward, discount))
    return learner.weights()


measure(learn, len(reward))
