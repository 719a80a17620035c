"""Figures of runs and studies with matplotlib."""

from __future__ import annotations

import math

_DASHES = {"": "solid", "6 3": (0, (6, 3)), "2 3": (0, (2, 3)), "8 3 2 3": (0, (8, 3, 2, 3))}


def _axes(ax):
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(6.4, 4.0), layout="constrained")[1]


def _log_suits(values) -> bool:
    """Whether values are better compared by factors."""
    known = [value for value in values if math.isfinite(value)]
    return bool(known) and min(known) > 0 and max(known) > 20 * min(known)


def _title(results, metric: str) -> str:
    return results.study["titles"][results.metrics.index(metric)]


def _finish(ax, x: str, y: str, title: str):
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.set_title(title, loc="left", fontsize="medium")
    ax.grid(True, which="major", linewidth=0.5, alpha=0.4)
    ax.spines[["top", "right"]].set_visible(False)
    if ax.get_legend_handles_labels()[0]:
        ax.legend(frameon=False, fontsize="small")
    return ax


def _note(ax, text: str) -> None:
    """What a figure does not show, below it."""
    ax.annotate(text, (0, -0.16), xycoords="axes fraction", fontsize="small", color="0.35", va="top")


def plot_run(run, metric: str, ax):
    """The learning curve of one run."""
    if metric not in run.metrics:
        raise ValueError(f"there is no metric '{metric}' (known: {', '.join(run.metrics)})")
    ax = _axes(ax)
    curve = run.curves[metric]
    (line,) = ax.plot(run.steps, curve["mean"], label=run.learner)
    low, high = curve["mean"] - curve["half_width"], curve["mean"] + curve["half_width"]
    ax.fill_between(run.steps, low, high, color=line.get_color(), alpha=0.2, linewidth=0)
    return _finish(ax, "steps", run.titles[metric], f"{run.learner} on {run.case['domain']}")


def plot_curves(results, metric: str, case: int, learners: list[str], ax):
    """Every learner at its best setting: error against steps."""
    ax = _axes(ax)
    index = results.metrics.index(metric)
    best = [row for row in results.ranked(metric, case, best=True) if row["label"] in learners]
    scores = [row["scores"][index][0] for row in best if math.isfinite(row["scores"][index][0])]
    ceiling = results._ceiling(results._index, case, index, scores)
    shown, left_out = [], []
    for row in best:
        steps, mean, half_width = results.curve(row["setting"], metric)
        look = results.study["learners"][row["label"]]
        if len(mean) == 0 or row["scores"][index][0] > ceiling:
            left_out.append(row["label"])
            continue
        ax.plot(steps, mean, color=look["colour"], linestyle=_DASHES[look["dash"]], label=_named(results, row))
        ax.fill_between(steps, mean - half_width, mean + half_width, color=look["colour"], alpha=0.15, linewidth=0)
        shown += list(mean)
    if _log_suits(shown):
        ax.set_yscale("log")
    if left_out:
        _note(ax, "Left out, diverged or far off: " + ", ".join(left_out))
    return _finish(ax, "steps", _title(results, metric), results.cases[case])


def _named(results, row) -> str:
    swept = [name for name in results.study["learners"][row["label"]]["swept"] if name in row["parameters"]]
    return row["label"] + (
        "" if not swept else ": " + ", ".join(f"{name} {_short(row['parameters'][name])}" for name in swept)
    )


def _short(value) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def plot_sensitivity(results, parameter: str, metric: str, case: int, learners: list[str], ax):
    """Every learner that sweeps the parameter: error over the whole curve against it, the best of the others."""
    ax = _axes(ax)
    index = results.metrics.index(metric)
    ranked = [row for row in results.ranked(metric, case) if row["label"] in learners]
    best_of_all: dict[str, dict] = {}
    for row in ranked:
        best_of_all.setdefault(row["label"], row)
    scores = [row["scores"][index][0] for row in best_of_all.values()]
    ceiling = results._ceiling(results._index, case, index, [score for score in scores if math.isfinite(score)])
    xs, ys, hidden = set(), [], False
    for label in learners:
        look = results.study["learners"][label]
        if parameter not in look["swept"]:
            continue
        best: dict = {}
        for row in ranked:
            if row["label"] == label:
                best.setdefault(row["parameters"][parameter], row)
        points = sorted((value, *row["scores"][index][:2]) for value, row in best.items())
        kept = [point for point in points if math.isfinite(point[1]) and point[1] <= ceiling]
        hidden |= len(kept) < len(points)
        if not kept:
            continue
        x, mean, half_width = zip(*kept, strict=True)
        style = {"color": look["colour"], "linestyle": _DASHES[look["dash"]], "label": label}
        half_width = [0 if math.isnan(one) else one for one in half_width]
        ax.errorbar(x, mean, yerr=half_width, marker="o", markersize=3.5, capsize=2, linewidth=1.2, **style)
        xs.update(point[0] for point in points)
        ys += mean
    numbers = sorted(x for x in xs if isinstance(x, int | float))
    if len(numbers) > 2 and numbers[0] > 0 and numbers[-1] > 20 * numbers[0]:
        ax.set_xscale("log")
    if _log_suits(ys):
        ax.set_yscale("log")
    if hidden:
        _note(ax, "Values that diverge or are far off are left out")
    return _finish(ax, parameter, _title(results, metric) + ", whole curve", results.cases[case])
