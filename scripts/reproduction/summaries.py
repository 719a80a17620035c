"""The summaries that collect.py writes, and statements about them whose words and truth follow from the numbers."""

import csv
import json
import math


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def number(value):
    """Three digits of a number; a word as it is."""
    try:
        return f"{float(value):.0f}" if 1000 <= abs(float(value)) < 1e6 else f"{float(value):.3g}"
    except ValueError:
        return value


class Finding(str):
    """A statement about numbers, in words; true unless there is an excess by which it misses what it says. Excesses
    have no unit, so that those of different statements can be compared."""

    def __new__(cls, words, excess):
        made = super().__new__(cls, words)
        made.excess, made.true = excess, excess <= 0
        return made

    @classmethod
    def negative(cls, words, difference, half_width):
        """That a difference is below zero: its whole interval is."""
        if half_width > 0:
            return cls(words, difference / half_width + 1)
        return cls(words, -1 if difference < 0 else 1)


class Summaries:
    """The summaries of all studies; `case` is a part of a case's name: redraw=step."""

    def __init__(self, folder):
        self.folder = folder
        self._tables = {}

    def has(self, study):
        """Whether the study has been run at paper scale."""
        return (self.folder / study / "origin.json").exists()

    def rows(self, study, table, case="", **columns):
        path = self.folder / study / f"{table}.csv"
        if path not in self._tables:
            self._tables[path] = read(path) if path.exists() else []
        rows = (row for row in self._tables[path] if case in row["case"])
        return [row for row in rows if all(row[key] == value for key, value in columns.items())]

    def row(self, study, table, case="", **columns):
        rows = self.rows(study, table, case, **columns)
        if len(rows) != 1:
            raise SystemExit(f"{study}/{table}.csv: {len(rows)} rows for {columns}, case '{case}'; one is expected")
        return rows[0]

    def case(self, study, part):
        """The case of this name, or the only one whose name has this part."""
        cases = dict.fromkeys(row["case"] for row in self.rows(study, "learners", part))
        if part in cases or len(cases) == 1:
            return part if part in cases else next(iter(cases))
        raise SystemExit(f"{study}/learners.csv: {len(cases)} cases have '{part}' in their names; one is expected")

    def origin_of(self, study):
        return json.loads((self.folder / study / "origin.json").read_text())

    def learner(self, study, label, case=""):
        """The row of a learner, or of one for a value of a parameter: "ATD, rank=20"."""
        rows = self.rows(study, "values", case, label=label)
        return rows[0] if rows else self.row(study, "learners", case, label=label)

    def error(self, study, label, case="", by="average"):
        """The error of a learner with its 95 % interval; `by` is average (over the curve) or last."""
        row = self.learner(study, label, case)
        return f"{number(row[by])} ± {number(row[by + '_half_width'])}"

    def difference(self, study, label, other, case="", by="average"):
        """The error of one learner less that of another, on the same seeds, with its 95 % interval."""
        return "{} ± {}".format(*map(number, self._difference(study, label, other, case, by)))

    def _difference(self, study, label, other, case, by):
        forth = self.rows(study, "pairs", case, label=label, reference=other)
        pair = forth[0] if forth else self.row(study, "pairs", case, label=other, reference=label)
        difference = float(pair[by + "_difference"])
        return difference if forth else -difference, float(pair[by + "_difference_half_width"])

    def below(self, study, label, other, case="", by="average"):
        """That one learner has the smaller error, on the same seeds."""
        where = f" ({case.strip()})" if case else ""
        words = f"{label} minus {other}{where}: {self.difference(study, label, other, case, by)}"
        return Finding.negative(words, *self._difference(study, label, other, case, by))

    def close(self, study, label, other, at_most, case="", by="average"):
        """That the error of one learner is at most so many times that of another, on the same seeds. This and all that
        ask for a factor go by the mean."""
        ratio = float(self.row(study, "pairs", case, label=label, reference=other)[by + "_ratio"])
        return Finding(f"{label} over {other}: {number(ratio)}", ratio / at_most - 1)

    def at(self, study, label, step, case=""):
        """The mean error of a learner at a step, and half of its 95 % interval."""
        row = self.row(study, "curves", case, label=label, step=str(step))
        return float(row["mean"]), float(row["half_width"])

    def sooner(self, study, label, other, step, case=""):
        """That one learner has the smaller error at a step. The two see the same steps, so that the interval, which
        takes them for independent, is wider than need be."""
        (mean, half_width), (of_other, other_half_width) = (self.at(study, name, step, case) for name in (label, other))
        interval = math.hypot(half_width, other_half_width)
        words = f"{label} minus {other} after {step} steps: {number(mean - of_other)} ± {number(interval)}"
        return Finding.negative(words, mean - of_other, interval)

    def overtakes(self, study, label, other, case=""):
        """The first of the steps from which on the mean error of one learner stays below that of another."""
        mine, of_other = (self.rows(study, "curves", case, label=name) for name in (label, other))
        ahead = [float(a["mean"]) < float(b["mean"]) for a, b in zip(mine, of_other, strict=True)]
        return next(mine[k]["step"] for k in range(len(mine)) if all(ahead[k:]))

    def times(self, study, column, label, other, case=""):
        """How many times one learner's microseconds, bytes or errors are those of another."""
        values = (float(self.learner(study, name, case)[column]) for name in (label, other))
        return number(next(values) / next(values))

    def of_best(self, study, label, case):
        """How many times the error of a learner is the smallest error of a case; infinite where a run diverged, and
        from a million times on."""
        rows = self.rows(study, "learners", diverged="0")
        case = self.case(study, case)
        errors = {row["label"]: float(row["average"]) for row in rows if row["case"] == case}
        times = errors.get(label, math.inf) / min(errors.values())
        return times if times < 1e6 else math.inf

    def at_worst(self, study, label):
        """The largest of these over the cases of a study where the learner is run."""
        cases = [row["case"] for row in self.rows(study, "learners", label=label)]
        times = max((self.of_best(study, label, case) for case in cases), default=None)
        return "-" if times is None else number(times) if times < math.inf else "diverges"

    def hours(self, study):
        """Hours of one processor that a study took."""
        return f"{self.origin_of(study)['processor_hours']:.1f}"

    def errors_over(self, study, label, parameter, case=""):
        """The errors for each value of a parameter, all others at their best."""
        rows = self.rows(study, "sensitivity", case, label=label, parameter=parameter)
        return {row["value"]: float(row["average"]) for row in rows}

    def spread(self, study, label, parameter, case="", up_to=math.inf):
        """The largest over the smallest of them, for values that are not larger than this."""
        errors = [e for value, e in self.errors_over(study, label, parameter, case).items() if float(value) <= up_to]
        return max(errors) / min(errors)

    def steady(self, study, label, parameter, at_most, case=""):
        ratio = self.spread(study, label, parameter, case)
        return Finding(f"{label}, over {parameter}: a factor of {number(ratio)}", ratio / at_most - 1)

    def sensitive(self, study, label, parameter, at_least, case=""):
        ratio = self.spread(study, label, parameter, case)
        return Finding(f"{label}, over {parameter}: a factor of {number(ratio)}", 1 - ratio / at_least)

    def steadier(self, study, label, other, parameter, case=""):
        """That the error of one learner changes less over the values of a parameter than that of another."""
        ratio, of_other = (self.spread(study, name, parameter, case) for name in (label, other))
        return Finding(f"{label} {number(ratio)}, {other} {number(of_other)}", ratio / of_other - 1)

    def untuned(self, study, label, parameter, other, at_most, case=""):
        """That a learner, at the worst value of a parameter, has at most so many times the error of another at its
        best setting. The first is over all seeds, the second over those that did not choose the setting."""
        worst = max(self.errors_over(study, label, parameter, case).values())
        best = float(self.row(study, "learners", case, label=other)["average"])
        words = f"{label} at its worst {parameter} {number(worst)}, {other} tuned {number(best)}"
        return Finding(words, worst / best / at_most - 1)

    def scaling(self, table, learner):
        """Microseconds a step and megabytes of a learner for each value of what a table of bench_scaling varies."""
        rows = read(self.folder.parent.parent / "bench" / "results" / "epyc_scaling.csv")
        rows = [row for row in rows if (row["table"], row["learner"]) == (table, learner)]
        columns = (", ".join(number(row[key]) for row in rows) for key in ("value", "us_per_step", "megabytes"))
        return "{} {}: {} µs, {} MB".format(table, *columns)

    def by_value(self, study, label, quarter, measure="relative"):
        """The error of a learner among a quarter of the states, of which the first is nearest to the value 0."""
        rows = read(self.folder / study / "by_value.csv")
        return next(float(row[measure]) for row in rows if (row["label"], row["quarter"]) == (label, str(quarter)))

    def growth(self, study, base, label, case=""):
        """How many times the error of a learner in one study is that in another, and half of the 95 % interval of its
        logarithm. Where the studies have seeds in common, the interval is wider than need be."""
        errors = self.row(study, "learners", case, label=label), self.row(base, "learners", label=label)
        means, half_widths = ([float(row["average" + by]) for row in errors] for by in ("", "_half_width"))
        return means[0] / means[1], math.hypot(*(half / mean for half, mean in zip(half_widths, means, strict=True)))

    def grows(self, study, base, label, at_least):
        """That the error of a learner in one study is at least so many times that in another."""
        times, half_width = self.growth(study, base, label)
        return Finding.negative(f"{label} {number(times)} times", math.log(at_least / times), half_width)

    def grows_less(self, study, base, label, other, case=""):
        """That the error of one learner grows by a smaller factor from one study to another, or shrinks by a larger."""
        (times, half_width), (of_other, other_half_width) = (
            self.growth(study, base, name, case) for name in (label, other)
        )
        words = f"{label} {number(times)} times, {other} {number(of_other)} times{f' ({case.strip()})' if case else ''}"
        return Finding.negative(words, math.log(times / of_other), math.hypot(half_width, other_half_width))

    def withstands(self, study, base, label, worst, others):
        """What noise does: one learner is below the others, all get worse, it by the smallest factor, and the error of
        the worst doubles."""
        return [
            *(self.below(study, label, other) for other in others),
            *(self.grows(study, base, name, 1) for name in (label, *others)),
            *(self.grows_less(study, base, label, other) for other in others),
            self.grows(study, base, worst, 2),
        ]

    @staticmethod
    def of(study, like):
        """A study by the metric of another: of("mountain_car", "energy/rmse") is mountain_car/rmse."""
        return study + like[like.index("/") :] if "/" in like else study

    def claim(self, name, statement, *findings):
        """A row of the table of claims; the verdict follows from the findings."""
        true = sum(finding.true for finding in findings)
        verdict = "holds" if true == len(findings) else "does not hold" if true == 0 else "holds partly"
        measured = "; ".join(findings)
        if len(findings) > 5:
            order = sorted(findings, key=lambda finding: -finding.excess)
            failed = [finding for finding in order if not finding.true]
            some = f"; not: {'; '.join(failed[:3])}" if failed else f"; the closest: {order[0]}"
            more = f"; and {len(failed) - 3} more" if len(failed) > 3 else ""
            measured = f"true of {true} of {len(findings)} comparisons{some}{more}"
        return f"| {name} | {statement} | {measured} | **{verdict}** |"

    def by_metric(self, name, statement, findings, study):
        """Rows of a claim for the relative error, which the text measures, and for RMSE, which the program does."""
        return "\n".join(
            (
                self.claim(name, statement, *findings(study)),
                self.claim(f"{name}, by RMSE", "the same", *findings(f"{study}/rmse")),
            )
        )

    def pending(self, claims):
        """Which claims wait for studies at paper scale."""
        waiting = [name for name, studies in claims.items() if not all(self.has(study) for study in studies)]
        if not waiting:
            return "Every study has been run at this scale."
        return f"Not yet run at this scale: {', '.join(waiting)}. Their studies are in [studies/](../studies)."
