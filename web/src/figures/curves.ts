import * as Plot from "@observablehq/plot";
import { type Study, curveOf, explodes } from "../data";
import { short, timeUnit } from "../numbers";
import { type At, agrees, bestOfLearners, errorBeforeLearning, panelsOf, rankingOf } from "../ranking";
import { farOff, suitsLog } from "../rules";
import { type View, chosenSettings, criterionOf, shownLearners } from "../view";
import { errorAxis, extent, numberAxis } from "./axes";
import { type Drawing, type FigureData, type Series, colourOf, dashOf, ofSeries, plot } from "./figure";
import { endLabels, widthOf } from "./labels";

/// Error against steps or time, for each learner at the setting chosen for it or else at its best.
export function curvesData(study: Study, view: View): FigureData {
  const criterion = criterionOf(view, study);
  const ranking = rankingOf(study, criterion);
  const chosen = chosenSettings(view, study);
  const shown = shownLearners(view, study);
  const inTime = view["curves.x"] === "time";
  const missing = new Map<string, Set<string>>(); // by reason, labels
  const lastStep = study.at[study.at.length - 1];

  const settingsOf = (at: At) => {
    const best = bestOfLearners(study, ranking, at);
    return shown.flatMap((learner) => {
      const own = chosen.get(learner);
      const setting = own !== undefined && agrees(study, own, at) ? own : best.get(learner);
      return setting === undefined ? [] : [setting];
    });
  };
  const asked = panelsOf(study, view["curves.panels"]);
  const every = asked.flatMap(({ at }) => settingsOf(at));
  const slowest = Math.max(0, ...every.map((setting) => study.settings.microseconds[setting] ?? 0));
  const unit = timeUnit(slowest * lastStep);
  const log = (view["curves.scale"] || (inTime ? suitedScale(study, every) : "linear")) === "log";

  const panels = asked.map(({ title, at }) => {
    const series = settingsOf(at).flatMap((setting): Series[] => {
      const learner = study.settings.learner[setting];
      const curve = curveOf(study, setting, criterion.metric);
      const cost = study.settings.microseconds[setting];
      const points = study.at.flatMap((step, i) => {
        const x = inTime ? (step * (cost ?? NaN)) / unit.microseconds : step;
        const xText = `step ${step}` + (inTime ? `, ${short(x)} ${unit.name}` : "");
        const drawable = curve && (log ? x > 0 : x >= 0);
        return drawable ? [{ setting, x, xText, mean: curve.mean[i], half: curve.half[i] }] : [];
      });
      if (curve && points.length > 0)
        return [{ learner, points, offScale: explodes(study, setting, criterion.metric) }];
      const reason = whyMissing(study, setting);
      missing.set(reason, (missing.get(reason) ?? new Set()).add(study.learners[learner].label));
      return [];
    });
    return { title, series };
  });

  const all = panels.flatMap(({ series }) => series);
  const noneStays = all.every(({ offScale }) => offScale);
  if (noneStays) all.forEach((series) => (series.offScale = false));
  const cap = noneStays ? Infinity : farOff * errorBeforeLearning(study, criterion);
  const ranged = all.filter(({ offScale }) => !offScale);
  const means = ranged.flatMap(({ points }) => points.map(({ mean }) => Math.min(mean, cap)));
  const xs = all.flatMap(({ points }) => points.map(({ x }) => x as number));
  const reach = extent(xs) ?? [log ? 1 : 0, lastStep];
  const off = [...new Set(all.filter(({ offScale }) => offScale).map(({ learner }) => study.learners[learner].label))];
  const notes: string[] = [];
  for (const [reason, labels] of missing) notes.push(`${reason}: ${[...labels].join("; ")}.`);
  if (off.length > 0)
    notes.push(
      `Off the scale, because they end with more than ${farOff} times the error they began with: ${off.join("; ")}.`,
    );
  const xLabel = inTime ? `processor time of the learner (${unit.name})` : "time steps";
  return {
    panels,
    x: numberAxis(xLabel, log ? "log" : "linear", reach, 5),
    y: errorAxis(study.metrics[criterion.metric].title, view["curves.y"], means),
    notes,
  };
}

/// Time is on a linear axis, unless learners differ so much that the curves of the fast ones would end at its left edge.
function suitedScale(study: Study, settings: number[]): string {
  const times = settings.flatMap((setting) =>
    study.settings.curve[setting] === null ? [] : (study.settings.microseconds[setting] ?? []),
  );
  return suitsLog(times) ? "log" : "linear";
}

function whyMissing(study: Study, setting: number): string {
  const { runs, diverged, curve } = study.settings;
  if (runs[setting] === 0) return "Not run yet";
  if (runs[setting] === diverged[setting]) return "Not shown, because all runs diverged";
  return curve[setting] === null
    ? "Not shown, because its curve was left out (--curves best)"
    : "Not shown, because no time was measured";
}

export const drawCurves: Drawing = (study, data, panel, width, height) => {
  const [low, high] = data.y.domain as [number, number];
  const within = (y: number) => Math.min(Math.max(y, low / 2), data.y.type === "log" ? high * 10 : 2 * high);
  const marks = panel.series.flatMap(({ learner, points }) => {
    const { label } = study.learners[learner];
    const colour = colourOf(study, learner);
    const defined = points.filter(({ mean }) => Number.isFinite(mean));
    const banded = defined.filter(({ half }) => Number.isFinite(half));
    return [
      Plot.areaY(banded, {
        x: "x",
        y1: ({ mean, half }) => within(mean - half),
        y2: ({ mean, half }) => within(mean + half),
        fill: colour,
        fillOpacity: panel.series.length > 8 ? 0.09 : 0.14,
        clip: true,
        ...ofSeries(label, "band"),
      }),
      Plot.line(defined, {
        x: "x",
        y: ({ mean }) => within(mean),
        stroke: colour,
        strokeWidth: 1.75,
        strokeDasharray: dashOf(study, learner),
        clip: true,
        ...ofSeries(label, "line"),
      }),
    ];
  });
  const ends = panel.series.flatMap(({ learner, points }) => {
    const { x, mean } = points[points.length - 1];
    const { label } = study.learners[learner];
    const atEdge = x === data.x.domain[1] && mean >= low && mean <= high;
    return atEdge ? [{ text: label, x, y: mean, colour: colourOf(study, learner) }] : [];
  });
  const margin = 22 + Math.max(0, ...ends.map(({ text }) => widthOf(text)));
  const room = ends.length > 1 && width > 4 * margin && height > 90 + 13 * ends.length;
  const labels = room ? [endLabels(ends)] : [];
  return plot(data, width, height, [...marks, ...labels], room ? margin : undefined);
};
