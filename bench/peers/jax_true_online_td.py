"""True online TD(lambda) in JAX: one compiled loop over the steps, with a dense trace."""

import jax
import jax.numpy as jnp
from measure import ALPHA, DIM, LAMBDA, measure, steps

jax.config.update("jax_enable_x64", True)
x, reward, discount = map(jnp.asarray, steps("car"))


def step(state, s):
    w, e, g, v_old = state
    x, x_next, r, g_next = s
    v = w[x].sum()
    v_next = w[x_next].sum()
    v_old = jnp.where(g == 0, v, v_old)
    e = g * LAMBDA * e
    e = e.at[x].add(ALPHA * (1 - e[x].sum()))
    w = (w + (r + g_next * v_next - v_old) * e).at[x].add(ALPHA * (v_old - v))
    return (w, e, g_next, v_next), None


@jax.jit
def learn():
    start = (jnp.zeros(DIM), jnp.zeros(DIM), 0.0, 0.0)
    return jax.lax.scan(step, start, (x[:-1], x[1:], reward, discount))[0][0]


measure(lambda: learn().block_until_ready(), len(reward))
