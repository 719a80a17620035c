import * as Plot from "@observablehq/plot";
import { type Study, parameterNamed, parameterNames, rankOfValue } from "../data";
import { some } from "../numbers";
import { bestOfValues, halfWidthOf, highestError, isKnown, meanOf, panelsOf, parameterOf, rankingOf } from "../ranking";
import { type View, criterionOf, shownLearners } from "../view";
import { errorAxis, valueAxis } from "./axes";
import type { Axis, Drawing, FigureData, Point, Series } from "./figure";
import { colourOf, dashOf, ofSeries, onePath, plot } from "./figure";
import { symbolOf } from "./symbols";

export const metricTitle = (study: Study, view: View) =>
  study.metrics.find(({ name }) => name === view.metric)?.title ?? "";

export const errorLabel = (study: Study, view: View) =>
  `${metricTitle(study, view)}, ${view.by === "last" ? "at the end" : "whole curve"}`;

/// The parameters that are neither on the x axis nor told apart by panels: their best values are taken, or those asked for.
export function otherParameters(study: Study, view: View): string[] {
  const x = study.learners.map((_, learner) => parameterOf(study, learner, view["sensitivity.x"]));
  const isOther = (name: string) => study.learners.some(({ swept }, i) => swept.includes(name) && x[i] !== name);
  return parameterNames(study).filter((name) => name !== view["sensitivity.panels"] && isOther(name));
}

/// Error against a parameter, with the best values of all others or those asked for.
export function sensitivityData(study: Study, view: View): FigureData {
  const criterion = criterionOf(view, study);
  const ranking = rankingOf(study, criterion);
  const parameter = view["sensitivity.x"];
  const shown = shownLearners(view, study);
  const others = otherParameters(study, view);
  const asked = Object.fromEntries(Object.entries(view.at).filter(([name]) => others.includes(name)));

  const x = parameter === "own" ? ownAxis(study, shown) : valueAxis(parameterNamed(study, parameter));
  const every = bestOfValues(study, ranking, parameter, {});
  const panels = panelsOf(study, view["sensitivity.panels"]).map(({ title, at }) => {
    const best = bestOfValues(study, ranking, parameter, { ...asked, ...at });
    const series = shown.flatMap((learner): Series[] => {
      const name = parameterOf(study, learner, parameter);
      const compare = (a: string, b: string) =>
        name === null ? 0 : rankOfValue(study, name, a) - rankOfValue(study, name, b);
      const values = [...(every.get(learner)?.keys() ?? [])].sort(compare);
      const inOrder = [...(best.get(learner) ?? [])].sort(([a], [b]) => compare(a, b));
      const points = inOrder.map(([value, setting]): Point => {
        const spread = values.length > 1 ? values.indexOf(value) / (values.length - 1) : 0.5;
        return {
          setting,
          x: parameter === "own" ? spread : x.type === "point" ? value : Number(value),
          xText: name === null ? "" : `${name} = ${value}`,
          mean: isKnown(study, setting, criterion) ? meanOf(study, setting, criterion) : NaN,
          half: halfWidthOf(study, setting, criterion),
        };
      });
      const there = points.filter(({ setting }) => study.settings.runs[setting] > 0);
      return there.length === 0 ? [] : [{ learner, points: there, level: name === null }];
    });
    return { title, series };
  });

  const all = panels.flatMap(({ series }) => series);
  const points = all.flatMap((series) => series.points);
  const means = points.map(({ mean }) => mean);
  const cap = highestError(study, ranking, shown);
  const notes: string[] = [];
  const y = errorAxis(errorLabel(study, view), view["sensitivity.y"], means, cap);
  const above = means.filter((mean) => mean > (y.domain[1] as number)).length;
  if (above > 0) notes.push(`${some(above, "point")} above the upper edge.`);
  if (means.some(Number.isNaN)) notes.push("A cross at the upper edge: all runs diverged.");
  const marks = all.filter(({ level }) => !level).flatMap((series) => series.points);
  if (marks.some(({ setting, mean }) => study.settings.diverged[setting] > 0 && mean <= (y.domain[1] as number)))
    notes.push("An open mark: some runs diverged.");
  if (all.some(({ level }) => level)) notes.push("A level line: the learner does not sweep this parameter.");
  return { panels, x, y, notes };
}

function ownAxis(study: Study, learners: number[]): Axis {
  const names = [...new Set(learners.flatMap((learner) => study.learners[learner].own ?? []))];
  const label = `each learner's own parameter: ${names.join(", ")}`;
  const format = (x: number | string) => (x === 0 ? "smallest" : "largest");
  return { label, type: "linear", domain: [-0.03, 1.03], ticks: [0, 1], format };
}

export const drawSensitivity: Drawing = (study, data, panel, width, height) => {
  const [low, high] = data.y.domain as [number, number];
  const within = ({ mean }: Point) => Math.min(Math.max(mean, low / 2), data.y.type === "log" ? high * 10 : 2 * high);
  const crosses = new Map<number | string, number>(); // at each x, those so far
  const marks = panel.series.flatMap(({ learner, points, level }): Plot.Markish[] => {
    const { label } = study.learners[learner];
    const colour = colourOf(study, learner);
    const line = { stroke: colour, strokeWidth: 1.75, strokeDasharray: dashOf(study, learner), clip: true } as const;
    if (level) {
      const across = points.flatMap((point) => data.x.domain.map((x) => ({ ...point, x })));
      return [Plot.line(across, { x: "x", y: within, ...line, ...ofSeries(label, "line") })];
    }
    const visible = points.filter(({ mean }) => mean <= high);
    const dots = (open: boolean) =>
      Plot.dot(
        visible.filter(({ setting }) => study.settings.diverged[setting] > 0 === open),
        {
          x: "x",
          y: "mean",
          r: 3.2,
          symbol: symbolOf(study, learner),
          fill: open ? "var(--paper)" : colour,
          stroke: colour,
          strokeWidth: 1.25,
          ...ofSeries(label, open ? "some diverged" : "dots"),
        },
      );
    const diverged = points
      .filter(({ mean }) => Number.isNaN(mean))
      .map((point) => {
        const row = crosses.get(point.x) ?? 0;
        crosses.set(point.x, row + 1);
        return { ...point, row };
      });
    const rows = [...new Set(diverged.map(({ row }) => row))].map((row) =>
      Plot.dot(
        diverged.filter((point) => point.row === row),
        { x: "x", y: high, dy: 7 * row, r: 3.2, symbol: "times", stroke: colour, ...ofSeries(label, "all diverged") },
      ),
    );
    const whiskers = onePath(label, "whiskers", { stroke: colour, "stroke-opacity": 0.4 }, (x, y) => {
      const end = (error: number) => y(Math.min(Math.max(error, low), high)).toFixed(1);
      const wide = visible.filter(({ half }) => half > 0 && Number.isFinite(half));
      return wide.map((p) => `M${x(p.x).toFixed(1)},${end(p.mean - p.half)}V${end(p.mean + p.half)}`).join("");
    });
    return [
      whiskers,
      Plot.line(points, { x: "x", y: within, ...line, ...ofSeries(label, "line") }),
      dots(false),
      dots(true),
      ...rows,
    ];
  });
  return plot(data, width, height, marks);
};
