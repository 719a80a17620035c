"""TD(lambda) in JAX: one compiled loop over the steps, with a dense trace."""

import jax
import jax.numpy as jnp
from measure import ALPHA, DIM, LAMBDA, measure, steps

jax.config.update("jax_enable_x64", True)
x, reward, discount = map(jnp.asarray, steps("car"))


def step(state, s):
    w, e, g = state
    x, x_next, r, g_next = s
    delta = r + g_next * w[x_next].sum() - w[x].sum()
    e = (g * LAMBDA * e).at[x].add(1)
    return (w + ALPHA * delta * e, e, g_next), None


@jax.jit
def learn():
    start = (jnp.zeros(DIM), jnp.zeros(DIM), 0.0)
    return jax.lax.scan(step, start, (x[:-1], x[1:], reward, discount))[0][0]


measure(lambda: learn().block_until_ready(), len(reward))
