"""True online TD(lambda) in JAX with thirteen step sizes at once: `vmap` over the settings, one loop over the steps."""

import jax
import jax.numpy as jnp
from measure import DIM, LAMBDA, measure, steps

jax.config.update("jax_enable_x64", True)
x, reward, discount = map(jnp.asarray, steps("car", 20_000))
alphas = 0.01 / 2.0 ** jnp.arange(13)


def learn_one(alpha):
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


learn = jax.jit(jax.vmap(learn_one))
measure(lambda: learn(alphas).block_until_ready(), len(reward))
