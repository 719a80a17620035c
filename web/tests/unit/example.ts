import type { Learner, Parameter, Report, Study } from "../../src/data";

export interface Row {
  learner: number;
  values: string[];
  runs?: number;
  diverged?: number;
  error: number | null;
  cost?: number | null;
}

const learner = (label: string, swept: string[], own: string | null): Learner => ({
  label,
  learner: label.toLowerCase(),
  swept,
  own,
  fixed: {},
  colour: 0,
  dash: "",
  shape: 0,
});

export const learners = [
  learner("TD, replacing", ["alpha", "lambda"], "alpha"),
  learner("LSTD", ["inverse_init"], "inverse_init"),
  learner("tLSTD", [], null),
];

/// The parameters of these settings, as the program lists them.
function parametersOf(rows: Row[]): Parameter[] {
  const values = new Map<string, Set<string>>();
  for (const row of rows)
    learners[row.learner]?.swept.forEach((name, i) =>
      values.set(name, (values.get(name) ?? new Set()).add(row.values[i])),
    );
  return [...values].map(([name, set]) => {
    const sorted = [...set].sort((a, b) => Number(a) - Number(b));
    return { name, values: sorted, titles: sorted.map((value) => `${name} = ${value}`), scale: "linear" };
  });
}

/// A study of one case and one metric with these settings, ranked by their errors.
export function studyOf(rows: Row[]): Study {
  const column = rows.map(({ error }) => error);
  const none = rows.map(() => null);
  const order = rows
    .map((_, i) => i)
    .sort((a, b) => (rows[a].error ?? Infinity) - (rows[b].error ?? Infinity) || a - b);
  return {
    file: "a.db",
    name: "a",
    scale: "quick",
    title: "A",
    about: "",
    created: "",
    version: "",
    machine: "",
    command: "",
    source: "",
    protocol: {},
    seeds: 10,
    metrics: [{ name: "rmse", title: "rmse" }],
    at: [0, 1],
    cases: ["chain, its own features"],
    learners,
    parameters: parametersOf(rows),
    figures: [],
    settings: {
      id: rows.map((_, i) => 100 + i),
      case: rows.map(() => 0),
      learner: rows.map((row) => row.learner),
      values: rows.map(({ values }) => values),
      dim: rows.map(() => 4),
      runs: rows.map(({ runs }) => runs ?? 10),
      diverged: rows.map(({ diverged }) => diverged ?? 0),
      microseconds: rows.map(({ cost }) => cost ?? null),
      bytes: none,
      average: [column],
      average_half_width: [none],
      last: [column],
      last_half_width: [none],
      curve: none,
    },
    curves: "",
    rankings: { average: [[order]], last: [[order]] },
    before_learning: [[null]],
    exploding: [[]],
  };
}

/// Settings of all learners with pseudorandom errors and costs.
export function grid(): Study {
  let state = 1;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const rows: Row[] = [];
  const add = (index: number, values: string[]) =>
    rows.push({ learner: index, values, error: random(), cost: random(), diverged: random() < 0.2 ? 3 : 0 });
  for (const alpha of ["0.1", "0.01", "1"]) for (const lambda of ["0", "0.9", "0.95"]) add(0, [alpha, lambda]);
  for (const init of ["1", "100", "10"]) add(1, [init]);
  add(2, []);
  return studyOf(rows);
}

export const reportOf = (study: Study): Report => ({ version: "0", studies: [study, { ...study, name: "b" }] });
