"""What the programs of this folder share: the steps they learn from, and how they are measured."""

import sys
import time
from pathlib import Path

import numpy as np

FOLDER = Path(sys.argv[1])
ALPHA = 0.001
LAMBDA = 0.9
DIM = 1024


def steps(name, count=None):
    """The active features of states 0 .. count, and reward and discount of the steps between them.

    Features are a matrix with a row for each state where every state has as many; otherwise a list of all and the
    place where each state begins.
    """
    reward = np.fromfile(FOLDER / f"{name}.reward")[:count]
    discount = np.fromfile(FOLDER / f"{name}.discount")[:count]
    offset = np.fromfile(FOLDER / f"{name}.offset", dtype=np.int64)[: len(reward) + 2]
    index = np.fromfile(FOLDER / f"{name}.index", dtype=np.uint32)[: offset[-1]].astype(np.int64)
    active = offset[1]
    if np.array_equal(offset, active * np.arange(len(offset))):
        return index.reshape(-1, active), reward, discount
    return (index, offset), reward, discount


def peak_megabytes():
    """Of this process. (`resource` would also count the process that started it.)"""
    status = Path("/proc/self/status").read_text()
    return float(status.split("VmHWM:")[1].split()[0]) / 1024


def measure(learn, count):
    """Prints microseconds of processor time per step, and the peak memory; writes the weights that `learn` returns.

    `learn` starts from zero weights. It is called at least twice, and until half a second has passed; the fastest call
    counts, so that compilation and the first use of memory do not.
    """
    best = float("inf")
    begin = time.process_time()
    calls = 0
    while calls < 2 or time.process_time() - begin < 0.5:
        start = time.process_time()
        w = learn()
        best = min(best, time.process_time() - start)
        calls += 1
    np.asarray(w, dtype=float).tofile(FOLDER / f"{Path(sys.argv[0]).stem}.weights")
    print(f"{1e6 * best / count:.5f} {peak_megabytes():.1f}")
