"""LSTD(0) as mushroom-rl has it: its LSPI with a single action. It has one discount for all steps, and no episodes."""

import sys
from types import SimpleNamespace
from unittest.mock import MagicMock

import numpy as np
from measure import DIM, measure, steps

# The package imports PyTorch and more, which LSPI does not use and which is not installed for it.
ABSENT = ["torch", "torch.nn", "torch.nn.functional", "torch.nn.parameter", "torch.optim", "cv2", "pygame", "tqdm"]
for name in ABSENT:
    sys.modules[name] = MagicMock()
sys.modules["torch"].Tensor = type("Tensor", (), {})  # SciPy asks whether an array is one
from mushroom_rl.algorithms.value.batch_td.lspi import LSPI  # noqa: E402

x, reward, _ = steps("car", 2000)
phi = np.zeros((len(x), DIM))
np.put_along_axis(phi, x, 1.0, axis=1)
no = np.zeros(1)
dataset = [(phi[t], no, reward[t], phi[t + 1], False, False) for t in range(len(reward))]
world = SimpleNamespace(gamma=0.99, action_space=SimpleNamespace(n=1))


def learn():
    agent = LSPI(world, MagicMock(), approximator_params={"input_shape": (DIM,), "output_shape": (1,)})
    agent.fit(dataset)
    return agent.approximator.get_weights()


measure(learn, len(reward))
