"""TD(0) by scikit-learn: `SGDRegressor.partial_fit` learns from r + gamma' v(x'), one sparse state at a time."""

import numpy as np
from measure import ALPHA, DIM, measure, steps
from scipy.sparse import csr_matrix
from sklearn.linear_model import SGDRegressor

x, reward, discount = steps("car", 10_000)
states = [csr_matrix((np.ones(len(row)), row, [0, len(row)]), shape=(1, DIM)) for row in np.sort(x)]


def learn():
    model = SGDRegressor(penalty=None, learning_rate="constant", eta0=ALPHA, fit_intercept=False)
    model.coef_ = np.zeros(DIM)
    model.intercept_ = np.zeros(1)
    for t in range(len(reward)):
        target = reward[t] + discount[t] * model.predict(states[t + 1])
        model.partial_fit(states[t], target)
    return model.coef_


measure(learn, len(reward))
