"""SwiftTD in our Python package, one call for each step; with one discount for all steps, and no episodes."""

from measure import DIM, measure, steps

import bellwether as bw

x, reward, _ = steps("car")
x = list(x)
reward = reward.tolist()


def learn():
    learner = bw.SwiftTD(DIM, alpha=0.001, lambda_=0.9, eta=0.1, epsilon=0.999, theta=0.001, cutoff=0)
    state = bw.Active(x[0], DIM)
    for t in range(len(reward)):
        following = bw.Active(x[t + 1], DIM)
        learner.learn_one(state, reward[t], 0.99, following)
        state = following
    return learner.weights()


measure(learn, len(reward))
