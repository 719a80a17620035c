import { useMemo } from "preact/hooks";
import { type Study, parameterNames, valueOf } from "../data";
import { bytes, count, microseconds, short, withHalfWidth } from "../numbers";
import { type Criterion, halfWidthOf, isKnown, meanOf, rankingOf } from "../ranking";
import { columnsOf, filtered, sorted } from "../table";
import { type View, chosenSettings, criterionOf, shownLearners } from "../view";
import { Section, Switch } from "./controls";
import { Swatch } from "./legend";

const pageSize = 25;

interface Props {
  study: Study;
  view: View;
  update: (change: Partial<View>, replace?: boolean) => void;
}

export function SettingsTable({ study, view, update }: Props) {
  const ranking = rankingOf(study, criterionOf(view, study));
  const hidden = view.hide.join("\n");
  const rows = useMemo(() => {
    const shown = new Set(shownLearners(view, study));
    const best = new Set(ranking.best.values());
    const settings = ranking.order.filter(
      (setting) => shown.has(study.settings.learner[setting]) && (view.rows === "all" || best.has(setting)),
    );
    return sorted(study, ranking, filtered(study, settings, view.filter), view.sort, view.order === "descending");
  }, [study, ranking, hidden, view.filter, view.sort, view.order, view.rows]);

  const pages = Math.max(1, Math.ceil(rows.length / pageSize));
  const page = Math.min(view.page, pages);
  const chosen = chosenSettings(view, study);
  const choose = (setting: number) => {
    const learner = study.settings.learner[setting];
    const before = chosen.get(learner);
    const kept = view.chosen.filter((id) => before === undefined || id !== study.settings.id[before]);
    update({ chosen: ranking.best.get(learner) === setting ? kept : [...kept, study.settings.id[setting]] });
  };
  const sortBy = (key: string) => {
    const again = view.sort === key && view.order === "ascending";
    update({ sort: key, order: again ? "descending" : "ascending", page: 1 });
  };

  return (
    <Section id="settings" title="Settings">
      <div class="controls">
        <label class="control grow no-print">
          <span>filter</span>
          <input
            type="search"
            value={view.filter}
            placeholder="every word must match, for example: td lambda=0.9"
            data-testid="filter"
            onInput={(event) => update({ filter: event.currentTarget.value, page: 1 }, true)}
          />
        </label>
        <Switch
          label="rows"
          value={view.rows}
          choices={[
            ["all", "all settings"],
            ["best", "best of each learner"],
          ]}
          onChange={(value) => update({ rows: value, page: 1 })}
          testid="rows"
        />
        <p class="count" role="status" data-testid="row-count">
          {count(rows.length)} of {count(ranking.order.length)} settings
        </p>
      </div>
      <div class="scroll" tabIndex={0} role="region" aria-label="Table of settings">
        <table class="settings-table" data-testid="settings-table">
          <thead>
            <tr>
              <th scope="col">curve</th>
              {columnsOf(study).map(({ key, title, numeric }) => (
                <th
                  key={key}
                  scope="col"
                  class={numeric ? "number" : ""}
                  aria-sort={view.sort === key ? (view.order as "ascending" | "descending") : "none"}
                >
                  <button type="button" title={key === "rank" ? "rank" : undefined} onClick={() => sortBy(key)}>
                    {title}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice((page - 1) * pageSize, page * pageSize).map((setting) => (
              <Row
                key={setting}
                study={study}
                setting={setting}
                rank={ranking.rank.get(setting)!}
                criterion={ranking.criterion}
                shown={
                  (chosen.get(study.settings.learner[setting]) ?? ranking.best.get(study.settings.learner[setting])) ===
                  setting
                }
                choose={choose}
              />
            ))}
          </tbody>
        </table>
        {rows.length === 0 && <p class="note">No setting matches.</p>}
      </div>
      {pages > 1 && (
        <nav class="pages no-print" aria-label="Pages of the table">
          <button type="button" disabled={page === 1} onClick={() => update({ page: page - 1 })}>
            previous
          </button>
          <span data-testid="page">
            page {count(page)} of {count(pages)}
          </span>
          <button type="button" disabled={page === pages} onClick={() => update({ page: page + 1 })}>
            next
          </button>
        </nav>
      )}
    </Section>
  );
}

interface RowProps {
  study: Study;
  setting: number;
  rank: number;
  criterion: Criterion;
  shown: boolean; // whether its curve is shown, if there is one
  choose: (setting: number) => void;
}

function Row({ study, setting, rank, criterion, shown, choose }: RowProps) {
  const { settings } = study;
  const learner = settings.learner[setting];
  const { label } = study.learners[learner];
  const error = (by: Criterion["by"]) => {
    const wanted = { ...criterion, by };
    if (!isKnown(study, setting, wanted)) return "\u2013";
    return withHalfWidth(meanOf(study, setting, wanted), halfWidthOf(study, setting, wanted));
  };
  const kept = settings.curve[setting] !== null;
  const isShown = shown && kept;
  const ended = settings.runs[setting] > settings.diverged[setting];
  const why = ended ? "its curve was left out (--curves best)" : "no run of it has ended";
  const word = !kept ? "none" : isShown ? "shown" : "show";
  return (
    <tr class={isShown ? "shown" : ""} data-setting={settings.id[setting]}>
      <td>
        <button
          type="button"
          class="choose"
          aria-pressed={isShown}
          disabled={!kept}
          title={kept ? "" : why}
          aria-label={`${word}: the curve of ${label}, rank ${rank}`}
          onClick={() => choose(setting)}
        >
          {word}
        </button>
      </td>
      <td class="number">{count(rank)}</td>
      <th scope="row">
        <Swatch study={study} learner={learner} /> {label}
      </th>
      {parameterNames(study).map((name) => {
        const value = valueOf(study, setting, name);
        return (
          <td class="number" key={name} title={value}>
            {value === undefined ? "" : Number.isNaN(Number(value)) ? value : short(Number(value), 4)}
          </td>
        );
      })}
      <td class="number">{error("average")}</td>
      <td class="number">{error("last")}</td>
      <td class={`number ${settings.diverged[setting] > 0 ? "warn" : ""}`}>
        {settings.diverged[setting]} / {settings.runs[setting]}
      </td>
      <td class="number">{microseconds(settings.microseconds[setting])}</td>
      <td class="number">{bytes(settings.bytes[setting])}</td>
    </tr>
  );
}
