import * as Plot from "@observablehq/plot";
import type { Study } from "../data";

/// A point of a figure: a setting, or one step of its curve.
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
  level?: boolean; // one point, drawn as a level line, because the learner does not sweep the parameter
  offScale?: boolean; // does not count for the range of the y axis
}

export interface Panel {
  title: string;
  series: Series[];
  others?: Point[]; // cost: the settings that are not the best of their learner
  front?: Point[]; // cost
  frontRises?: boolean; // because larger values of the metric are better
}

export interface Axis {
  label: string;
  type: "linear" | "log" | "point";
  domain: (number | string)[];
  ticks?: number[];
  format?: (x: number | string) => string;
}

/// All that is needed to draw a figure and to list its numbers.
export interface FigureData {
  panels: Panel[];
  x: Axis;
  y: Axis;
  notes: string[];
}

export type Drawn = SVGSVGElement & Plot.Plot;
export type Drawing = (study: Study, data: FigureData, panel: Panel, width: number, height: number) => Drawn;

export const colourOf = (study: Study, learner: number) => `var(--series-${study.learners[learner].colour})`;
export const dashOf = (study: Study, learner: number) => study.learners[learner].dash;

/// Marks of a learner carry its label, so that the page can fade them and tests can find them.
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

/// Many marks of one learner as a single path, which is faster to draw than many elements.
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

/// A point and where it is drawn, in pixels.
export interface Spot {
  point: Point;
  x: number;
  y: number;
}

/// The points that can be seen. Those without an error are at the upper edge; those above it are left out.
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

export function plot(
  data: Pick<FigureData, "x" | "y">,
  width: number,
  height: number,
  marks: Plot.Markish[],
  marginRight = 14,
) {
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
