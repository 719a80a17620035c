"""TD(lambda) with rlax.td_lambda in JAX: errors of 100 steps at a time, one step of the weights for each 100."""

import jax
import jax.numpy as jnp
import rlax
from measure import ALPHA, DIM, LAMBDA, measure, steps

jax.config.update("jax_enable_x64", True)
SEGMENT = 100
x, reward, discount = steps("car")
here, there = (jnp.asarray(part.reshape(-1, SEGMENT, x.shape[1])) for part in (x[:-1], x[1:]))
reward, discount = (jnp.asarray(part.reshape(-1, SEGMENT)) for part in (reward, discount))


def segment(w, s):
    x, x_next, r, g = s
    errors = rlax.td_lambda(w[x].sum(axis=1), r, g, w[x_next].sum(axis=1), LAMBDA)
    return w.at[x].add(ALPHA * errors[:, None]), None


@jax.jit
def learn():
    return jax.lax.scan(segment, jnp.zeros(DIM), (here, there, reward, discount))[0]


measure(lambda: learn().block_until_ready(), reward.size)
