"""Writes summaries and figures of studies at paper scale: python3 collect.py PROGRAM FOLDER FILE.db ...

The summaries of a study, FOLDER/STUDY/*.csv, are small enough to be committed, unlike the files of results:

    learners     the best setting of every learner, chosen on even seeds and judged on odd ones
    pairs        differences between them, on the same seeds
    curves       their learning curves, over all seeds, with at most 25 points
    sensitivity  for each value of a parameter that was swept, the best error over all others, over all seeds

and origin.json says which command made them, when and where, and the digest of the results.
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

    def rows(self, study, *options):
        """Rows of `results` for the metric that ranks."""
        rows = list(csv.DictReader(io.StringIO(self.run("results", self.file, "--study", study, *options, "--csv"))))
        rows = [row for row in rows if row["metric"] == rows[0]["metric"] and row.get("by", "average") == "average"]
        return [row | {"case": case_of(row)} for row in rows]

    def tables(self, *names):
        """Tables of `export`, a list of rows each."""
        with tempfile.TemporaryDirectory() as folder:
            self.run("export", self.file, "-o", folder, *(word for name in names for word in ("--table", name)))
            return [list(csv.DictReader(open(f"{folder}/{name}.csv", newline=""))) for name in names]

    def figures(self, study, to):
        with tempfile.TemporaryDirectory() as folder:
            self.run("report", self.file, "--study", study, "--figures", folder)
            for figure in pathlib.Path(folder).rglob("*.svg"):
                shutil.copy(figure, to / figure.name)

    def digest(self, study):
        lines = map(str.split, self.run("results", self.file, "--study", study, "--digest").splitlines())
        return next(digest for digest, _, scale in lines if scale == "paper")


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
    chosen = {row["setting"]: row for row in learners}
    steps = sorted({int(point["step"]) for point in points if point["setting"] in chosen}, reverse=True)
    kept = set(steps[:: -(-len(steps) // 25)])
    for point in points:
        if (
            point["setting"] in chosen
            and int(point["step"]) in kept
            and point["metric"] == chosen[point["setting"]]["metric"]
        ):
            row = chosen[point["setting"]]
            half_width = 1.96 * (float(point["variance"]) / int(point["runs"])) ** 0.5
            yield point | {"case": row["case"], "label": row["label"], "half_width": half_width}


def collect(program, folder, file):
    results = Results(program, file)
    studies, points, settings, runs = results.tables("studies", "curves", "settings", "runs")
    study_of = {setting["setting"]: setting["study"] for setting in settings}
    for study in studies:
        if study["scale"] != "paper":
            continue
        name = study["name"]
        to = folder / name
        to.mkdir(parents=True, exist_ok=True)
        learners = results.rows(name, "--held-out")
        labels = sorted({row["label"] for row in learners})
        pairs = [row for label in labels for row in results.rows(name, "--held-out", "--against", label)]
        write(to / "learners.csv", LEARNERS, learners)
        write(to / "pairs.csv", PAIRS, (row for row in pairs if row["label"] != row["reference"]))
        write(to / "curves.csv", CURVES, curves(learners, points))
        write(to / "sensitivity.csv", SENSITIVITY, sensitivity(results.rows(name)))
        results.figures(name, to)
        seconds = sum(float(run["seconds"]) for run in runs if study_of[run["setting"]] == study["study"])
        origin = {key: study[key] for key in ("title", "seeds", "version", "machine", "command", "created")}
        origin |= {"processor_hours": round(seconds / 3600, 2), "digest": results.digest(name)}
        (to / "origin.json").write_text(json.dumps(origin, indent=1) + "\n")
        print(f"{name}: {len(learners)} learners, {to}")


if __name__ == "__main__":
    for path in sys.argv[3:]:
        collect(sys.argv[1], pathlib.Path(sys.argv[2]), path)
