"""True online TD(lambda) in JAX: one compiled loop over the steps, with a dense trace."""

import jax
import jax.numpy as jnp
from jax_loop import true_online_td
from measure import ALPHA, measure, steps

x, reward, discount = map(jnp.asarray, steps("car"))
learn = jax.jit(lambda: true_online_td(ALPHA, x, reward, discount))
measure(lambda: learn().block_until_ready(), len(reward))
