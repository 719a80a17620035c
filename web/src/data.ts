/// The data of a report: what src/bellwether/report/report_data.h describes, and ways to ask for it.

export type Maybe = number | null;
export type By = "average" | "last";
export type Shows = "curves" | "sensitivity" | "cost";

export interface Learner {
  label: string;
  learner: string;
  swept: string[];
  own: string | null;
  fixed: Record<string, string>;
  colour: number;
  dash: number;
}

/// A figure that the study file asks for.
export interface Preset {
  title: string;
  shows: Shows;
  learners: string[];
  x: string;
  panels: string;
  at: Record<string, string>;
  metric: string;
  y: string;
}

/// Columns: one entry for each setting. A setting is known by its place in them.
export interface Settings {
  id: number[];
  case: number[];
  learner: number[];
  values: string[][];
  dim: number[];
  runs: number[];
  diverged: number[];
  microseconds: Maybe[];
  bytes: Maybe[];
  average: Maybe[][];
  average_half_width: Maybe[][];
  last: Maybe[][];
  last_half_width: Maybe[][];
  curve: Maybe[];
}

export interface Study {
  file: string;
  name: string;
  scale: string;
  title: string;
  about: string;
  created: string;
  version: string;
  machine: string;
  command: string;
  source: string;
  protocol: Record<string, string>;
  seeds: number;
  metrics: { name: string; title: string }[];
  at: number[];
  cases: string[];
  learners: Learner[];
  figures: Preset[];
  settings: Settings;
  curves: string;
}

export interface Report {
  version: string;
  studies: Study[];
}

export function readReport(): Report | null {
  const text = document.getElementById("bellwether-data")?.textContent ?? "null";
  return JSON.parse(text) as Report | null;
}

/// A function of a study that is computed once.
export function once<T>(compute: (study: Study) => T): (study: Study) => T {
  const known = new WeakMap<Study, T>();
  return (study) => {
    if (!known.has(study)) known.set(study, compute(study));
    return known.get(study)!;
  };
}

/// "boyan/quick". The same study of a second file is "boyan/quick/2".
export function studyKeys(report: Report): string[] {
  const seen = new Map<string, number>();
  return report.studies.map((study) => {
    const key = `${study.name}/${study.scale}`;
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    return times === 1 ? key : `${key}/${times}`;
  });
}

/// Parameters that some learner sweeps, in the order of their first appearance.
export const sweptParameters = once((study) => [...new Set(study.learners.flatMap((learner) => learner.swept))]);

export function valueOf(study: Study, setting: number, parameter: string): string | undefined {
  const place = study.learners[study.settings.learner[setting]].swept.indexOf(parameter);
  return place < 0 ? undefined : study.settings.values[setting][place];
}

/// Orders values as numbers; texts that are none come last, by the alphabet.
export function compareValues(a: string, b: string): number {
  const [x, y] = [Number(a), Number(b)];
  if (Number.isNaN(x) || Number.isNaN(y))
    return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || a.localeCompare(b);
  return x - y;
}

const allValues = once((study) => {
  const values = new Map<string, Set<string>>(sweptParameters(study).map((name) => [name, new Set()]));
  study.settings.values.forEach((row, setting) => {
    const { swept } = study.learners[study.settings.learner[setting]];
    row.forEach((value, place) => values.get(swept[place])?.add(value));
  });
  return new Map([...values].map(([name, set]) => [name, [...set].sort(compareValues)]));
});

/// The values that a parameter takes in a study, smallest first.
export const valuesOf = (study: Study, parameter: string): string[] => allValues(study).get(parameter) ?? [];

/// "lambda=0.9 alpha=0.1"
export function settingText(study: Study, setting: number): string {
  const { swept } = study.learners[study.settings.learner[setting]];
  return swept.map((name, place) => `${name}=${study.settings.values[setting][place]}`).join(" ");
}

const allCurves = once((study) => {
  const text = atob(study.curves);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return new Float32Array(bytes.buffer, 0, bytes.length >> 2);
});

export interface Curve {
  mean: Float32Array;
  half: Float32Array;
}

export function curveOf(study: Study, setting: number, metric: number): Curve | null {
  const place = study.settings.curve[setting];
  if (place === null) return null;
  const length = study.at.length;
  const begin = (place * study.metrics.length + metric) * 2 * length;
  const values = allCurves(study);
  return { mean: values.subarray(begin, begin + length), half: values.subarray(begin + length, begin + 2 * length) };
}

export interface Progress {
  runs: number;
  planned: number;
  diverged: number;
}

export const progressOf = once((study): Progress => {
  const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
  const { runs, diverged, id } = study.settings;
  return { runs: sum(runs), planned: study.seeds * id.length, diverged: sum(diverged) };
});

/// Names of the domains: the first words of its cases.
export const domainsOf = once((study) => [...new Set(study.cases.map((text) => text.split(/[ ,(]/)[0]))]);
