/// The drawings of the page of what was learned.
import * as Plot from "@observablehq/plot";
import { errorAxis, extent, numberAxis } from "../figures/axes";
import { type Axis, type Drawn, ofSeries, plot } from "../figures/figure";
import { endLabels, widthOf } from "../figures/labels";
import { count, short, withHalfWidth } from "../numbers";
import type { Judgement, PredictedReturns, Target, ValuePoint, Variable } from "./data";

export const colours = {
  value: "var(--series-2)",
  error: "var(--series-3)",
  projected: "var(--series-4)",
  returns: "var(--series-5)",
};

type XY = { x: number; y: number };

const svg = "http://www.w3.org/2000/svg";
const heightOf = (width: number) => Math.round(Math.min(Math.max(width * 0.66, 220), 360));
const tipStyle = { fill: "var(--paper)", stroke: "var(--edge)", fontSize: 12, lineHeight: 1.3 } as const;

/// An axis over these numbers, with some room at its ends.
function roomyAxis(label: string, numbers: number[], wanted?: number): Axis {
  const [low, high] = extent(numbers.filter(Number.isFinite)) ?? [0, 1];
  const room = (high - low || Math.abs(high) || 1) * 0.05;
  return numberAxis(label, "linear", [low - room, high + room], wanted);
}

/// The ends of intervals; one that is far wider than the values differ does not squash the others.
function endsOf(points: { value: number; half: number }[]): number[] {
  const known = points.filter(({ value }) => Number.isFinite(value));
  const [low, high] = extent(known.map(({ value }) => value)) ?? [0, 1];
  const usual =
    known.map(({ half }) => (Number.isFinite(half) ? half : 0)).sort((a, b) => a - b)[known.length >> 1] ?? 0;
  const most = Math.max(high - low, 3 * usual);
  return known.flatMap(({ value, half }) => {
    const shown = Number.isFinite(half) ? half : 0;
    return [Math.max(value - shown, low - most), Math.min(value + shown, high + most)];
  });
}

/// An axis for steps, with labels that have enough room.
function stepsAxis(points: XY[], width: number): Axis {
  const [from, to] = extent(points.map(({ x }) => x)) ?? [1, 10];
  const axis = numberAxis("steps learned from", "log", [from / 1.15, to * 1.15]);
  const apart = (Math.log(to / from) + 0.28) * (45 / Math.max(width - 130, 45));
  const kept: number[] = [];
  for (const tick of axis.ticks!) {
    if (kept.length === 0 || Math.log(tick / kept[kept.length - 1]) >= apart) kept.push(tick);
  }
  return { ...axis, ticks: kept };
}

/// One picture below another, as one; the second begins in the margin of the first.
function stacked(upper: SVGSVGElement, lower: SVGSVGElement, overlap: number): Drawn {
  const whole = document.createElementNS(svg, "svg");
  const y = Number(upper.getAttribute("height")) - overlap;
  lower.setAttribute("y", String(y));
  whole.append(upper, lower);
  whole.setAttribute("width", upper.getAttribute("width")!);
  whole.setAttribute("height", String(y + Number(lower.getAttribute("height"))));
  whole.setAttribute("aria-hidden", "true");
  whole.style.overflow = "visible";
  return whole as unknown as Drawn;
}

export const binText = ({ low, high }: ValuePoint) => (low === high ? short(low) : `${short(low)} to ${short(high)}`);

/// Values over a variable with their band, above a histogram of the states that were visited.
export function drawValues(variable: Variable, points: ValuePoint[], label: string, width: number): Drawn {
  const [first, last] = [points[0], points[points.length - 1]];
  const margin = variable.whole ? 0.5 : (last.high - first.low) * 0.01 || 0.5;
  const x = numberAxis("", "linear", [first.low - margin, last.high + margin], Math.max(3, Math.floor(width / 75)));
  if (variable.whole) x.ticks = x.ticks!.filter(Number.isInteger);
  const y = roomyAxis(label, endsOf(points), 5);
  const banded = points.map((point) => ({ ...point, bottom: point.value - point.half, top: point.value + point.half }));
  const upper = plot({ x: { ...x, format: () => "" }, y }, width, heightOf(width) - 20, [
    Plot.frame({ stroke: "none", fill: "transparent" }), // where the pointer is followed, as the picture is inside another
    Plot.areaY(banded, {
      x: "x",
      y1: "bottom",
      y2: "top",
      fill: colours.value,
      fillOpacity: 0.18,
      clip: true,
      ...ofSeries(variable.name, "band"),
    }),
    Plot.ruleX(banded, {
      x: "x",
      y1: "bottom",
      y2: "top",
      stroke: colours.value,
      strokeOpacity: 0.45,
      clip: true,
    }),
    Plot.line(points, {
      x: "x",
      y: "value",
      stroke: colours.value,
      strokeWidth: 1.75,
      ...ofSeries(variable.name, "line"),
    }),
    Plot.dot(points, { x: "x", y: "value", r: 2.2, fill: colours.value, ...ofSeries(variable.name, "points") }),
    Plot.tip(
      points.filter(({ value }) => Number.isFinite(value)),
      Plot.pointerX({
        x: "x",
        y: "value",
        title: (point: ValuePoint) =>
          `${variable.name}: ${binText(point)}\nvalue ${withHalfWidth(point.value, point.half)}\n${short(point.share)} % of the states`,
        ...tipStyle,
      }),
    ),
  ]);
  const highest = Math.max(...points.map(({ share }) => share)) || 1;
  const lower = Plot.plot({
    width,
    height: 96,
    marginLeft: 52,
    marginRight: 14,
    marginTop: 14,
    marginBottom: 40,
    style: { fontSize: "12px", fontFamily: "inherit", background: "none", overflow: "visible" },
    x: { domain: x.domain as number[] },
    y: { domain: [0, highest] },
    marks: [
      Plot.rectY(points, {
        x1: ({ low, high }: ValuePoint) => (low === high ? low - 0.4 : low),
        x2: ({ low, high }: ValuePoint) => (low === high ? high + 0.4 : high),
        y: "share",
        fill: "var(--soft)",
        fillOpacity: 0.55,
        insetLeft: 0.5,
        insetRight: 0.5,
        ...ofSeries(variable.name, "support"),
      }),
      Plot.ruleY([0], { stroke: "var(--line)" }),
      Plot.axisX({ ticks: x.ticks!, text: x.format!, tickSize: 4, label: null }),
      Plot.axisY({ ticks: [highest], text: (share: number) => `${short(share, 2)} %`, tickSize: 0, label: null }),
      Plot.text(["states visited"], { frameAnchor: "top-left", dy: -12, fill: "var(--soft)", fontSize: 11 }),
      Plot.text([variable.name], { frameAnchor: "bottom", dy: 36, fontWeight: 500 }),
    ],
  });
  return stacked(upper, lower as SVGSVGElement, 32);
}

/// The value of the policy as it was known after fewer steps, and the answer with its interval.
export function drawPolicy(target: Target, label: string, width: number): Drawn {
  const half = target.half_width ?? NaN;
  const points: XY[] = target.judgements.flatMap(({ after, value_of_policy: y }) =>
    y == null ? [] : [{ x: after, y }],
  );
  points.push({ x: target.steps, y: target.value! });
  const interval = Number.isFinite(half) ? [target.value! - half, target.value! + half] : [];
  const axes = {
    x: stepsAxis(points, width),
    y: roomyAxis(label, [...points.map(({ y }) => y), ...interval]),
  };
  return plot(axes, width, heightOf(width), [
    ...(interval.length > 0
      ? [
          Plot.rect([interval], {
            x1: axes.x.domain[0],
            x2: axes.x.domain[1],
            y1: ([low]) => low,
            y2: ([, high]) => high,
            fill: colours.value,
            fillOpacity: 0.15,
            ...ofSeries("policy", "band"),
          }),
        ]
      : []),
    Plot.line(points, { x: "x", y: "y", stroke: colours.value, strokeWidth: 1.75, ...ofSeries("policy", "line") }),
    Plot.dot(points, { x: "x", y: "y", r: 3, fill: colours.value }),
    Plot.tip(
      points,
      Plot.pointerX({
        x: "x",
        y: "y",
        title: ({ x, y }: XY) => `after ${count(x)} steps: ${short(y, 4)}`,
        ...tipStyle,
      }),
    ),
  ]);
}

export const errorSeries: { label: string; colour: string; of: (judgement: Judgement) => number }[] = [
  { label: "TD error", colour: colours.error, of: ({ td_error }) => td_error ?? NaN },
  { label: "projected", colour: colours.projected, of: (one) => one.projected_bellman_error ?? NaN },
  { label: "returns", colour: colours.returns, of: ({ return_error }) => return_error ?? NaN },
];

/// Errors on steps that had not been learned from, over the steps learned from.
export function drawErrors(judgements: Judgement[], width: number): Drawn {
  const lines = errorSeries
    .map(({ label, colour, of }) => ({
      label,
      colour,
      points: judgements.map((one): XY => ({ x: one.after, y: of(one) })).filter(({ y }) => y > 0),
    }))
    .filter(({ points }) => points.length > 0);
  const all = lines.flatMap(({ points }) => points);
  const axes = {
    x: stepsAxis(all, width),
    y: errorAxis(
      "root mean square",
      "log",
      all.map(({ y }) => y),
    ),
  };
  const ends = lines.map(({ label: text, colour, points }) => ({ text, colour, ...points[points.length - 1] }));
  return plot(
    axes,
    width,
    heightOf(width),
    [
      ...lines.flatMap(({ label, colour, points }) => [
        Plot.line(points, { x: "x", y: "y", stroke: colour, strokeWidth: 1.75, ...ofSeries(label, "line") }),
        Plot.dot(points, { x: "x", y: "y", r: 2.5, fill: colour, ...ofSeries(label, "points") }),
      ]),
      endLabels(ends),
      Plot.tip(
        lines.flatMap(({ label, points }) => points.map((point) => ({ label, ...point }))),
        Plot.pointer({
          x: "x",
          y: "y",
          title: ({ label, x, y }: XY & { label: string }) => `${label} after ${count(x)} steps: ${short(y)}`,
          ...tipStyle,
        }),
      ),
    ],
    22 + Math.max(0, ...ends.map(({ text }) => widthOf(text))),
  );
}

const diagonal = (axis: Axis) =>
  Plot.line(
    [axis.domain, axis.domain].map((domain, end) => ({ x: domain[end], y: domain[end] })),
    {
      x: "x",
      y: "y",
      stroke: "var(--soft)",
      strokeDasharray: "4 4",
      ...ofSeries("diagonal", "line"),
    },
  );

/// Mean returns of states with similar predictions, with their intervals; on the diagonal if values are right.
export function drawCalibration({ groups }: PredictedReturns, width: number): Drawn {
  const points = groups.map(({ mean_value: x, mean_return: value, half_width, steps, episodes }) => {
    const half = half_width ?? NaN;
    return { x, value, half, low: value - half, high: value + half, steps, episodes };
  });
  const numbers = [...endsOf(points), ...points.map(({ x }) => x)];
  const axes = { x: roomyAxis("value predicted", numbers, 5), y: roomyAxis("mean return observed", numbers, 5) };
  return plot(axes, width, heightOf(width), [
    diagonal(axes.x),
    Plot.ruleX(points, { x: "x", y1: "low", y2: "high", stroke: colours.value, strokeWidth: 1.5, clip: true }),
    Plot.dot(points, { x: "x", y: "value", r: 4, fill: colours.value, ...ofSeries("groups", "points") }),
    Plot.tip(
      points,
      Plot.pointer({
        x: "x",
        y: "value",
        title: (one: (typeof points)[0]) =>
          `predicted ${short(one.x)}\nobserved ${withHalfWidth(one.value, one.half)}\n${count(one.steps)} steps of ${count(one.episodes)} episodes`,
        ...tipStyle,
      }),
    ),
  ]);
}

/// Single returns against their predictions.
export function drawReturns({ sample }: PredictedReturns, width: number): Drawn {
  const points = sample.map(([x, y]) => ({ x, y }));
  const axes = {
    x: roomyAxis(
      "value predicted",
      points.map(({ x }) => x),
      5,
    ),
    y: roomyAxis(
      "return observed",
      points.map(({ y }) => y),
      5,
    ),
  };
  const [low, high] = axes.x.domain as [number, number];
  return plot(axes, width, heightOf(width), [
    Plot.dot(points, {
      x: "x",
      y: "y",
      r: 2.2,
      fill: colours.value,
      fillOpacity: 0.45,
      ...ofSeries("returns", "points"),
    }),
    Plot.line(
      [low, high].map((end) => ({ x: end, y: end })),
      {
        x: "x",
        y: "y",
        stroke: "var(--soft)",
        strokeDasharray: "4 4",
        clip: true,
        ...ofSeries("diagonal", "line"),
      },
    ),
    Plot.tip(
      points,
      Plot.pointer({
        x: "x",
        y: "y",
        title: ({ x, y }: XY) => `predicted ${short(x)}, observed ${short(y)}`,
        ...tipStyle,
      }),
    ),
  ]);
}
