"""TD(lambda) in our Python package, one call for each step, with the state as it would come from a simulator."""

from measure import ALPHA, DIM, LAMBDA, measure, steps

import bellwether as bw

x, reward, discount = steps("car")
x = list(x)
reward = reward.tolist()
discount = discount.tolist()


def learn():
    learner = bw.TD(DIM, alpha=ALPHA, lambda_=LAMBDA)
    state = bw.Active(x[0], DIM)
    for t in range(len(reward)):
        following = bw.Active(x[t + 1], DIM)
        learner.learn_one(state, reward[t], discount[t], following)
        state = following
    return learner.weights()


measure(learn, len(reward))
