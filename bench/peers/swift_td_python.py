"""SwiftTD by its authors, through their Python package. It has one discount for all steps, and no episodes."""

from measure import DIM, measure, steps
from swift_td import SwiftTDBinaryFeatures

x, reward, _ = steps("car")
states = x.tolist()
rewards = [0.0, *reward.tolist()]  # on entering a state


def learn():
    model = SwiftTDBinaryFeatures(
        num_of_features=DIM,
        lambda_=0.9,
        alpha=0.001,
        gamma=0.99,
        epsilon=1e-5,
        eta=0.1,
        decay=0.999,
        meta_step_size=0.001,
        eta_min=1e-10,
    )
    for active, r in zip(states, rewards, strict=True):
        model.step(active, r)
    return [model.predict([j]) for j in range(DIM)]


measure(learn, len(reward))
