/// The data of a report, which src/bellwether/report/report_data.h describes, and functions that look things up in it.

import type { Learned } from "./learned/data";

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
  dash: string;
  shape: number;
}

/// A parameter that some learner sweeps.
export interface Parameter {
  name: string;
  values: string[]; // smallest first
  titles: string[]; // of panels: "n0 = 1e6"
  scale: "linear" | "log" | "named";
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

/// Columns, with one entry for each setting. A setting is known by its index.
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
  metrics: { name: string; title: string; larger_is_better?: true }[];
  at: number[];
  cases: string[];
  learners: Learner[];
  parameters: Parameter[];
  figures: Preset[];
  settings: Settings;
  curves: string;
  rankings: Record<By, number[][][]>; // for each metric, each case: settings, best first
  before_learning: Maybe[][]; // for each metric, each case: the error
  exploding: number[][]; // for each metric: settings whose curves end far above their beginning
}

export interface Report {
  version: string;
  studies: Study[];
}

/// The data in the page: of files of results, or of what was learned from a log.
export function readData(): Report | { learned: Learned } | null {
  const text = document.getElementById("bellwether-data")?.textContent ?? "null";
  return JSON.parse(text) as Report | { learned: Learned } | null;
}

/// A function of a study whose result is remembered.
export function once<T>(compute: (study: Study) => T): (study: Study) => T {
  const known = new WeakMap<Study, T>();
  return (study) => {
    if (!known.has(study)) known.set(study, compute(study));
    return known.get(study)!;
  };
}

/// "boyan/quick". The same study in a second file is "boyan/quick/2".
export function studyKeys(report: Report): string[] {
  const seen = new Map<string, number>();
  return report.studies.map((study) => {
    const key = `${study.name}/${study.scale}`;
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    return times === 1 ? key : `${key}/${times}`;
  });
}

export const parameterNames = once((study) => study.parameters.map(({ name }) => name));

const parameters = once((study) => new Map(study.parameters.map((parameter) => [parameter.name, parameter])));

export const parameterNamed = (study: Study, name: string): Parameter => parameters(study).get(name)!;

export function valueOf(study: Study, setting: number, parameter: string): string | undefined {
  const index = study.learners[study.settings.learner[setting]].swept.indexOf(parameter);
  return index < 0 ? undefined : study.settings.values[setting][index];
}

const ranksOfValues = once(
  (study) => new Map(study.parameters.map(({ name, values }) => [name, new Map(values.map((value, i) => [value, i]))])),
);

/// Which value of its parameter it is, from the smallest: 0, 1, 2, ...
export const rankOfValue = (study: Study, parameter: string, value: string): number =>
  ranksOfValues(study).get(parameter)!.get(value)!;

/// "lambda=0.9 alpha=0.1"
export function settingText(study: Study, setting: number): string {
  const { swept } = study.learners[study.settings.learner[setting]];
  return swept.map((name, i) => `${name}=${study.settings.values[setting][i]}`).join(" ");
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
  const index = study.settings.curve[setting];
  if (index === null) return null;
  const length = study.at.length;
  const begin = (index * study.metrics.length + metric) * 2 * length;
  const values = allCurves(study);
  return { mean: values.subarray(begin, begin + length), half: values.subarray(begin + length, begin + 2 * length) };
}

const exploding = once((study) => study.exploding.map((settings) => new Set(settings)));

/// Whether the curve of a setting ends far above its beginning, so that it would squash all others.
export const explodes = (study: Study, setting: number, metric: number) => exploding(study)[metric].has(setting);

export interface Progress {
  runs: number;
  planned: number;
  diverged: number;
}

export const progressOf = once((study): Progress => {
  const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
  const { runs, diverged, id } = study.settings;
  const done = runs.map((n) => Math.min(n, study.seeds)); // there may be more, from a time when there were more seeds
  return { runs: sum(done), planned: study.seeds * id.length, diverged: sum(diverged) };
});

/// The names of the domains, which cases begin with.
export const domainsOf = once((study) => [...new Set(study.cases.map((text) => text.split(/[ ,(]/)[0]))]);
