"""Rows per second of `bellwether learn`, reading and learning together, from files of ten numeric columns.

    python3 bench/learning.py build/release/bellwether > bench/results/<machine>_learning.csv

Numbers have all the digits that a double has. The same million rows are one file or four, and are learned from by one
thread or by one for each processor. Seconds are the processor time of the whole program and the time by the clock, each
the least of three runs.
"""

import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROWS = 1_000_000
PARTS = 4
CASES = [
    ("td", 0),
    ("td", 20),
    ("true_online_td", 0),
    ("lstd", 0),
    ("lstd", 20),
]


def write_logs(folder):
    """The path of all rows, and the paths of their parts."""
    whole, parts = Path(folder, "all.csv"), [Path(folder, f"{part}.csv") for part in range(PARTS)]
    header = ",".join(f"x.{i}" for i in range(8)) + ",reward,done\n"
    draw = random.Random(1)
    with whole.open("w") as all_rows:
        all_rows.write(header)
        for part in parts:
            with part.open("w") as some_rows:
                some_rows.write(header)
                for row in range(ROWS // PARTS):
                    features = ",".join(repr(draw.random()) for _ in range(8))
                    line = f"{features},{draw.gauss(0, 1)!r},{int(row % 50 == 49)}\n"
                    some_rows.write(line)
                    all_rows.write(line)
    return [whole], parts


def seconds(command):
    """Of the processor and by the clock."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after, end = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, end - begin


def main(program):
    print("learner,resamples,rows,files,jobs,processor_seconds,clock_seconds,rows_per_processor_second,rows_per_second")
    with tempfile.TemporaryDirectory() as folder:
        logs = write_logs(folder)
        for learner, resamples in CASES:
            for files in logs:
                for jobs in sorted({1, os.cpu_count()}):
                    command = [program, "learn", *files, "--learner", learner, "--resamples", str(resamples)]
                    command += ["--discount", "0.9", "--jobs", str(jobs)]
                    if learner != "lstd":
                        command += ["--set", "alpha=0.01"]
                    cpu, clock = (min(times) for times in zip(*(seconds(command) for _ in range(3)), strict=True))
                    print(
                        f"{learner},{resamples},{ROWS},{len(files)},{jobs},{cpu:.2f},{clock:.2f},"
                        f"{ROWS / cpu:.0f},{ROWS / clock:.0f}",
                        flush=True,
                    )


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "build/release/bellwether")
