"""Recursive LSTD(lambda) in JAX: one compiled loop over the steps, with the inverse updated at every step."""

import jax
import jax.numpy as jnp
from measure import DIM, LAMBDA, measure, steps

jax.config.update("jax_enable_x64", True)
x, reward, discount = map(jnp.asarray, steps("car", 2000))


def step(state, s):
    w, e, P, g = state
    x, x_next, r, g_next = s
    e = (g * LAMBDA * e).at[x].add(1)
    Pe = P @ e
    dP = P[x].sum(axis=0) - g_next * P[x_next].sum(axis=0)
    c = 1 + Pe[x].sum() - g_next * Pe[x_next].sum()
    delta = r + g_next * w[x_next].sum() - w[x].sum()
    return (w + delta / c * Pe, e, P - jnp.outer(Pe / c, dP), g_next), None


@jax.jit
def learn():
    start = (jnp.zeros(DIM), jnp.zeros(DIM), jnp.eye(DIM), 0.0)
    return jax.lax.scan(step, start, (x[:-1], x[1:], reward, discount))[0][0]


measure(lambda: learn().block_until_ready(), len(reward))
