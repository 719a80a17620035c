import * as Plot from "@observablehq/plot";
import type { Study } from "../data";
import { bytes, count, short, some } from "../numbers";
import { agrees, bestOfLearners, halfWidthOf, highestError, isKnown, meanOf, panelsOf, rankingOf } from "../ranking";
import { front } from "../rules";
import { type View, criterionOf, shownLearners } from "../view";
import { errorAxis, extent, numberAxis } from "./axes";
import { type Drawing, type FigureData, type Point, colourOf, ofSeries, onePath, plot } from "./figure";
import { besideLabels } from "./labels";
import { errorLabel } from "./sensitivity";
import { symbolOf } from "./symbols";

/// Error against the cost of a step: a mark for the best setting of each learner, a dot for every other, and the front.
export function costData(study: Study, view: View): FigureData {
  const criterion = criterionOf(view, study);
  const ranking = rankingOf(study, criterion);
  const memory = view["cost.x"] === "memory";
  const costs = memory ? study.settings.bytes : study.settings.microseconds;
  const frontRises = study.metrics[criterion.metric].larger_is_better ?? false;
  const shown = new Set(shownLearners(view, study));
  const text = (x: number) => (memory ? bytes(x) : `${short(x)} \u00b5s per step`);
  const point = (setting: number): Point => ({
    setting,
    x: costs[setting]!,
    xText: text(costs[setting]!),
    mean: meanOf(study, setting, criterion),
    half: halfWidthOf(study, setting, criterion),
  });
  const drawable = (setting: number) => (costs[setting] ?? 0) > 0 && isKnown(study, setting, criterion);

  const inCase = ranking.order.filter((setting) => shown.has(study.settings.learner[setting]));
  const measured = inCase.filter(drawable);
  const panels = panelsOf(study, view["cost.panels"]).map(({ title, at }) => {
    const best = bestOfLearners(study, ranking, at);
    const here = measured.filter((setting) => agrees(study, setting, at));
    const isBest = (setting: number) => best.get(study.settings.learner[setting]) === setting;
    const rivals = here.map((setting) => ({
      setting,
      cost: costs[setting]!,
      error: meanOf(study, setting, criterion),
      diverges: study.settings.diverged[setting] > 0,
    }));
    return {
      title,
      series: here.filter(isBest).map((setting) => ({
        learner: study.settings.learner[setting],
        points: [point(setting)],
      })),
      others: here.filter((setting) => !isBest(setting)).map(point),
      front: front(rivals, frontRises).map(({ setting }) => point(setting)),
      frontRises,
    };
  });

  const y = errorAxis(
    errorLabel(study, view),
    view["cost.y"],
    panels.flatMap(({ series, others }) =>
      [...others, ...series.flatMap(({ points }) => points)].map(({ mean }) => mean),
    ),
    highestError(study, ranking, [...shown]),
  );
  const [low, high] = extent(measured.map((setting) => costs[setting]!)) ?? [1, 10];
  const notes: string[] = [];
  const what = memory ? "memory" : "time";
  const { runs, diverged } = study.settings;
  const waiting = inCase.filter((setting) => runs[setting] === 0).length;
  const left = inCase.length - measured.length - waiting;
  if (waiting > 0) notes.push(`${count(waiting)} ${waiting === 1 ? "setting has" : "settings have"} not run yet.`);
  if (left > 0 && inCase.every((setting) => !costs[setting])) notes.push(`No ${what} was measured in this study.`);
  else if (left > 0) notes.push(`${some(left, "setting")} not shown: no ${what} was measured, or all runs diverged.`);
  const isAbove = (setting: number) => meanOf(study, setting, criterion) > (y.domain[1] as number);
  const above = measured.filter(isAbove).length;
  if (above > 0) notes.push(`${some(above, "setting")} above the upper edge.`);
  if (measured.length > 0)
    notes.push("The line is the Pareto front: the settings that no other beats in both error and cost.");
  if (measured.some((setting) => diverged[setting] > 0 && !isAbove(setting)))
    notes.push("Open marks: some runs diverged; they are not part of the front.");
  const x = numberAxis(memory ? "memory of the learner" : "processor time per step (\u00b5s)", "log", [
    low / 1.15,
    high * 1.15,
  ]);
  return { panels, x: memory ? { ...x, format: (size) => bytes(Number(size)) } : x, y, notes };
}

/// A dot is a line of no length with round ends.
const dots = (label: string, colour: string, points: Point[], radius: number) =>
  onePath(
    label,
    "others",
    { stroke: colour, "stroke-width": 2 * radius, "stroke-linecap": "round", "stroke-opacity": 0.45 },
    (x, y) => points.map((point) => `M${x(point.x).toFixed(1)},${y(point.mean).toFixed(1)}h0`).join(""),
  );

const circles = (label: string, colour: string, points: Point[], radius: number) =>
  onePath(label, "others, some diverged", { stroke: colour, fill: "none", "stroke-opacity": 0.6 }, (x, y) =>
    points
      .map((point) => `M${x(point.x).toFixed(1)},${y(point.mean).toFixed(1)}m${-radius},0${around(radius)}`)
      .join(""),
  );
const around = (r: number) => `a${r},${r} 0 1 0 ${2 * r},0a${r},${r} 0 1 0 ${-2 * r},0`;

export const drawCost: Drawing = (study, data, panel, width, height) => {
  const [low, high] = data.y.domain as [number, number];
  const visible = (points: Point[]) => points.filter(({ mean }) => mean <= high);
  const learnerOf = (point: Point) => study.settings.learner[point.setting];
  const steps = visible(panel.front ?? []).map(({ x, mean }) => ({ x, mean }));
  if (steps.length > 0) {
    steps.unshift({ x: steps[0].x, mean: panel.frontRises ? low : high });
    steps.push({ x: data.x.domain[1], mean: steps[steps.length - 1].mean });
  }
  const diverges = (point: Point) => study.settings.diverged[point.setting] > 0;
  const radius = (panel.others?.length ?? 0) > 500 ? 1.5 : 2.5;
  const byLearner = Map.groupBy(visible(panel.others ?? []), learnerOf);
  const marks: Plot.Markish[] = [
    ...[...byLearner].flatMap(([learner, points]) => {
      const key = [study.learners[learner].label, colourOf(study, learner)] as const;
      const [open, filled] = [points.filter(diverges), points.filter((point) => !diverges(point))];
      return [
        ...(filled.length > 0 ? [dots(...key, filled, radius)] : []),
        ...(open.length > 0 ? [circles(...key, open, radius)] : []),
      ];
    }),
    Plot.line(steps, { x: "x", y: "mean", curve: "step-after", stroke: "var(--soft)", strokeWidth: 1.25, clip: true }),
    ...panel.series.map(({ learner, points }) =>
      Plot.dot(visible(points), {
        x: "x",
        y: "mean",
        r: 5.5,
        symbol: symbolOf(study, learner),
        fill: diverges(points[0]) ? "var(--paper)" : colourOf(study, learner),
        stroke: diverges(points[0]) ? colourOf(study, learner) : "var(--paper)",
        strokeWidth: 1.25,
        ...ofSeries(study.learners[learner].label, "best"),
      }),
    ),
  ];
  const names = panel.series.flatMap(({ learner, points: [{ x, mean }] }) =>
    mean <= high ? [{ text: study.learners[learner].label, x, y: mean, colour: colourOf(study, learner) }] : [],
  );
  if (width > 480) marks.push(besideLabels(names, steps));
  return plot(data, width, height, marks);
};
