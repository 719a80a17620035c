"""What the JAX programs of true online TD(lambda) share: the compiled loop over the steps, with a dense trace."""

import jax
import jax.numpy as jnp
from measure import DIM, LAMBDA

jax.config.update("jax_enable_x64", True)


def true_online_td(alpha, x, reward, discount):
    """The weights that a step size learns from zero."""

    def step(state, s):
        w, e, g, v_old = state
        x, x_next, r, g_next = s
        v = w[x].sum()
        v_next = w[x_next].sum()
        v_old = jnp.where(g == 0, v, v_old)
        e = g * LAMBDA * e
        e = e.at[x].add(alpha * (1 - e[x].sum()))
        w = (w + (r + g_next * v_next - v_old) * e).at[x].add(alpha * (v_old - v))
        return (w, e, g_next, v_next), None

    start = (jnp.zeros(DIM), jnp.zeros(DIM), 0.0, 0.0)
    return jax.lax.scan(step, start, (x[:-1], x[1:], reward, discount))[0][0]
