"""Rows per second and memory of `bw.learn` from a Parquet file of ten numeric columns, through Arrow to LSTD.

    python bench/parquet.py [--rows 10000000] > bench/results/<machine>_parquet.csv

Each way of reading is a process of its own, so that its memory can be told; seconds and the largest resident memory are
those of that process from `learn` on, and of all of it.
"""

import argparse
import csv
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WAYS = {
    "path": lambda path: path,
    "duckdb": lambda path: __import__("duckdb").read_parquet(path),
    "polars": lambda path: __import__("polars").read_parquet(path),
}
AT_ONCE = 1_000_000


def write_log(path, rows):
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    draw = np.random.default_rng(1)
    names = [f"x.{i}" for i in range(8)] + ["reward", "done"]
    schema = pa.schema([(name, pa.bool_() if name == "done" else pa.float64()) for name in names])
    with pq.ParquetWriter(path, schema) as file:
        for first in range(0, rows, AT_ONCE):
            n = min(AT_ONCE, rows - first)
            columns = [draw.normal(size=n) for _ in names[:-1]] + [draw.random(n) < 0.02]
            file.write_table(pa.table(columns, schema=schema))


def learn(way, path):
    import bellwether as bw

    start = time.perf_counter()
    data = WAYS[way](path)
    learned = bw.learn(data, discount=0.99, learner="lstd", progress=False)
    seconds = time.perf_counter() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(f"{learned.model.steps},{seconds},{memory}")


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--rows", type=int, default=10_000_000)
    options.add_argument("--learn", nargs=2, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.learn:
        return learn(*given.learn)
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["way", "rows", "file_megabytes", "seconds", "rows_per_second", "memory_megabytes"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log.parquet")
        write_log(path, given.rows)
        size = path.stat().st_size / 1e6
        for way in WAYS:
            command = [sys.executable, __file__, "--learn", way, str(path)]
            runs = [subprocess.run(command, check=True, capture_output=True, text=True).stdout for _ in range(3)]
            steps, seconds, memory = min((tuple(map(float, run.split(","))) for run in runs), key=lambda run: run[1])
            row = (f"{size:.0f}", f"{seconds:.2f}", f"{steps / seconds:.3g}", f"{memory / 1e6:.0f}")
            table.writerow([way, int(steps), *row])


if __name__ == "__main__":
    main()
