import { useMemo } from "preact/hooks";
import { type Study, parameterNamed, parameterNames } from "../data";
import { costData, drawCost } from "../figures/cost";
import { curvesData, drawCurves } from "../figures/curves";
import { drawSensitivity, metricTitle, otherParameters, sensitivityData } from "../figures/sensitivity";
import { type Choice, type View, hashOf, presetOf, presetView } from "../view";
import { Section, Select, Switch, scrollToSection } from "./controls";
import { About, Facts, Incomplete } from "./facts";
import { FigureBox } from "./figure_box";
import { Legend } from "./legend";
import { SettingsTable } from "./settings_table";

interface Props {
  study: Study;
  view: View;
  update: (change: Partial<View>, replace?: boolean) => void;
}

/// The data of a figure, computed again only when a part of the view that it depends on changes.
function useFigure<T>(compute: (study: Study, view: View) => T, { study, view }: Props, prefix: string): T {
  const own = (Object.keys(view) as Choice[]).filter((name) => name.startsWith(`${prefix}.`)).map((name) => view[name]);
  const asked = [view.case, view.metric, view.by, view.hide, view.chosen, view.at, own];
  return useMemo(() => compute(study, view), [study, JSON.stringify(asked)]);
}

export function StudyPage(props: Props) {
  const { study, view, update } = props;
  const curves = useFigure(curvesData, props, "curves");
  const sensitivity = useFigure(sensitivityData, props, "sensitivity");
  const cost = useFigure(costData, props, "cost");
  const offScale = useMemo(
    () => new Set(curves.panels.flatMap(({ series }) => series.flatMap((one) => (one.offScale ? [one.learner] : [])))),
    [curves],
  );
  const set = (name: Choice) => ({
    value: view[name],
    onChange: (value: string) => update({ [name]: value }),
    testid: name,
  });
  const shownPreset = presetOf(view, study);
  const scales = ["log", "linear"];
  const parameters = parameterNames(study);
  const panels: [string, string][] = [["", "none"], ...parameters.map((name): [string, string] => [name, name])];
  const setAt = (name: string, value: string) => {
    const { [name]: _, ...rest } = view.at;
    update({ at: value === "" ? rest : { ...rest, [name]: value } });
  };

  return (
    <>
      <header class="study-header">
        <h1 tabIndex={-1}>{study.title}</h1>
        <Incomplete study={study} />
        <About study={study} />
        <Facts study={study} />
      </header>

      {study.figures.length > 0 && (
        <nav class="presets no-print" aria-label="Figures of the study" data-testid="presets">
          {study.figures.map((preset, i) => (
            <a
              key={i}
              href={hashOf(presetView(view, study, preset), study)}
              aria-current={i === shownPreset ? "true" : undefined}
              onClick={() => scrollToSection(preset.shows)}
            >
              {preset.title}
            </a>
          ))}
        </nav>
      )}

      <div class="controls whole no-print">
        {study.cases.length > 1 && (
          <Select
            label="case"
            choices={study.cases.map((text, i): [string, string] => [String(i), text])}
            {...set("case")}
          />
        )}
        {study.cases.length === 1 && <span class="case">{study.cases[0]}</span>}
        {study.metrics.length > 1 && (
          <Select
            label="metric"
            choices={study.metrics.map(({ name, title }): [string, string] => [name, title])}
            {...set("metric")}
          />
        )}
        <Switch
          label="rank by"
          choices={[
            ["average", "whole curve"],
            ["last", "at the end"],
          ]}
          {...set("by")}
        />
      </div>

      <p class="on-paper" data-testid="on-paper">
        {study.cases[Number(view.case)]} &#183; {metricTitle(study, view)} &#183; ranked by the error{" "}
        {view.by === "last" ? "at the end" : "over the whole curve"}
      </p>

      <Legend {...{ study, view, update, offScale }} />

      <div class={curves.panels.length + sensitivity.panels.length > 2 ? "" : "pair"}>
        <FigureBox id="curves" title="Learning curves" study={study} data={curves} draw={drawCurves}>
          <Switch
            label="x"
            choices={[
              ["steps", "steps"],
              ["time", "time"],
            ]}
            {...set("curves.x")}
          />
          <Switch label="x axis" choices={["linear", "log"]} {...set("curves.scale")} value={curves.x.type} />
          <Switch label="y axis" choices={scales} {...set("curves.y")} />
          {parameters.length > 0 && <Select label="panels" choices={panels} {...set("curves.panels")} />}
        </FigureBox>
        <FigureBox id="sensitivity" title="Sensitivity" study={study} data={sensitivity} draw={drawSensitivity}>
          <Select label="x" choices={[["own", "own parameter"], ...parameters]} {...set("sensitivity.x")} />
          <Switch label="y axis" choices={scales} {...set("sensitivity.y")} />
          {parameters.length > 0 && <Select label="panels" choices={panels} {...set("sensitivity.panels")} />}
          {otherParameters(study, view).map((name) => (
            <Select
              key={name}
              label={name}
              value={Object.hasOwn(view.at, name) ? view.at[name] : ""}
              choices={[["", "best"], ...parameterNamed(study, name).values]}
              onChange={(value) => setAt(name, value)}
              testid={`at.${name}`}
            />
          ))}
        </FigureBox>
      </div>
      <FigureBox id="cost" title="Error against cost" study={study} data={cost} draw={drawCost}>
        <Switch
          label="x"
          choices={[
            ["time", "time per step"],
            ["memory", "memory"],
          ]}
          {...set("cost.x")}
        />
        <Switch label="y axis" choices={scales} {...set("cost.y")} />
        {parameters.length > 0 && <Select label="panels" choices={panels} {...set("cost.panels")} />}
      </FigureBox>
      <SettingsTable {...props} />
      <Section id="protocol" title="Protocol">
        <Protocol study={study} />
      </Section>
    </>
  );
}

function Protocol({ study }: { study: Study }) {
  return (
    <>
      <dl class="facts">
        {Object.entries({ ...study.protocol, seeds: String(study.seeds) }).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <details>
        <summary>Parameters that were not swept</summary>
        <ul class="fixed">
          {study.learners.map(({ label, learner, fixed }) => (
            <li key={label}>
              <b>{label}</b> {learner}{" "}
              {Object.entries(fixed)
                .map((pair) => pair.join("="))
                .join(" ")}
            </li>
          ))}
        </ul>
      </details>
      <details>
        <summary>Study file</summary>
        <pre class="scroll" tabIndex={0}>
          {study.source}
        </pre>
      </details>
    </>
  );
}
