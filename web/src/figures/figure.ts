import * as Plot from "@observablehq/plot";
import type { Study } from "../data";

/// A point of a figure: a setting, or a step of its curve.
export interface Point {
  setting: number;
  x: number | string;
  xText: string; // with its name: "step 50", "alpha = 0.1"
  mean: number; // NaN: all runs diverged
  half: number;
}

/// What a figure shows of one learner.
export interface Series {
  learner: number;
  points: Point[];
  level?: boolean; // one point, drawn as a line across: the learner has no such parameter
  offScale?: boolean; // takes no part in the range of the y axis
}

export interface Panel {
  title: string;
  series: Series[];
  others?: Point[]; // cost: the settings that are not the best of their learner
  front?: Point[]; // cost
}

export interface Axis {
  label: string;
  type: "linear" | "log" | "point";
  domain: (number | string)[];
  ticks?: number[];
  format?: (x: number | string) => string;
}

/// All that is needed to draw a figure, and to tell it in numbers.
export interface FigureData {
  panels: Panel[];
  x: Axis;
  y: Axis;
  notes: string[];
}

/// "lambda = 0.9", "n0 = 1e6"
export function panelTitle(at: Record<string, string>): string {
  const titles = Object.entries(at).map(
    ([name, value]) => `${name} = ${value.replace(/^10{5,}$/, ({ length }) => `1e${length - 1}`)}`,
  );
  return titles[0] ?? "";
}

export type Drawn = SVGSVGElement & Plot.Plot;
export type Drawing = (study: Study, data: FigureData, panel: Panel, width: number, height: number) => Drawn;

const dashes = ["", "6 3", "2 3", "8 3 2 3"];

export const colourOf = (study: Study, learner: number) => `var(--series-${study.learners[learner].colour % 10})`;
export const dashOf = (study: Study, learner: number) => dashes[study.learners[learner].dash % dashes.length];

/// Marks of one learner carry its label, by which they are found, faded and tested.
export function ofSeries(label: string, part: string): { render: Plot.RenderFunction } {
  return {
    render(index, scales, values, dimensions, context, next) {
      const group = next!(index, scales, values, dimensions, context);
      group?.setAttribute("data-series", label);
      group?.setAttribute("data-part", part);
      return group;
    },
  };
}

type Scale = (value: number | string) => number;

/// Much of one learner as a single path, which is quicker to draw than many elements.
export function onePath(
  label: string,
  part: string,
  attributes: Record<string, string | number>,
  outline: (x: Scale, y: Scale) => string,
): Plot.RenderFunction {
  return (_, scales, __, ___, { document }) => {
    const [x, y] = [scales.x, scales.y] as unknown as [Scale, Scale];
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    const all = { "data-series": label, "data-part": part, d: outline(x, y), ...attributes };
    for (const [name, value] of Object.entries(all)) path.setAttribute(name, String(value));
    return path;
  };
}

/// Where a point is drawn, in pixels.
export interface Spot {
  point: Point;
  x: number;
  y: number;
}

/// The points that can be seen: those without an error are at the upper edge, those above it nowhere.
export function spotsOf(data: FigureData, panel: Panel, drawing: Drawn): Spot[] {
  const [x, y] = [drawing.scale("x")!.apply, drawing.scale("y")!.apply];
  const [low, high] = data.y.domain as [number, number];
  const edge = data.x.domain[data.x.domain.length - 1];
  const spot = (point: Point, level = false): Spot[] => {
    const mean = Number.isNaN(point.mean) ? high : point.mean;
    return mean >= low && mean <= high ? [{ point, x: x(level ? edge : point.x), y: y(mean) }] : [];
  };
  const series = panel.series.flatMap(({ points, level }) => points.flatMap((point) => spot(point, level)));
  return [...series, ...(panel.others ?? []).flatMap((point) => spot(point))];
}

export function plot(data: FigureData, width: number, height: number, marks: Plot.Markish[], marginRight = 14) {
  const { x, y } = data;
  const ticks = (axis: Axis) => ({
    ...(axis.ticks && { ticks: axis.ticks }),
    ...(axis.format && { text: axis.format }), // as a tickFormat, some of a logarithmic axis would stay empty
    tickSize: 4,
    label: null,
  });
  const drawing = Plot.plot({
    width,
    height,
    marginLeft: 52,
    marginRight,
    marginTop: 26,
    marginBottom: 42,
    style: { fontSize: "12px", fontFamily: "inherit", background: "none", overflow: "visible" },
    x: { type: x.type, domain: x.domain, ...(x.type === "point" && { padding: 0.1 }) },
    y: { type: y.type, domain: y.domain },
    marks: [
      Plot.gridY({ ...(y.ticks && { ticks: y.ticks }), stroke: "var(--line)", strokeOpacity: 1 }),
      Plot.axisX(ticks(x)),
      Plot.axisY(ticks(y)),
      Plot.text([x.label], { frameAnchor: "bottom", dy: 36, fontWeight: 500 }),
      Plot.text([y.label], { frameAnchor: "top-left", dx: -46, dy: -22, fontWeight: 500 }),
      ...marks,
    ],
  }) as Drawn;
  drawing.setAttribute("aria-hidden", "true"); // the tip and the table of numbers tell what it shows
  return drawing;
}
