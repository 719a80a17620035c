"""Rows per second of `bellwether learn`, reading and learning together on one core, from a file of ten numeric columns.

    python3 bench/learning.py build/release/bellwether > bench/results/<machine>_learning.csv

Numbers have all the digits that a double has. Seconds are processor time of the whole program, the least of three runs.
"""

import random
import resource
import subprocess
import sys
import tempfile

ROWS = 1_000_000
CASES = [
    ("td", 0),
    ("td", 20),
    ("true_online_td", 0),
    ("lstd", 0),
    ("lstd", 20),
]


def write_log(path):
    draw = random.Random(1)
    with open(path, "w") as out:
        out.write(",".join(f"x.{i}" for i in range(8)) + ",reward,done\n")
        for row in range(ROWS):
            features = ",".join(repr(draw.random()) for _ in range(8))
            out.write(f"{features},{draw.gauss(0, 1)!r},{int(row % 50 == 49)}\n")


def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main(program):
    print("learner,resamples,rows,seconds,rows_per_second")
    with tempfile.NamedTemporaryFile(suffix=".csv") as log:
        write_log(log.name)
        for learner, resamples in CASES:
            command = [program, "learn", log.name, "--learner", learner, "--resamples", str(resamples)]
            command += ["--discount", "0.9", "--jobs", "1"]
            if learner != "lstd":
                command += ["--set", "alpha=0.01"]
            least = min(seconds(command) for _ in range(3))
            print(f"{learner},{resamples},{ROWS},{least:.2f},{ROWS / least:.0f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "build/release/bellwether")
