"""Records a policy of a Gymnasium environment as CSV, for `bellwether learn`.

    pip install gymnasium
    python3 examples/gymnasium_policy.py 500 > cartpole.csv
    bellwether learn cartpole.csv --discount 0.99 --model cartpole.bw

The policy pushes the cart to the side to which the pole leans, but for one push in five, which goes anywhere. Every
episode ends with a row for its last observation, whose reward is empty: where the time limit cut it short, the value of
that observation stands for what would have come.
"""

import csv
import random
import sys

import gymnasium


def policy(observation, draw):
    if draw.random() < 0.2:
        return draw.randrange(2)
    return int(observation[2] > 0)


def record(episodes, out):
    environment = gymnasium.make("CartPole-v1", max_episode_steps=100)
    draw = random.Random(1)
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["obs.0", "obs.1", "obs.2", "obs.3", "reward", "terminated", "truncated", "episode"])
    for episode in range(episodes):
        observation, _ = environment.reset(seed=episode)
        terminated = truncated = False
        while not (terminated or truncated):
            before = observation
            observation, reward, terminated, truncated, _ = environment.step(policy(before, draw))
            rows.writerow([*before, reward, int(terminated), int(truncated), episode])
        rows.writerow([*observation, "", "", "", episode])


if __name__ == "__main__":
    record(int(sys.argv[1]) if len(sys.argv) > 1 else 500, sys.stdout)
