"""TD(0) by river: its linear regression learns from r + gamma' v(x'), one state at a time.

river takes the derivative of the squared error, which is twice the TD error, hence half the step size.
"""

from measure import ALPHA, DIM, measure, steps
from river import linear_model, optim

x, reward, discount = steps("car", 10_000)
states = [dict.fromkeys(active, 1.0) for active in x.tolist()]


def learn():
    model = linear_model.LinearRegression(optimizer=optim.SGD(ALPHA / 2), intercept_lr=0)
    for t in range(len(reward)):
        model.learn_one(states[t], reward[t] + discount[t] * model.predict_one(states[t + 1]))
    return [model.weights.get(j, 0.0) for j in range(DIM)]


measure(learn, len(reward))
