import { type By, type Preset, type Report, type Study, once, parameterNames, studyKeys } from "./data";
import type { Criterion } from "./ranking";

/// What the page shows. All of it is in the hash of the address, so that a view can be bookmarked, sent and returned to.
/// A choice has a few values. The first is the default and is left out of the address; unknown values are ignored.
const scales = ["log", "linear"];
const choicesOf = once((study) => {
  const parameters = parameterNames(study);
  return {
    case: study.cases.map((_, i) => String(i)),
    shows: ["", "curves", "sensitivity", "cost", "settings", "protocol"],
    metric: study.metrics.map((metric) => metric.name),
    by: ["average", "last"],
    "curves.x": ["steps", "time"],
    "curves.scale": ["", "linear", "log"], // the first: whichever suits the data
    "curves.y": scales,
    "curves.panels": ["", ...parameters],
    "sensitivity.x": ["own", ...parameters],
    "sensitivity.y": scales,
    "sensitivity.panels": ["", ...parameters],
    "cost.x": ["time", "memory"],
    "cost.y": scales,
    "cost.panels": ["", ...parameters],
    rows: ["all", "best"],
    sort: ["rank", "learner", "error", "last", "diverged", "time", "memory", ...parameters.map((name) => `by.${name}`)],
    order: ["ascending", "descending"],
  };
});

export type Choice = keyof ReturnType<typeof choicesOf>;

export interface View extends Record<Choice, string> {
  study: string; // its key; empty: the overview
  hide: string[]; // labels of learners
  at: Record<string, string>; // of sensitivity
  chosen: number[]; // ids of settings whose curves are shown instead of the best
  filter: string;
  page: number; // from 1
}

export function startView(key: string, study: Study): View {
  const choices = Object.entries(choicesOf(study)).map(([name, values]) => [name, values[0] ?? ""]);
  return { ...Object.fromEntries(choices), study: key, hide: [], at: {}, chosen: [], filter: "", page: 1 };
}

export function parseView(hash: string, report: Report): View | null {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const keys = studyKeys(report);
  const index = keys.indexOf(
    given.get("study") ?? (report.studies.length === 1 && !given.has("overview") ? keys[0] : ""),
  );
  if (index < 0) return null;
  const study = report.studies[index];
  const view = startView(keys[index], study);
  for (const [name, values] of Object.entries(choicesOf(study))) {
    const value = given.get(name);
    if (value !== null && values.includes(value)) view[name as Choice] = value;
  }
  const labels = new Set(study.learners.map((learner) => learner.label));
  view.hide = [...new Set(given.getAll("hide"))].filter((label) => labels.has(label));
  for (const { name, values } of study.parameters) {
    const value = given.get(`at.${name}`);
    if (value !== null && values.includes(value)) view.at[name] = value;
  }
  const ids = new Set(study.settings.id);
  view.chosen = [...new Set(given.getAll("setting").map(Number))].filter((id) => ids.has(id));
  view.filter = (given.get("filter") ?? "").slice(0, 200);
  const page = Number(given.get("page"));
  if (Number.isSafeInteger(page) && page > 1) view.page = page;
  return isPlain(view, study) && given.get("figure") !== "none" ? openingView(view, study) : view;
}

const isPlain = (view: View, study: Study) => pairsOf(view, study).length === 0;

/// An address that names only the study opens with the first figure of its file, if there is one, but does not scroll to
/// it.
function openingView(view: View, study: Study): View {
  return study.figures.length > 0 ? { ...presetView(view, study, study.figures[0]), shows: "" } : view;
}

/// Like encodeURIComponent, but common characters stay readable.
const readable: Record<string, string> = { "%20": "+", "%2C": ",", "%2F": "/", "%3A": ":" };
const encode = (text: string) => encodeURIComponent(text).replace(/%(20|2C|2F|3A)/g, (code) => readable[code]);

export const studyHash = (key: string) => `#study=${encode(key)}`;

/// The parts of a view that differ from the start.
function pairsOf(view: View, study: Study): [string, string | number][] {
  const pairs: [string, string | number][] = [];
  const start = startView(view.study, study);
  for (const name of Object.keys(choicesOf(study)) as Choice[])
    if (view[name] !== start[name]) pairs.push([name, view[name]]);
  for (const [name, value] of Object.entries(view.at)) pairs.push([`at.${name}`, value]);
  for (const label of view.hide) pairs.push(["hide", label]);
  for (const id of view.chosen) pairs.push(["setting", id]);
  if (view.filter) pairs.push(["filter", view.filter]);
  if (view.page > 1) pairs.push(["page", view.page]);
  return pairs;
}

export function hashOf(view: View, study: Study): string {
  const pairs = pairsOf(view, study);
  if (pairs.length === 0 && study.figures.length > 0) pairs.push(["figure", "none"]);
  pairs.unshift(["study", view.study]);
  return (
    "#" + pairs.map(([name, value]) => `${encode(name)}=${encode(String(value)).replaceAll("%3D", "=")}`).join("&")
  );
}

/// The view that a figure of the study file asks for, for the case that is shown.
export function presetView(view: View, study: Study, preset: Preset): View {
  const start = startView(view.study, study);
  const asked: Partial<Record<Choice, string>> = {
    case: view.case,
    shows: preset.shows,
    metric: preset.metric,
    [`${preset.shows}.x`]: preset.x,
    [`${preset.shows}.y`]: preset.y,
    [`${preset.shows}.panels`]: preset.panels,
  };
  for (const [name, value] of Object.entries(asked))
    if (choicesOf(study)[name as Choice].includes(value)) start[name as Choice] = value;
  const shown = new Set(preset.learners);
  if (shown.size > 0) start.hide = study.learners.map(({ label }) => label).filter((label) => !shown.has(label));
  start.at = preset.shows === "sensitivity" ? preset.at : {};
  return start;
}

/// The index of the figure of the study file that a view shows, wherever it is scrolled to; -1: none. Among figures that
/// differ only in where they scroll to, it is the one that is scrolled to.
export function presetOf(view: View, study: Study): number {
  const here = hashOf(view, study);
  const views = study.figures.map((preset) => presetView(view, study, preset));
  const exact = views.findIndex((asked) => hashOf(asked, study) === here);
  return exact >= 0 ? exact : views.findIndex((asked) => hashOf({ ...asked, shows: view.shows }, study) === here);
}

export function criterionOf(view: View, study: Study): Criterion {
  const metric = study.metrics.findIndex(({ name }) => name === view.metric);
  return { case: Number(view.case), metric, by: view.by as By };
}

/// The learners that are shown.
export function shownLearners(view: View, study: Study): number[] {
  const hidden = new Set(view.hide);
  return study.learners.flatMap(({ label }, learner) => (hidden.has(label) ? [] : [learner]));
}

/// The setting chosen for each learner in this case.
export function chosenSettings(view: View, study: Study): Map<number, number> {
  const chosen = new Map<number, number>();
  for (const id of view.chosen) {
    const setting = study.settings.id.indexOf(id);
    if (study.settings.case[setting] === Number(view.case)) chosen.set(study.settings.learner[setting], setting);
  }
  return chosen;
}
