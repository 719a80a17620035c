import { type Study, once, parameterNames, rankOfValue, settingText, valueOf } from "./data";
import { short } from "./numbers";
import { type Criterion, type Ranking, meanOf } from "./ranking";

/// Which settings the table shows, and in which order.

export interface Column {
  key: string; // in the address
  title: string;
  numeric: boolean;
}

export function columnsOf(study: Study): Column[] {
  const numeric = (key: string, title: string) => ({ key, title, numeric: true });
  return [
    numeric("rank", "#"),
    { key: "learner", title: "learner", numeric: false },
    ...parameterNames(study).map((name) => numeric(`by.${name}`, name)),
    numeric("error", "whole curve"),
    numeric("last", "at the end"),
    numeric("diverged", "diverged"),
    numeric("time", "\u00b5s per step"),
    numeric("memory", "memory"),
  ];
}

const haystacks = once((study) =>
  study.settings.id.map((_, setting) => {
    const { label, learner } = study.learners[study.settings.learner[setting]];
    return `${label} ${learner} ${settingText(study, setting)}`.toLowerCase();
  }),
);

/// Whether some word of the text begins with `word`. Dashes and underscores join words: "td" begins a word of "TD(0)" and
/// "TD, decaying", but not of "LSTD", "TO-TD" and "true_online_td", which "to-td" and "true" find.
function begins(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (at === 0 || !/[\p{L}\p{N}_-]/u.test(text[at - 1])) return true;
  return false;
}

/// "lambda=0.90" is the same as "lambda=0.9": numbers are equal when the table shows them as equal.
function isSame(a: string, b: string): boolean {
  const [[nameA, valueA], [nameB, valueB]] = [a, b].map((pair) => pair.split(/=(.*)/s));
  if (nameA !== nameB) return false;
  const [x, y] = [valueA, valueB].map((value) => (value ? Number(value.replace("\u2212", "-")) : NaN));
  return valueA === valueB || (!Number.isNaN(x) && short(x, 4) === short(y, 4));
}

/// The settings that match every word of the filter. A word with "=" and a value must be one of the parameters; any other
/// must begin a word of the label, of the learner's name or of its parameters.
export function filtered(study: Study, settings: number[], filter: string): number[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return settings;
  const texts = haystacks(study);
  return settings.filter((setting) =>
    words.every((word) =>
      /.=./.test(word) ? texts[setting].split(" ").some((pair) => isSame(pair, word)) : begins(texts[setting], word),
    ),
  );
}

/// Settings whose value is not known come last in either order.
export function sorted(study: Study, ranking: Ranking, settings: number[], key: string, descending: boolean): number[] {
  const { learner, runs, diverged, microseconds, bytes } = study.settings;
  const direction = descending ? -1 : 1;
  if (key.startsWith("by.")) {
    const name = key.slice(3);
    return byNumber(settings, direction, (setting) => {
      const value = valueOf(study, setting, name);
      return value === undefined ? NaN : rankOfValue(study, name, value);
    });
  }
  if (key === "learner") {
    const label = (setting: number) => study.learners[learner[setting]].label;
    return [...settings].sort((a, b) => direction * label(a).localeCompare(label(b)));
  }
  const estimate = (by: Criterion["by"]) => (setting: number) => meanOf(study, setting, { ...ranking.criterion, by });
  const numbers: Record<string, (setting: number) => number> = {
    error: estimate("average"),
    last: estimate("last"),
    diverged: (setting) => diverged[setting] / runs[setting],
    time: (setting) => microseconds[setting] ?? NaN,
    memory: (setting) => bytes[setting] ?? NaN,
  };
  const number = numbers[key] ?? ((setting: number) => ranking.rank.get(setting)!);
  return byNumber(settings, direction, number);
}

function byNumber(settings: number[], direction: number, number: (setting: number) => number): number[] {
  const keyed = settings.map((setting) => ({ setting, value: number(setting) }));
  keyed.sort(({ value: a }, { value: b }) => {
    if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
    return direction * (a - b);
  });
  return keyed.map(({ setting }) => setting);
}
