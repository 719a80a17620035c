# The value of a policy from its log: for how many hours will a pump run that is maintained like this? The truth is 20.
import numpy as np

import bellwether as bw

random = np.random.default_rng(1)
age = np.concatenate([np.arange(random.geometric(1 / 20)) for _ in range(300)])  # hours since it was repaired
log = {"age": age, "reward": np.ones(len(age)), "terminated": np.append(age[1:] == 0, True)}
learned = bw.learn(log, state="age", discount=1.0)
print(f"{learned.value:.1f} hours, 95 % interval {learned.low:.1f} to {learned.high:.1f}")
print(learned.model.predict({"age": np.array([0.0, 10.0])}))  # of a pump that was just repaired, and ten hours later
