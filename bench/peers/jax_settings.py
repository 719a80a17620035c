"""True online TD(lambda) in JAX with thirteen step sizes at once: `vmap` over the settings, one loop over the steps."""

import jax
import jax.numpy as jnp
from jax_loop import true_online_td
from measure import measure, steps

x, reward, discount = map(jnp.asarray, steps("car", 20_000))
alphas = 0.01 / 2.0 ** jnp.arange(13)
learn = jax.jit(jax.vmap(lambda alpha: true_online_td(alpha, x, reward, discount)))
measure(lambda: learn(alphas).block_until_ready(), len(reward))
