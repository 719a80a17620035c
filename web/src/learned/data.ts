/// The data of the page of `bellwether learn --report`: what src/bellwether/model/learning/summary.h and figures.h
/// describe, and some texts.
import type { Maybe } from "../data";

/// The columns that were used; "" and [] where there are none.
export interface Columns {
  state: string[];
  next: string[];
  reward: string[];
  unordered: boolean;
  [role: string]: string | string[] | boolean;
}

export interface Judgement {
  after: number;
  steps: number;
  td_error: Maybe;
  projected_bellman_error?: Maybe;
  value_of_policy?: number;
  returns: number;
  mean_return?: number;
  mean_value?: number;
  return_error?: number;
}

export interface ObservedReturns {
  episodes: number;
  mean: number;
  half_width: number | null; // null for one episode
  cut_short: number;
  weighted: boolean;
}

export interface Target {
  name: string;
  question: string;
  reward: string;
  discount: number;
  of_start_states: boolean;
  steps: number;
  value?: number;
  half_width?: number;
  no_value?: string; // why there is none
  returns?: ObservedReturns;
  judgements: Judgement[];
  findings: Record<string, string>;
}

export interface Summary {
  recipe: {
    columns: Columns;
    features: string;
    dim: number;
    learner: string;
    settings: [name: string, value: string][];
    resamples: number;
    holdout: number;
  };
  steps: number;
  episodes: number;
  episodes_ended: number;
  effective_samples: number;
  largest_ratio: number;
  features_never_active: number;
  learned_from: string[];
  sorted_rows: boolean;
  choices: string[];
  advice: { warning: string; advice: string }[];
  targets: Target[];
}

/// A variable of the state, cut into bins.
export interface Variable {
  name: string;
  whole: boolean;
  beyond: number;
  low: number[];
  high: number[];
  states: number[];
}

export interface ReturnGroup {
  steps: number;
  episodes: number;
  mean_value: number;
  mean_return: number;
  half_width: Maybe;
}

export interface PredictedReturns {
  after: number;
  steps: number;
  groups: ReturnGroup[];
  sample: [value: number, outcome: number][];
}

export interface TargetFigures {
  values: { value: Maybe[]; half_width: Maybe[] }[]; // for each variable, each bin
  returns: PredictedReturns;
}

export interface Figures {
  states: number;
  variables: Variable[];
  variables_left_out: number;
  targets: TargetFigures[];
}

export interface Learned {
  version: string;
  command: string;
  texts: { answer: string; whose: string; returns: string }[]; // of each target
  summary: Summary;
  figures: Figures;
}

/// A point of values over a variable.
export interface ValuePoint {
  x: number;
  low: number;
  high: number;
  states: number;
  share: number; // of the states in the sample, in per cent
  value: number; // NaN: no state was visited there
  half: number; // NaN: there is no interval
}

export function valuePoints(figures: Figures, target: number, variable: number): ValuePoint[] {
  const { low, high, states } = figures.variables[variable];
  const values = figures.targets[target].values[variable];
  return low.map((from, i) => ({
    x: (from + high[i]) / 2,
    low: from,
    high: high[i],
    states: states[i],
    share: (100 * states[i]) / figures.states,
    value: values?.value[i] ?? NaN,
    half: values?.half_width[i] ?? NaN,
  }));
}

const roles: [role: string, meaning: string][] = [
  ["state", "the state"],
  ["next", "the next state"],
  ["reward", "the reward"],
  ["discount", "the discount"],
  ["done", "ends of episodes"],
  ["terminated", "ends for good"],
  ["truncated", "cut short"],
  ["episode", "the episode"],
  ["env", "the environment"],
  ["time", "the order of rows"],
  ["rho", "importance ratio"],
  ["target", "probability under the policy that is evaluated"],
  ["behaviour", "probability under the policy that acted"],
  ["interest", "interest"],
];

/// What each column was taken for, in the order in which people ask.
export function columnRoles(columns: Columns): { meaning: string; names: string[] }[] {
  return roles.flatMap(([role, meaning]) => {
    const names = [columns[role] ?? ""]
      .flat()
      .filter((name): name is string => typeof name === "string" && name !== "");
    return names.length > 0 ? [{ meaning, names }] : [];
  });
}
