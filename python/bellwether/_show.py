"""What was learned, as notebooks show it: a few lines and small curves."""

from __future__ import annotations

from html import escape

WIDTH, HEIGHT, MARGIN = 220, 110, 6
INK, BAND, FAINT = "#2456a6", "#2456a633", "#888"


class Plot:
    """A small figure of lines over two axes."""

    def __init__(self, title: str, xs: list[float], ys: list[float]):
        self.title = title
        self.x, self.y = _range(xs), _range(ys)
        self.parts: list[str] = []

    def _point(self, x: float, y: float) -> str:
        left, right = self.x
        low, high = self.y
        across = MARGIN + (x - left) / (right - left) * (WIDTH - 2 * MARGIN)
        return f"{across:.1f},{HEIGHT - MARGIN - (y - low) / (high - low) * (HEIGHT - 2 * MARGIN):.1f}"

    def line(self, xs: list[float], ys: list[float], colour: str = INK, dashed: bool = False) -> None:
        points = " ".join(self._point(x, y) for x, y in zip(xs, ys, strict=True))
        dash = ' stroke-dasharray="3 3"' if dashed else ""
        self.parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"{dash}/>')

    def band(self, xs: list[float], lows: list[float], highs: list[float]) -> None:
        there = [self._point(x, y) for x, y in zip(xs, highs, strict=True)]
        back = [self._point(x, y) for x, y in zip(reversed(xs), reversed(lows), strict=True)]
        self.parts.append(f'<polygon points="{" ".join(there + back)}" fill="{BAND}"/>')

    def dots(self, xs: list[float], ys: list[float]) -> None:
        for x, y in zip(xs, ys, strict=True):
            across, down = self._point(x, y).split(",")
            self.parts.append(f'<circle cx="{across}" cy="{down}" r="2.5" fill="{INK}"/>')

    def svg(self) -> str:
        ranges = f"{self.x[0]:.4g} to {self.x[1]:.4g}; {self.y[0]:.4g} to {self.y[1]:.4g}"
        return (
            f'<figure style="display:inline-block;margin:4px 12px 4px 0"><svg width="{WIDTH}" height="{HEIGHT}" '
            f'role="img" aria-label="{escape(self.title)}">'
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#ccc"/>'
            f'{"".join(self.parts)}</svg><figcaption style="font-size:85%">{escape(self.title)}<br>'
            f'<span style="color:{FAINT}">{ranges}</span></figcaption></figure>'
        )


def _range(values: list[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def value_curves(figures: dict, number: int) -> list[Plot]:
    """The values of one target over each variable, with their intervals."""
    plots = []
    for variable, values in zip(figures["variables"], figures["targets"][number]["values"], strict=False):
        known = [i for i, value in enumerate(values["value"]) if value is not None]
        if len(known) < 2:
            continue
        xs = [(variable["low"][i] + variable["high"][i]) / 2 for i in known]
        ys = [values["value"][i] for i in known]
        halves = [values["half_width"][i] or 0 for i in known]
        lows = [y - half for y, half in zip(ys, halves, strict=True)]
        highs = [y + half for y, half in zip(ys, halves, strict=True)]
        plot = Plot(f"value over {variable['name']}", xs, lows + highs)
        plot.band(xs, lows, highs)
        plot.line(xs, ys)
        plots.append(plot)
    return plots


def calibration(figures: dict, number: int) -> list[Plot]:
    """Predictions against the returns observed."""
    groups = figures["targets"][number]["returns"]["groups"]
    if len(groups) < 2:
        return []
    xs = [group["mean_value"] for group in groups]
    ys = [group["mean_return"] for group in groups]
    plot = Plot("returns observed over predictions", xs + ys, xs + ys)
    plot.line([min(xs + ys), max(xs + ys)], [min(xs + ys), max(xs + ys)], FAINT, dashed=True)
    plot.dots(xs, ys)
    return [plot]


def learning_curve(judgements: list[dict]) -> list[Plot]:
    """The TD error on steps to come."""
    if len(judgements) < 2:
        return []
    xs = [float(judgement["after"]) for judgement in judgements]
    ys = [judgement["td_error"] for judgement in judgements]
    plot = Plot("TD error over steps", xs, [0.0, *ys])
    plot.line(xs, ys)
    return [plot]


def html_of(learned) -> str:
    """The answers, the warnings, the curves, and what the program prints."""
    parts = []
    figures = learned.figures
    for number, target in enumerate(learned.targets):
        answer = "none" if target.value is None else f"{target.value:.6g}"
        if target.low is not None:
            answer += f" (95 % interval: {target.low:.4g} to {target.high:.4g})"
        why = f"<br>as {escape(target.no_value)}" if target.no_value else ""
        parts.append(f"<p>{escape(target.question)}<br><b>{answer}</b>{why}</p>")
        plots = learning_curve(target.judgements)
        if figures:
            plots = value_curves(figures, number)[:6] + calibration(figures, number) + plots
        parts.append("".join(plot.svg() for plot in plots))
    if learned.warnings:
        parts.append("<ul>" + "".join(f"<li>warning: {escape(text)}</li>" for text in learned.warnings) + "</ul>")
    parts.append(f"<details><summary>All that was found</summary><pre>{escape(str(learned))}</pre></details>")
    return "<div>" + "".join(parts) + "</div>"
