"""Simulates a machine with two sensors that wears out, and prints a JSON line for every hour.

    python3 examples/sensor_stream.py 20000 |
        bellwether learn - --state temperature,vibration --reward cost --discount 0.99 --model machine.bw

Without a number of hours it never stops. Temperature and vibration rise with wear. A failure costs 100, and the machine
is then repaired. The model predicts from the readings of the sensors how much failures will cost from now on.
"""

import json
import random
import sys


def hours(seed=1):
    draw = random.Random(seed)
    wear = 0.0
    while True:
        wear += draw.expovariate(100)
        failed = draw.random() < 0.02 * wear**4
        yield {
            "temperature": round(60 + 15 * wear + draw.gauss(0, 1), 3),
            "vibration": round(1 + 2 * wear**2 + draw.gauss(0, 0.1), 4),
            "cost": 100 if failed else 0,
        }
        if failed:
            wear = 0.0


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else None
    try:
        for count, hour in enumerate(hours(), 1):
            print(json.dumps(hour), flush=wanted is None)
            if count == wanted:
                break
    except BrokenPipeError:
        sys.stderr.close()
