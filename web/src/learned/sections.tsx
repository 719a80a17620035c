import { useMemo } from "preact/hooks";
import { Section } from "../components/controls";
import { Command } from "../components/facts";
import { count } from "../numbers";
import { type Learned, columnRoles, valuePoints } from "./data";
import { Figure } from "./figure";
import { colours, drawCalibration, drawErrors, drawPolicy, drawReturns, drawValues, errorSeries } from "./figures";

interface Props {
  learned: Learned;
  index: number; // of the target
}

const unit = ({ learned, index }: Props) => `value (${learned.summary.targets[index].reward})`;

/// Values over each variable of the state.
export function Values(props: Props) {
  const { learned, index } = props;
  const { figures } = learned;
  const all = useMemo(
    () => figures.variables.map((variable, i) => ({ variable, points: valuePoints(figures, index, i) })),
    [figures, index],
  );
  const panels = useMemo(
    () =>
      all
        .filter(({ points }) => points.length > 0)
        .map(({ variable, points }) => ({
          title: variable.name,
          draw: (width: number) => drawValues(variable, points, unit(props), width),
        })),
    [all],
  );
  if (figures.targets[index].values.length === 0)
    return (
      <Section id="values" title="Values over the state">
        <p class="empty">
          {figures.variables.length === 0
            ? "The log holds features already, so there are no variables of the state to show values over."
            : "There are no values to show."}
        </p>
      </Section>
    );
  const beyond = all.filter(({ variable }) => variable.beyond > 0).map(({ variable }) => variable.name);
  const about = [
    "Each point is the mean value of the states that were visited there, with its 95 % band; below is how many they are.",
    "Where few states were visited, values are guesses.",
    ...(beyond.length > 0 ? [`Outliers of ${beyond.join(", ")} are left out.`] : []),
    ...(figures.variables_left_out > 0 ? [`${count(figures.variables_left_out)} more variables are not shown.`] : []),
  ];
  return (
    <Figure
      id="values"
      title="Values over the state"
      about={about.join(" ")}
      panels={panels}
      numbers={{
        columns: ["variable", "from", "to", "states", "value", "half-width"],
        rows: all.flatMap(({ variable, points }) =>
          points.map(({ low, high, states, value, half }) => [variable.name, low, high, states, value, half]),
        ),
      }}
    />
  );
}

/// Did the answer settle, and did errors fall?
export function Learning(props: Props) {
  const { learned, index } = props;
  const target = learned.summary.targets[index];
  const { judgements, value } = target;
  const panels = useMemo(
    () => [
      ...(value === undefined
        ? []
        : [
            {
              title: "The answer, as it was known earlier",
              draw: (width: number) => drawPolicy(target, unit(props), width),
            },
          ]),
      { title: "Errors on steps not learned from", draw: (width: number) => drawErrors(judgements, width) },
    ],
    [target],
  );
  if (judgements.length === 0)
    return (
      <Section id="learning" title="Learning">
        <p class="empty">There are too few steps to judge values by: the first 500 are learned from first.</p>
      </Section>
    );
  return (
    <Figure
      id="learning"
      title="Learning"
      about={
        "Values are judged on steps before these are learned from. If the answer still moves by more than its band, more data " +
        "would change it. The TD error and the error of returns contain the noise of the data; the projected error should " +
        "fall towards zero."
      }
      panels={panels}
      keys={errorSeries.map(({ label, colour }) => ({ label, colour }))}
      numbers={{
        columns: [
          "after steps",
          "judged on",
          "value of the policy",
          "TD error",
          "projected Bellman error",
          "error of returns",
          "mean return",
          "mean value",
        ],
        rows: judgements.map((j) => [
          j.after,
          j.steps,
          j.value_of_policy ?? null,
          j.td_error,
          j.projected_bellman_error ?? null,
          j.return_error ?? null,
          j.mean_return ?? null,
          j.mean_value ?? null,
        ]),
      }}
    />
  );
}

/// Are predictions right on average, high ones and low ones?
export function Calibration({ learned, index }: Props) {
  const { returns } = learned.figures.targets[index];
  const weighted = learned.summary.targets[index].returns?.weighted ?? false;
  const panels = useMemo(
    () => [
      { title: "Calibration: means of similar predictions", draw: (width: number) => drawCalibration(returns, width) },
      { title: "Returns against predictions", draw: (width: number) => drawReturns(returns, width) },
    ],
    [returns],
  );
  if (returns.groups.length === 0)
    return (
      <Section id="calibration" title="Returns against predictions">
        <p class="empty">No episode ended among the steps that values were judged by, so no return is known.</p>
      </Section>
    );
  return (
    <Figure
      id="calibration"
      title="Returns against predictions"
      about={
        `${count(returns.steps)} steps whose return is known, predicted after ${count(returns.after)} other steps. ` +
        "Single returns scatter; the mean of similar predictions lies on the dashed line, within its 95 % interval, if values " +
        "are right." +
        (weighted ? " Returns are weighted by the product of importance ratios, which makes them scatter more." : "")
      }
      panels={panels}
      keys={[{ label: "mean return, 95 % interval", colour: colours.value }]}
      numbers={{
        columns: ["mean value predicted", "mean return observed", "half-width", "steps", "episodes"],
        rows: returns.groups.map((g) => [g.mean_value, g.mean_return, g.half_width, g.steps, g.episodes]),
      }}
    />
  );
}

/// What each column was taken for.
export function ColumnTable({ learned }: { learned: Learned }) {
  const roles = columnRoles(learned.summary.recipe.columns);
  const notUsed = learned.summary.choices.filter((text) => text.startsWith("columns that are not used"));
  return (
    <Section id="columns" title="Columns">
      {roles.length === 0 ? (
        <p class="note">The log holds steps with features that are ready-made.</p>
      ) : (
        <dl class="columns" data-testid="column-roles">
          {roles.map(({ meaning, names }) => (
            <div key={meaning}>
              <dt>{meaning}</dt>
              <dd>
                {names.map((name, i) => (
                  <code key={i}>{name}</code>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {learned.summary.recipe.columns.unordered && <p class="note">Every row was taken for a step on its own.</p>}
      {notUsed.map((text, i) => (
        <p key={i} class="note">
          {text.charAt(0).toUpperCase() + text.slice(1)}.
        </p>
      ))}
    </Section>
  );
}

/// Features, learner, files, and the command that does it again.
export function Making({ learned }: { learned: Learned }) {
  const { summary } = learned;
  const { recipe } = summary;
  const facts: [string, string][] = [
    ["learner", recipe.learner],
    ["features", recipe.features === "none" ? "ready-made" : recipe.features],
    ["number of features", `${count(recipe.dim)}, ${count(recipe.dim - summary.features_never_active)} of them active`],
    ["resamples", count(recipe.resamples)],
    ...(recipe.holdout > 0 ? [["held out", `${100 * recipe.holdout} % of the episodes`] as [string, string]] : []),
    ["files", summary.learned_from.length > 0 ? summary.learned_from.join(", ") : "standard input"],
    ["version", learned.version],
  ];
  const chosen = summary.choices.filter((text) => !text.startsWith("columns that are not used"));
  return (
    <Section id="making" title="How it was made">
      <dl class="facts" data-testid="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {chosen.length > 0 && (
        <ul class="fixed" data-testid="choices">
          {chosen.map((text, i) => (
            <li key={i}>{text}</li>
          ))}
        </ul>
      )}
      <details>
        <summary>Parameters of the learner</summary>
        <p class="note">{recipe.settings.map((pair) => pair.join("=")).join(" ")}</p>
      </details>
      <Command text={learned.command} />
    </Section>
  );
}
