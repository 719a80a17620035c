import { type By, type Maybe, type Study, curveOf, once, valueOf, valuesOf } from "./data";

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

/// Negative when a did better than b: fewer diverged runs in proportion, then the smaller error. What has no run that
/// ended comes last; of equals, the earlier is first. The program ranks by the same rule.
function compare(study: Study, a: number, b: number, criterion: Criterion): number {
  const [knownA, knownB] = [isKnown(study, a, criterion), isKnown(study, b, criterion)];
  if (knownA !== knownB) return knownA ? -1 : 1;
  const { runs, diverged } = study.settings;
  const more = diverged[a] * runs[b] - diverged[b] * runs[a];
  if (more !== 0) return more;
  return (knownA ? meanOf(study, a, criterion) - meanOf(study, b, criterion) : 0) || a - b;
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

  const order: number[] = [];
  study.settings.case.forEach((of, setting) => of === criterion.case && order.push(setting));
  order.sort((a, b) => compare(study, a, b, criterion));
  const best = new Map<number, number>();
  for (const setting of order) {
    const learner = study.settings.learner[setting];
    if (!best.has(learner)) best.set(learner, setting);
  }
  const ranking = { criterion, order, rank: new Map(order.map((setting, place) => [setting, place + 1])), best };
  rankings(study).set(key, ranking);
  return ranking;
}

/// Values that settings must have. A learner without such a parameter is not concerned.
export type At = Record<string, string>;

export function agrees(study: Study, setting: number, at: At): boolean {
  return Object.entries(at).every(([name, value]) => (valueOf(study, setting, name) ?? value) === value);
}

/// Of each learner the best setting that agrees, in the order of rank.
export function bestOfLearners(study: Study, ranking: Ranking, at: At): Map<number, number> {
  if (Object.keys(at).length === 0) return ranking.best;
  const best = new Map<number, number>();
  for (const setting of ranking.order) {
    const learner = study.settings.learner[setting];
    if (!best.has(learner) && agrees(study, setting, at)) best.set(learner, setting);
  }
  return best;
}

/// The parameter that stands on the x axis for a learner; null when it has none.
export function parameterOf(study: Study, learner: number, x: string): string | null {
  const { own, swept } = study.learners[learner];
  return x === "own" ? own : swept.includes(x) ? x : null;
}

/// For each learner, the best setting that agrees for each value of its parameter. Without one, under "".
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

/// The settings that no other beats in both cost and error, cheapest first. Those with diverged runs take no part:
/// their error leaves these runs out.
export function front(study: Study, settings: number[], cost: (setting: number) => number, criterion: Criterion) {
  const error = (setting: number) => meanOf(study, setting, criterion);
  const candidates = settings
    .filter((setting) => study.settings.diverged[setting] === 0 && isKnown(study, setting, criterion))
    .sort((a, b) => cost(a) - cost(b) || error(a) - error(b));
  let least = Infinity;
  return candidates.filter((setting) => error(setting) < least && ((least = error(setting)), true));
}

/// The error with which the curves of settings begin, before anything is learned; infinite when it is not known.
export function firstError(study: Study, settings: number[], { metric }: Criterion): number {
  const begins = settings.map((setting) => curveOf(study, setting, metric)?.mean[0] ?? 0);
  return study.at[0] === 0 && begins.some((error) => error > 0) ? Math.max(...begins) : Infinity;
}

/// Where an axis of errors ends: at twice the error before learning, or the best of a learner if that is higher, but
/// not far off.
export function ceiling(study: Study, best: number[], criterion: Criterion): number {
  const first = firstError(study, best, criterion);
  const errors = best.map((setting) => meanOf(study, setting, criterion)).filter((error) => error <= 10 * first);
  return Math.max(2 * first, ...errors);
}

/// The values of one panel each; without a parameter, one panel.
export function panelsOf(study: Study, parameter: string): At[] {
  return parameter === "" ? [{}] : valuesOf(study, parameter).map((value) => ({ [parameter]: value }));
}
