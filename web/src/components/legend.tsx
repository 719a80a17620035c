import { useState } from "preact/hooks";
import { type Study, settingText } from "../data";
import { colourOf, dashOf } from "../figures/figure";
import { symbolPath } from "../figures/symbols";
import { microseconds, withHalfWidth } from "../numbers";
import { halfWidthOf, isKnown, meanOf, rankingOf } from "../ranking";
import { type View, chosenSettings, criterionOf } from "../view";

interface Props {
  study: Study;
  view: View;
  offScale: Set<number>;
  update: (change: Partial<View>) => void;
}

export function Swatch({ study, learner }: { study: Study; learner: number }) {
  const colour = colourOf(study, learner);
  return (
    <svg class="swatch" width="28" height="12" aria-hidden="true">
      <line x1="0" x2="28" y1="6" y2="6" stroke={colour} stroke-width="2" stroke-dasharray={dashOf(study, learner)} />
      <path d={symbolPath(study, learner, 3.4, 14, 6)} fill={colour} />
    </svg>
  );
}

/// Fades all learners but one in every figure, without drawing again.
function emphasise(label: string | null) {
  for (const group of document.querySelectorAll<SVGGElement>("[data-series]"))
    group.classList.toggle("faded", label !== null && group.dataset.series !== label);
}

/// Shows and hides learners in all figures and the table. The line below gives the numbers of the learner in focus.
export function Legend({ study, view, offScale, update }: Props) {
  const [focus, setFocus] = useState<number | null>(null);
  const hidden = new Set(view.hide);
  const chosen = chosenSettings(view, study);
  const here = new Set(rankingOf(study, criterionOf(view, study)).best.keys());
  const labels = study.learners.map(({ label }) => label);
  const attend = (learner: number | null) => {
    setFocus(learner);
    emphasise(learner === null || hidden.has(labels[learner]) ? null : labels[learner]);
  };
  const toggle = (label: string) => {
    emphasise(null);
    update({ hide: hidden.has(label) ? view.hide.filter((other) => other !== label) : [...view.hide, label] });
  };
  return (
    <div class="legend" role="group" aria-label="Learners" data-testid="legend">
      <div class="legend-buttons">
        {study.learners.map(({ label }, learner) =>
          here.has(learner) ? (
            <button
              key={label}
              type="button"
              aria-pressed={!hidden.has(label)}
              onClick={() => toggle(label)}
              onMouseEnter={() => attend(learner)}
              onMouseLeave={() => attend(null)}
              onFocus={() => attend(learner)}
              onBlur={() => attend(null)}
            >
              <Swatch study={study} learner={learner} />
              <span>{label}</span>
              {chosen.has(learner) && <span class="tag">chosen</span>}
              {offScale.has(learner) && <span class="tag">off the scale</span>}
            </button>
          ) : null,
        )}
        <span class="switch no-print">
          <button type="button" onClick={() => update({ hide: [] })}>
            all
          </button>
          <button type="button" onClick={() => update({ hide: labels })}>
            none
          </button>
          {chosen.size > 0 && (
            <button type="button" data-testid="reset" onClick={() => update({ chosen: [] })}>
              back to the best
            </button>
          )}
        </span>
      </div>
      <p class="attended no-print" aria-live="polite" data-testid="attended">
        {focus === null ? "" : describe(study, view, focus)}
      </p>
    </div>
  );
}

function describe(study: Study, view: View, learner: number): string {
  const criterion = criterionOf(view, study);
  const chosen = chosenSettings(view, study).get(learner);
  const setting = chosen ?? rankingOf(study, criterion).best.get(learner);
  if (setting === undefined) return "";
  const { runs, diverged, microseconds: times } = study.settings;
  const text = (by: "average" | "last") =>
    withHalfWidth(meanOf(study, setting, { ...criterion, by }), halfWidthOf(study, setting, { ...criterion, by }));
  const errors = isKnown(study, setting, criterion)
    ? `${text("average")} over the whole curve, ${text("last")} at the end`
    : "no error is known";
  return [
    `${study.learners[learner].label}, ${chosen === undefined ? "best" : "chosen"}: ${settingText(study, setting)}`,
    errors,
    `${diverged[setting]} of ${runs[setting]} runs diverged`,
    `${microseconds(times[setting])} \u00b5s per step`,
  ].join(" \u00b7 ");
}
