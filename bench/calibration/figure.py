"""Draws coverage as a dot plot: python figure.py CALIBRATION.csv GYMNASIUM.csv FIGURE.svg

A row for each problem, a dot for each kind of interval; the band is what is aimed at, 93 to 97 % for 95 %.
"""

import csv
import sys

LEFT, WIDTH, ROW, TOP = 330, 420, 20, 46
LOW, HIGH = 0.4, 1.0
COLOURS = {"policy": "#1b6ca8", "single states": "#e08214", "PDIS, bootstrap": "#999999"}
STYLE = """
text { font: 12px sans-serif; fill: #222; }
.head { font-weight: bold; }
line { stroke: #ccc; }
.band { fill: #1b6ca8; opacity: 0.12; }
@media (prefers-color-scheme: dark) { text { fill: #ddd; } line { stroke: #555; } .paper { fill: #161616; } }
.paper { fill: #fff; }
@media (prefers-color-scheme: dark) { .paper { fill: #161616; } }
"""


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def x(share):
    return LEFT + WIDTH * (max(share, LOW) - LOW) / (HIGH - LOW)


def main(calibration, gymnasium, figure):
    rows = []
    for row in read(calibration):
        name = row["problem"] + ("" if "episodes" in row["problem"] else f", {row['episodes']} episodes")
        shares = (row["start_coverage"], row["state_coverage"], row["pdis_coverage"])
        rows.append((name, dict(zip(COLOURS, map(float, shares), strict=True))))
    for row in read(gymnasium):
        rows.append((f"{row['environment']}, {row['policy']}", {"policy": float(row["coverage"])}))
    height = TOP + ROW * len(rows) + 26
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 20} {height}" role="img">',
        "<title>Share of logs whose 95 % interval contains the truth</title>",
        f"<style>{STYLE}</style>",
        '<rect class="paper" width="100%" height="100%"/>',
        f'<rect class="band" x="{x(0.93)}" y="{TOP - 8}" width="{x(0.97) - x(0.93)}" height="{ROW * len(rows) + 8}"/>',
    ]
    for i, (name, colour) in enumerate(COLOURS.items()):
        out.append(f'<circle cx="{LEFT + 140 * i + 6}" cy="14" r="5" fill="{colour}"/>')
        out.append(f'<text x="{LEFT + 140 * i + 16}" y="18">{name}</text>')
    for tick in (0.4, 0.6, 0.8, 0.95):
        out.append(f'<line x1="{x(tick)}" x2="{x(tick)}" y1="{TOP - 8}" y2="{TOP + ROW * len(rows)}"/>')
        out.append(f'<text x="{x(tick)}" y="{height - 8}" text-anchor="middle">{100 * tick:.0f} %</text>')
    for i, (name, shares) in enumerate(rows):
        y = TOP + ROW * i + ROW / 2
        out.append(f'<text x="{LEFT - 12}" y="{y + 4}" text-anchor="end">{name}</text>')
        for kind in reversed(list(shares)):
            out.append(
                f'<circle cx="{x(shares[kind]):.1f}" cy="{y}" r="5" fill="{COLOURS[kind]}">'
                f"<title>{name}: {kind} {100 * shares[kind]:.1f} %</title></circle>"
            )
    out.append("</svg>\n")
    with open(figure, "w") as file:
        file.write("\n".join(out))


if __name__ == "__main__":
    main(*sys.argv[1:])
