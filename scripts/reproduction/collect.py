"""Writes summaries and figures of studies at paper scale: python3 collect.py PROGRAM FOLDER FILE.db ...

The summaries of a study, FOLDER/STUDY/*.csv, are small enough to be committed, unlike the files of results:

    learners     the best setting of every learner, chosen on even seeds and judged on odd ones
    values       the same for each value of its rank, cut-off and the like, where it tries several: "ATD, rank=20"
    pairs        differences between them, on the same seeds
    curves       their learning curves, over all seeds, with at most 25 points
    sensitivity  for each value of a parameter that was swept, the best error over all others, over all seeds

and origin.json says which command made them, when and where, and the digest of the results. They are for the metric
that ranks; where that is another one, FOLDER/STUDY/rmse has the same for the root mean square error.
"""

import csv
import io
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

LEARNERS = [
    "case",
    "label",
    "parameters",
    "average",
    "average_half_width",
    "last",
    "last_half_width",
    "runs",
    "diverged",
    "microseconds",
    "bytes",
]
PAIRS = [
    "case",
    "label",
    "reference",
    "average_difference",
    "average_difference_half_width",
    "average_ratio",
    "last_difference",
    "last_difference_half_width",
    "last_ratio",
]
CURVES = ["case", "label", "step", "mean", "half_width"]
SENSITIVITY = ["case", "label", "parameter", "value", "average"]

# The scale that is collected: the published grids.
SCALE = "paper"

# Parameters whose values are compared as if each were a learner.
COMPARED = ["rank", "cutoff", "alpha0", "batch", "kept"]

# Learners beyond which a study is a table of errors: so many would make thousands of pairs.
MOST_IN_PAIRS = 20


def short(value):
    """Six digits of a number; more of them are noise."""
    try:
        return f"{float(value):.6g}"
    except ValueError:
        return value


def case_of(row):
    parts = [row["domain"], row["domain_settings"], "" if row["features"] == "own" else row["features"]]
    return " ".join(part for part in parts if part)


def write(path, columns, rows):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows({key: short(value) for key, value in row.items()} for row in rows)


class Results:
    """A file of results, as the program shows it."""

    def __init__(self, program, file):
        self.program, self.file = program, file

    def run(self, *arguments):
        return subprocess.run([self.program, *arguments], check=True, capture_output=True, text=True).stdout

    def rows(self, study, metric, *options):
        """Rows of `results` for one metric."""
        text = self.run("results", self.file, "--study", study, "--metric", metric, *options, "--csv")
        rows = (row for row in csv.DictReader(io.StringIO(text)) if row["scale"] == SCALE)
        return [row | {"case": case_of(row)} for row in rows]

    def tables(self, *names):
        """Tables of `export`, a list of rows each."""
        with tempfile.TemporaryDirectory() as folder:
            self.run("export", self.file, "-o", folder, *(word for name in names for word in ("--table", name)))
            return [list(csv.DictReader(open(f"{folder}/{name}.csv", newline=""))) for name in names]

    def figures(self, study, to):
        with tempfile.TemporaryDirectory() as folder:
            self.run("report", self.file, "--study", study, "--figures", folder)
            for figure in pathlib.Path(folder).rglob(f"*-{SCALE}-*.svg"):
                shutil.copy(figure, to / figure.name)

    def digest(self, study):
        lines = map(str.split, self.run("results", self.file, "--study", study, "--digest").splitlines())
        return next(digest for digest, _, scale in lines if scale == SCALE)


def sensitivity(rows):
    best = {}
    for row in rows:
        error = float(row["average"]) if row["average"] and row["diverged"] == "0" else float("inf")
        for name in (name for name in row if name.startswith("p_") and row[name]):
            values = best.setdefault((row["case"], row["label"], name[2:]), {})
            values[row[name]] = min(values.get(row[name], float("inf")), error)
    for (case, label, parameter), values in best.items():
        if len(values) > 1:
            for value, error in values.items():
                yield dict(zip(SENSITIVITY, (case, label, parameter, value, error), strict=True))


def curves(learners, points):
    chosen = {(row["setting"], row["metric"]): [] for row in learners}
    for point in points:
        if (point["setting"], point["metric"]) in chosen:
            chosen[point["setting"], point["metric"]].append(point)
    steps = sorted({int(point["step"]) for curve in chosen.values() for point in curve}, reverse=True)
    kept = set(steps[:: -(-len(steps) // 25)])
    for row in learners:
        for point in chosen[row["setting"], row["metric"]]:
            if int(point["step"]) in kept:
                half_width = 1.96 * (float(point["variance"]) / int(point["runs"])) ** 0.5
                yield point | {"case": row["case"], "label": row["label"], "half_width": half_width}


def pairs(results, study, metric, learners, *options):
    """Differences to each of these learners."""
    for label in sorted({row["label"] for row in learners}):
        rows = results.rows(study, metric, "--held-out", "--against", label, *options)
        yield from (row for row in rows if row["label"] != row["reference"])


def values(results, study, metric, learners, parameter):
    """Learners for each value of a parameter, and their differences to the others and to their own other values."""
    known = {row["label"] for row in learners}
    rows = results.rows(study, metric, "--held-out", "--per", parameter)

    def base(label):
        return label.rsplit(f", {parameter}=", 1)[0]

    return [row for row in rows if row["label"] not in known], [
        pair
        for pair in pairs(results, study, metric, rows, "--per", parameter)
        if pair["label"] not in known and (pair["reference"] in known or base(pair["label"]) == base(pair["reference"]))
    ]


def summarise(results, study, metric, points, to):
    """Writes the summaries of a study by one metric."""
    to.mkdir(parents=True, exist_ok=True)
    learners = results.rows(study, metric, "--held-out")
    over = list(sensitivity(results.rows(study, metric)))
    swept = {row["parameter"] for row in over}
    few = len({row["label"] for row in learners}) <= MOST_IN_PAIRS
    each = [values(results, study, metric, learners, one) for one in COMPARED if few and one in swept]
    apart = [row for rows, _ in each for row in rows]
    differences = (
        [*pairs(results, study, metric, learners), *(pair for _, more in each for pair in more)] if few else []
    )
    write(to / "learners.csv", LEARNERS, learners)
    if apart:
        write(to / "values.csv", LEARNERS, apart)
    write(to / "pairs.csv", PAIRS, differences)
    write(to / "curves.csv", CURVES, curves(learners + apart, points))
    write(to / "sensitivity.csv", SENSITIVITY, over)
    print(f"{study}, {metric}: {len(learners)} learners, {to}")


def collect(program, folder, file):
    results = Results(program, file)
    studies, points, settings, runs = results.tables("studies", "curves", "settings", "runs")
    study_of = {setting["setting"]: setting["study"] for setting in settings}
    for study in studies:
        if study["scale"] != SCALE:
            continue
        name = study["name"]
        own_runs = [run for run in runs if study_of[run["setting"]] == study["study"]]
        planned = int(study["seeds"]) * list(study_of.values()).count(study["study"])
        if len(own_runs) < planned:
            raise SystemExit(
                f"{file}: {name} has {len(own_runs)} of {planned} runs; its sweep continues with the others"
            )
        to = folder / name
        for stale in [*to.rglob("*.svg"), *to.rglob("values.csv")]:
            stale.unlink()
        own = [point for point in points if study_of[point["setting"]] == study["study"]]
        metrics = list(dict.fromkeys(point["metric"] for point in own))
        summarise(results, name, metrics[0], own, to)
        if "rmse" in metrics[1:]:
            summarise(results, name, "rmse", own, to / "rmse")
        results.figures(name, to)
        seconds = sum(float(run["seconds"]) for run in own_runs)
        origin = {key: study[key] for key in ("title", "seeds", "version", "machine", "command", "created")}
        origin |= {"processor_hours": round(seconds / 3600, 2), "digest": results.digest(name)}
        (to / "origin.json").write_text(json.dumps(origin, indent=1) + "\n")


if __name__ == "__main__":
    for path in sys.argv[3:]:
        collect(sys.argv[1], pathlib.Path(sys.argv[2]), path)
