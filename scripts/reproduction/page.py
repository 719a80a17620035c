"""Writes a page whose numbers all come from the summaries beside its text: python3 page.py TEXT PAGE [--check]

In the text, {{ expression }} stands for what a method of `Summaries` returns. With --check nothing is written, and the
exit code is 1 if the page is not what the text and the summaries make of it.
"""

import csv
import json
import pathlib
import re
import sys


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
    """A statement about numbers, in words; true unless there is an excess by which it misses what it says."""

    def __new__(cls, words, excess):
        made = super().__new__(cls, words)
        made.excess, made.true = excess, excess <= 0
        return made


class Summaries:
    """The summaries of all studies, as collect.py writes them; `case` is a part of a case's name: redraw=step."""

    def __init__(self, folder):
        self.folder = folder

    def rows(self, study, table, case="", **columns):
        rows = [row for row in read(self.folder / study / f"{table}.csv") if case in row["case"]]
        return [row for row in rows if all(row[key] == value for key, value in columns.items())]

    def row(self, study, table, case="", **columns):
        rows = self.rows(study, table, case, **columns)
        if len(rows) != 1:
            raise SystemExit(f"{study}/{table}.csv: {len(rows)} rows for {columns}, case '{case}'; one is expected")
        return rows[0]

    def error(self, study, label, case="", by="average"):
        """The error of a learner with its 95 % interval; `by` is average (over the curve) or last."""
        row = self.row(study, "learners", case, label=label)
        return f"{number(row[by])} ± {number(row[by + '_half_width'])}"

    def below(self, study, label, other, case="", by="average"):
        """That one learner has the smaller error, on the same seeds."""
        pair = self.row(study, "pairs", case, label=label, reference=other)
        difference, half_width = float(pair[by + "_difference"]), float(pair[by + "_difference_half_width"])
        return Finding(f"{label} minus {other}: {number(difference)} ± {number(half_width)}", difference + half_width)

    def spread(self, study, label, parameter, case=""):
        """The largest over the smallest error over the values of a parameter, all others at their best."""
        rows = self.rows(study, "sensitivity", case, label=label, parameter=parameter)
        errors = [float(row["average"]) for row in rows]
        return max(errors) / min(errors)

    def steady(self, study, label, parameter, at_most, case=""):
        ratio = self.spread(study, label, parameter, case)
        return Finding(f"{label}, over {parameter}: a factor of {number(ratio)}", ratio - at_most)

    def sensitive(self, study, label, parameter, at_least, case=""):
        ratio = self.spread(study, label, parameter, case)
        return Finding(f"{label}, over {parameter}: a factor of {number(ratio)}", at_least - ratio)

    def steadier(self, study, label, other, parameter, case=""):
        """That the error of one learner changes less over the values of a parameter than that of another."""
        ratio, of_other = (self.spread(study, name, parameter, case) for name in (label, other))
        return Finding(f"{label} {number(ratio)}, {other} {number(of_other)}", ratio - of_other)

    def claim(self, name, statement, *findings):
        """A row of the table of claims; the verdict follows from the findings."""
        true = sum(finding.true for finding in findings)
        verdict = "holds" if true == len(findings) else "does not hold" if true == 0 else "holds partly"
        measured = "; ".join(findings)
        if len(findings) > 5:
            closest = max(findings, key=lambda finding: finding.excess)
            measured = f"true of {true} of {len(findings)} comparisons; the closest: {closest}"
        return f"| {name} | {statement} | {measured} | **{verdict}** |"

    def table(self, study, case=""):
        lines = ["| learner | error over the curve | at the end | setting | diverged | µs a step |", "| --- " * 6 + "|"]
        for row in self.rows(study, "learners", case):
            errors = (f"{number(row[by])} ± {number(row[by + '_half_width'])}" for by in ("average", "last"))
            swept = {entry["parameter"] for entry in self.rows(study, "sensitivity", case, label=row["label"])}
            chosen = (setting.split("=", 1) for setting in row["parameters"].split())
            setting = ", ".join(f"{name} {number(value)}" for name, value in chosen if name in swept)
            cells = (row["label"], *errors, setting, f"{row['diverged']} of {row['runs']}", number(row["microseconds"]))
            lines.append("| " + " | ".join(cells) + " |")
        return "\n".join(lines)

    def case(self, study, part):
        """The case of this name, or the only one whose name has this part."""
        cases = dict.fromkeys(row["case"] for row in self.rows(study, "learners", part))
        if part in cases or len(cases) == 1:
            return part if part in cases else next(iter(cases))
        raise SystemExit(f"{study}/learners.csv: {len(cases)} cases have '{part}' in their names; one is expected")

    def beside(self, study, label, linear, problems):
        """A table of one learner beside the best of all others and the best of the linear ones: a row for each problem,
        ratios of errors with the intervals of paired differences."""
        titles = (
            f"problem | {label} | best other | {label} over it | at the end | best linear | {label} over it | µs | kB"
        )
        rows = (self._beside(study, label, linear, name, self.case(study, part)) for name, part in problems.items())
        return "\n".join([f"| {titles} |", "| --- " * 9 + "|", *rows])

    def _beside(self, study, label, linear, name, case):
        rows = {row["label"]: row for row in self.rows(study, "learners", case) if row["case"] == case}
        pairs = {row["reference"]: row for row in self.rows(study, "pairs", case, label=label) if row["case"] == case}
        mine = rows.pop(label)

        def best(by, among):
            return min(among, key=lambda other: float(rows[other][by]))

        def times(other, by):
            if not 0 < float(pairs[other][by + "_ratio"] or 0) < 1000:
                return "> 1000"
            half_width = float(pairs[other][by + "_difference_half_width"]) / float(rows[other][by])
            return f"{float(pairs[other][by + '_ratio']):.2f} ± {half_width:.2f}"

        over, end = best("average", rows), best("last", rows)
        slow = best("average", [other for other in rows if other in linear])
        cells = (
            name,
            f"{number(mine['average'])} ± {number(mine['average_half_width'])}",
            f"{over} {number(rows[over]['average'])}",
            times(over, "average"),
            f"{times(end, 'last')} ({end})",
            f"{slow} {number(rows[slow]['average'])}",
            times(slow, "average"),
            f"{number(mine['microseconds'])}; {number(rows[over]['microseconds'])}",
            f"{float(mine['bytes']) / 1000:.0f}; {float(rows[over]['bytes']) / 1000:.0f}",
        )
        return "| " + " | ".join(cells) + " |"

    def figures(self, study, name="*"):
        paths = sorted((self.folder / study).glob(f"{name}.svg"))
        return "\n\n".join(f"![{path.stem}]({self.folder.name}/{study}/{path.name})" for path in paths)

    def origin(self, study):
        told = json.loads((self.folder / study / "origin.json").read_text())
        return (
            f"`{told['command']}`, version {told['version']}, {told['machine']}, {told['created'][:10]}: "
            f"{told['seeds']} seeds, {told['processor_hours']} processor hours, digest `{told['digest']}`."
        )


def rendered(text, summaries):
    names = {name: getattr(summaries, name) for name in dir(summaries) if not name.startswith("_")}
    names["number"] = number
    return re.sub(r"\{\{(.+?)\}\}", lambda found: str(eval(found[1].strip(), names)), text, flags=re.DOTALL)


def main(source, page, *options):
    source, page = pathlib.Path(source), pathlib.Path(page)
    made = rendered(source.read_text(), Summaries(source.parent))
    if "--check" not in options:
        page.write_text(made)
    elif page.read_text() != made:
        raise SystemExit(f"{page} is not what {source} and its summaries make of it: run `make reproduction`")


if __name__ == "__main__":
    main(*sys.argv[1:])
