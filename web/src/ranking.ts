import { type By, type Maybe, type Study, once, parameterNamed, valueOf } from "./data";
import { ceiling } from "./rules";

/// How settings are ranked: by which metric, over the whole curve or at its end.
export interface Criterion {
  case: number;
  metric: number;
  by: By;
}

const number = (x: Maybe | undefined) => x ?? NaN;

export const meanOf = (study: Study, setting: number, { metric, by }: Criterion): number =>
  number(study.settings[by][metric][setting]);

export const halfWidthOf = (study: Study, setting: number, { metric, by }: Criterion): number =>
  number(study.settings[`${by}_half_width`][metric][setting]);

/// Whether some run ended and has an error.
export function isKnown(study: Study, setting: number, criterion: Criterion): boolean {
  const { runs, diverged } = study.settings;
  return runs[setting] > diverged[setting] && !Number.isNaN(meanOf(study, setting, criterion));
}

export interface Ranking {
  criterion: Criterion;
  order: number[]; // settings of the case, best first
  rank: Map<number, number>; // of a setting, from 1
  best: Map<number, number>; // of a learner, its first setting
}

const rankings = once(() => new Map<string, Ranking>());

export function rankingOf(study: Study, criterion: Criterion): Ranking {
  const key = `${criterion.case} ${criterion.metric} ${criterion.by}`;
  const known = rankings(study).get(key);
  if (known) return known;

  const order = study.rankings[criterion.by][criterion.metric][criterion.case];
  const best = new Map<number, number>();
  for (const setting of order) {
    const learner = study.settings.learner[setting];
    if (!best.has(learner)) best.set(learner, setting);
  }
  const ranking = { criterion, order, rank: new Map(order.map((setting, i) => [setting, i + 1])), best };
  rankings(study).set(key, ranking);
  return ranking;
}

/// Values that settings must have. They do not concern learners that do not sweep the parameter.
export type At = Record<string, string>;

export function agrees(study: Study, setting: number, at: At): boolean {
  return Object.entries(at).every(([name, value]) => (valueOf(study, setting, name) ?? value) === value);
}

/// The best setting of each learner that agrees, in the order of rank.
export function bestOfLearners(study: Study, ranking: Ranking, at: At): Map<number, number> {
  if (Object.keys(at).length === 0) return ranking.best;
  const best = new Map<number, number>();
  for (const setting of ranking.order) {
    const learner = study.settings.learner[setting];
    if (!best.has(learner) && agrees(study, setting, at)) best.set(learner, setting);
  }
  return best;
}

/// The parameter on the x axis that a learner sweeps; null when it sweeps none.
export function parameterOf(study: Study, learner: number, x: string): string | null {
  const { own, swept } = study.learners[learner];
  return x === "own" ? own : swept.includes(x) ? x : null;
}

/// For each learner, the best setting that agrees for each value of its parameter. A learner without one has an entry
/// for "".
export function bestOfValues(study: Study, ranking: Ranking, x: string, at: At): Map<number, Map<string, number>> {
  const best = new Map<number, Map<string, number>>();
  const parameters = study.learners.map((_, learner) => parameterOf(study, learner, x));
  for (const setting of ranking.order) {
    const learner = study.settings.learner[setting];
    const parameter = parameters[learner];
    const value = parameter === null ? "" : valueOf(study, setting, parameter)!;
    if (!best.has(learner)) best.set(learner, new Map());
    const values = best.get(learner)!;
    if (!values.has(value) && agrees(study, setting, at)) values.set(value, setting);
  }
  return best;
}

/// The error of a case before anything is learned; infinite when it is not known.
export const errorBeforeLearning = (study: Study, criterion: Criterion): number =>
  study.before_learning[criterion.metric][criterion.case] ?? Infinity;

/// The largest error that a figure of these learners has to show.
export function highestError(study: Study, ranking: Ranking, learners: number[]): number {
  const { criterion } = ranking;
  const shown = new Set(learners);
  const best = [...ranking.best].flatMap(([learner, setting]) =>
    shown.has(learner) && isKnown(study, setting, criterion) ? [meanOf(study, setting, criterion)] : [],
  );
  return ceiling(errorBeforeLearning(study, criterion), best);
}

/// Panels with the values that their settings must have: one for each value of a parameter; without one, a single panel.
export function panelsOf(study: Study, parameter: string): { title: string; at: At }[] {
  if (parameter === "") return [{ title: "", at: {} }];
  const { values, titles } = parameterNamed(study, parameter);
  return values.map((value, i) => ({ title: titles[i], at: { [parameter]: value } }));
}
