"""Writes a page whose numbers all come from the summaries beside its text: python3 page.py TEXT PAGE [--check]

In the text, {{ expression }} stands for what a method of `Page` returns, and lines between {{ if has("study") }} and
{{ end }} are there once that study has been run. With --check nothing is written, and the exit code is 1 if the page is
not what the text and the summaries make of it.
"""

import math
import pathlib
import re
import sys

from summaries import Summaries, number, read


class Page(Summaries):
    """What a page shows of the summaries."""

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

    def variants(self, study, reference, *changes):
        """A table of what changes of a learner make of its errors, the relative one and RMSE, beside a reference on the
        same seeds. A change is its words and a label, and the parameter of which each value is compared, if any."""
        titles = ("", "relative error", f"minus {reference}", "RMSE", f"minus {reference}", "µs a step")
        lines = [f"| {' | '.join(titles)} |", "| --- " * len(titles) + "|"]
        for words, *change in changes:
            for value, name in self._values(study, *change).items():
                relative, rmse = (self._beside_reference(by, name, reference) for by in (study, f"{study}/rmse"))
                time = number(self.learner(study, name)["microseconds"])
                cells = (f"{words} {value}".strip(), *relative, *rmse, time)
                lines.append("| " + " | ".join(cells) + " |")
        return "\n".join(lines)

    def _values(self, study, label, parameter=None):
        """The names of a learner for each value of a parameter, in order, or its own."""
        if parameter is None:
            return {"": label}
        prefix = f"{label}, {parameter}="
        names = (row["label"] for row in self.rows(study, "values") if row["label"].startswith(prefix))
        found = {float(name.removeprefix(prefix)): name for name in names}
        return {number(value): found[value] for value in sorted(found)}

    def _beside_reference(self, study, name, reference):
        row = self.learner(study, name)
        if row["diverged"] != "0":
            return f"{row['diverged']} of {row['runs']} diverged", ""
        if name == reference:
            return self.error(study, name), ""
        return self.error(study, name), self.difference(study, name, reference)

    def differences(self, study, cases, pairs):
        """A table of differences between two learners: a row for each case, a column for each pair."""
        titles = ("", *(f"{label} minus {other}" for label, other in pairs))
        lines = [f"| {' | '.join(titles)} |", "| --- " * len(titles) + "|"]
        for name, case in cases.items():
            found = (self.difference(study, *pair, case) for pair in pairs)
            lines.append("| " + " | ".join((name, *found)) + " |")
        return "\n".join(lines)

    def quarters(self, study):
        """A table of errors in four groups of states by their values, as by_value.py finds them."""
        rows = read(self.folder / study / "by_value.csv")
        groups = {row["quarter"]: f"{row['from']} to {row['to']}" for row in rows}
        lines = [f"| values | {' | '.join(groups.values())} |", "| --- " * (len(groups) + 1) + "|"]
        for label in dict.fromkeys(row["label"] for row in rows):
            pairs = [(self.by_value(study, label, k), self.by_value(study, label, k, "rmse")) for k in groups]
            lines.append(f"| {label} | " + " | ".join(f"{number(a)}; {number(b)}" for a, b in pairs) + " |")
        return "\n".join(lines)

    def every_learner(self, study, problems, costs_of):
        """A table of all learners on all problems: errors over the curve, tuned and at the default, the smallest of a
        problem in bold, how many times the smallest they are at worst, and costs on one of the problems."""
        cases = {name: self.case(study, part) for name, part in problems.items()}
        found = {(row["case"], row["label"]): row for row in self.rows(study, "learners")}

        def error(label, case):
            if (case, label) not in found:
                return "-"
            times = self.of_best(study, label, case)
            shown = number(found[case, label]["average"]) if times < math.inf else "diverges"
            return f"**{shown}**" if times == 1 else shown

        def line(name):
            labels = (name, f"{name}, default")
            errors = ("; ".join(error(label, case) for label in labels) for case in cases.values())
            worst = "; ".join(self.at_worst(study, label) for label in labels)
            cost = next(found[cases[costs_of], label] for label in labels if (cases[costs_of], label) in found)
            cells = (f"`{name}`", *errors, worst, number(cost["microseconds"]), f"{float(cost['bytes']) / 1000:.0f}")
            return f"| {' | '.join(cells)} |"

        names = sorted({label.removesuffix(", default") for _, label in found})
        titles = ("learner", *cases, "at worst", "µs", "kB")
        return "\n".join([f"| {' | '.join(titles)} |", "| --- " * len(titles) + "|", *map(line, names)])

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
        told = self.origin_of(study)
        return (
            f"`{told['command']}`, version {told['version']}, {told['machine']}, {told['created'][:10]}: "
            f"{told['seeds']} seeds, {told['processor_hours']} processor hours, digest `{told['digest']}`."
        )


def rendered(text, page):
    names = {name: getattr(page, name) for name in dir(page) if not name.startswith("_")}
    names["number"] = number
    part = r"\{\{ if (.+?) \}\}\n(.*?)\{\{ end \}\}\n"
    text = re.sub(part, lambda found: found[2] if eval(found[1], names) else "", text, flags=re.DOTALL)
    return re.sub(r"\{\{(.+?)\}\}", lambda found: str(eval(found[1].strip(), names)), text, flags=re.DOTALL)


def main(source, page, *options):
    source, page = pathlib.Path(source), pathlib.Path(page)
    made = rendered(source.read_text(), Page(source.parent))
    if "--check" not in options:
        page.write_text(made)
    elif page.read_text() != made:
        raise SystemExit(f"{page} is not what {source} and its summaries make of it: run `make reproduction`")


if __name__ == "__main__":
    main(*sys.argv[1:])
