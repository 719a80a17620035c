"""Measures every peer beside us, in turns, and prints a table of ratios.

    python3 bench/peers/run.py build/release/bench/bench_peers build/release/peers [--rounds 5] [--csv FILE] [--only td]
        [--python]

The second argument is the folder that `install` filled; the steps are written there as well. In each round a peer is
run and then we are, so that both meet the same disturbances; the fastest round of each counts.
"""

import argparse
import array
import csv
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent

# Our task, the peer's program, and what both do. A number of rows at the end of a task is told the peer as well.
PAIRS = [
    ("td", "numpy_td", "TD(lambda)"),
    ("td", "jax_td", "TD(lambda)"),
    ("true_online_td", "numpy_true_online_td", "true online TD(lambda)"),
    ("true_online_td", "jax_true_online_td", "true online TD(lambda)"),
    ("settings", "jax_settings", "true online TD(lambda), 13 step sizes at once"),
    ("td0", "river_td0", "TD(0)"),
    ("td0", "sklearn_td0", "TD(0)"),
    ("swift_td", "swift_td_python", "SwiftTD, its Python package"),
    ("swift_td", "swift_td_cpp", "SwiftTD, its C++ code"),
    ("swift_td_cutoff", "swift_td_cpp", "SwiftTD, its C++ code; we have its cutoff"),
    ("swift_td_95", "swift_td_cpp_95", "the same, lambda 0.95"),
    ("swift_td_95_cutoff", "swift_td_cpp_95", "the same, lambda 0.95, cutoff"),
    ("swift_td_99", "swift_td_cpp_99", "the same, lambda 0.99"),
    ("swift_td_99_cutoff", "swift_td_cpp_99", "the same, lambda 0.99, cutoff"),
    ("lstd", "numpy_lstd", "recursive LSTD(lambda)"),
    ("lstd", "jax_lstd", "recursive LSTD(lambda)"),
    ("lstd_krylov", "scipy_lstd", "LSTD(0), 2^20 hashed features"),
    ("text_10000", "vw_text", "10,000 rows of sparse text"),
    ("text_100000", "vw_text", "100,000 rows of sparse text"),
    ("text_1000000", "vw_text", "1,000,000 rows of sparse text"),
]
# For --python: our package beside our program in C++, which is again on our side, and beside other packages.
PYTHON_PAIRS = [
    ("td", "bellwether_td", "TD(lambda), our package, in batches"),
    ("td", "bellwether_td_steps", "TD(lambda), our package, call by call"),
    ("td", "numpy_td", "TD(lambda)"),
    ("td", "rlax_td", "TD(lambda), 100 steps at a time"),
    ("swift_td", "bellwether_swift_td_steps", "SwiftTD, our package, call by call"),
    ("swift_td", "swift_td_python", "SwiftTD, its Python package, call by call"),
    ("lstd", "bellwether_lstd", "recursive LSTD(lambda), our package"),
    ("lstd", "numpy_lstd", "recursive LSTD(lambda)"),
    ("lstd_solve", "mushroom_lspi", "LSTD(0), one solution"),
]
# Lambda, by the name under which SwiftTD's C++ code is measured.
SWIFT_TD_CPP = {"swift_td_cpp": "0.9", "swift_td_cpp_95": "0.95", "swift_td_cpp_99": "0.99"}
COLUMNS = [
    "what",
    "peer",
    "peer_us",
    "ours",
    "our_us",
    "ratio",
    "peer_megabytes",
    "our_megabytes",
    "difference",
    "note",
]

# Everybody has one thread, or at least one processor: processor time counts threads that wait for each other, too.
ENVIRONMENT = os.environ | {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "JAX_PLATFORMS": "cpu",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}


def run(command):
    """Microseconds per step and megabytes, or why there are none."""
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True)
    if done.returncode == 0:
        microseconds, megabytes = map(float, done.stdout.split())
        return microseconds, megabytes
    return (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]


def weights(path):
    values = array.array("d")
    values.frombytes(path.read_bytes())
    return values


def difference(folder, peer, ours):
    """The largest difference of two weights, as a share of the largest weight."""
    pairs = list(zip(weights(folder / f"{peer}.weights"), weights(folder / f"{ours}.weights"), strict=True))
    return max(abs(a - b) for a, b in pairs) / max(abs(b) for _, b in pairs)


def compare(bench, folder, pair, rounds):
    ours, peer, what = pair
    row = dict.fromkeys(COLUMNS, "") | {"what": what, "peer": peer, "ours": ours}
    rows = re.findall(r"text_(\d+)$", ours)
    command = [folder / "environment/bin/python", HERE / f"{peer}.py", folder, *rows]
    if peer in SWIFT_TD_CPP:
        command = [folder / "swift_td_cpp", folder, peer, SWIFT_TD_CPP[peer]]
    if not command[0].exists():
        return row | {"note": f"missing: {command[0].name} was not installed"}
    measured = []
    for _ in range(rounds):
        results = [run(command), run([bench, ours, folder])]
        for result in results:
            if isinstance(result, str):
                return row | {"note": f"missing: {result}"}
        measured.append(results)
    (peer_us, peer_mb), (our_us, our_mb) = (
        (min(us for us, _ in side), max(mb for _, mb in side)) for side in zip(*measured, strict=True)
    )
    ratio = peer_us / our_us
    return row | {
        "peer_us": f"{peer_us:.4g}",
        "our_us": f"{our_us:.4g}",
        "ratio": f"{ratio:.1f}" if ratio < 100 else f"{ratio:.0f}",
        "peer_megabytes": f"{peer_mb:.0f}",
        "our_megabytes": f"{our_mb:.0f}",
        "difference": f"{difference(folder, peer, ours):.0e}",
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bench", type=Path, help="the program bench_peers")
    parser.add_argument("folder", type=Path, help="where `install` put the peers")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--csv", type=Path)
    parser.add_argument(
        "--python", action="store_true", help="measure our Python package, and other packages beside it"
    )
    parser.add_argument("--only", nargs="+", metavar="TASK", help="only these tasks of ours, such as td")
    options = parser.parse_args()
    bench, folder = options.bench.resolve(), options.folder.resolve()
    subprocess.run([bench, "write", folder], check=True)
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print(f"{'':<46}{'peer':<22}{'us':>9}{'MB':>6}   {'ours':<19}{'us':>9}{'MB':>6}{'ratio':>8}  weights differ by")
    rows = []
    for pair in PYTHON_PAIRS if options.python else PAIRS:
        if options.only and re.sub(r"_\d+$", "", pair[0]) not in options.only:
            continue
        r = compare(bench, folder, pair, options.rounds)
        rows.append(r)
        line = f"{r['what']:<46}{r['peer']:<22}"
        if r["note"]:
            print(f"{line}{r['note']}", flush=True)
            continue
        line += f"{r['peer_us']:>9}{r['peer_megabytes']:>6}   {r['ours']:<19}{r['our_us']:>9}{r['our_megabytes']:>6}"
        print(f"{line}{r['ratio']:>8}  {r['difference']}", flush=True)
    if options.csv:
        with options.csv.open("w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
