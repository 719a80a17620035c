import { count, short } from "../numbers";
import type { Learned, Target } from "./data";

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1) + (/[.?!]$/.test(text) ? "" : ".");
const plusMinus = (text: string) => text.replace("+-", "\u00b1").replace(/(^|\s)-(?=\d)/g, "$1\u2212");

/// The question, the answer with its interval, and what it rests on; or why there is none.
export function Answer({ learned, index }: { learned: Learned; index: number }) {
  const { summary, texts } = learned;
  const target = summary.targets[index];
  const { answer, whose, returns } = texts[index];
  const { value, half_width: half } = target;
  return (
    <>
      <h1 tabIndex={-1}>{target.question}</h1>
      {value === undefined ? (
        <>
          <p class="value" data-testid="answer">
            The data cannot tell
          </p>
          <p class="banner" data-testid="no-value">
            {sentence(`there is no value, as ${target.no_value}`)}
          </p>
        </>
      ) : (
        <>
          <p class="value" data-testid="answer">
            {plusMinus(answer)}
          </p>
          <p class="interval" data-testid="interval">
            {half === undefined
              ? "No interval: the value is a single estimate, and nothing says how far off it may be."
              : `95 % interval: ${short(value - half, 4)} to ${short(value + half, 4)}`}
          </p>
          <Comparison target={target} />
          {disagrees(target) && (
            <p class="banner" data-testid="disagreement">
              The value and the returns observed do not agree: their intervals do not overlap. What matters for the
              reward may be missing in the state, or the features cannot tell states apart. Compare both with what you
              know, and try other features.
            </p>
          )}
          <p class="note">
            {sentence(whose)} {returns !== "" && plusMinus(sentence(returns))}
          </p>
        </>
      )}
      <p class="note" data-testid="basis">
        Learned from {count(summary.steps)} steps of {count(summary.episodes)}{" "}
        {summary.episodes === 1 ? "episode" : "episodes"}, {count(summary.episodes_ended)} of which ended
        {worth(learned)}.
      </p>
    </>
  );
}

function worth({ summary }: Learned): string {
  if (summary.effective_samples >= 0.999 * summary.steps) return "";
  return `; by their importance ratios they are worth ${count(Math.floor(summary.effective_samples))} steps of the policy itself`;
}

/// Whether the interval of the value and that of the returns lie apart, where nearly all episodes ended: returns of those
/// that were cut short are not known, and they are the long ones.
function disagrees({ value, half_width: half, returns, of_start_states: starts }: Target): boolean {
  if (value === undefined || half === undefined || !returns || !starts || returns.episodes < 20) return false;
  if (returns.episodes < 99 * returns.cut_short) return false;
  return Math.abs(value - returns.mean) > half + (returns.half_width ?? 0);
}

/// The interval of the value and that of the returns observed, on one scale.
function Comparison({ target }: { target: Target }) {
  const { value, half_width: half, returns } = target;
  if (value === undefined || half === undefined || !returns || returns.episodes < 2) return null;
  const rows = [
    { label: "answer", middle: value, half, colour: "var(--series-2)" },
    {
      label: returns.weighted ? "returns, weighted" : "returns",
      middle: returns.mean,
      half: returns.half_width ?? 0,
      colour: "var(--series-5)",
    },
  ];
  const low = Math.min(...rows.map(({ middle, half }) => middle - half));
  const high = Math.max(...rows.map(({ middle, half }) => middle + half));
  const [left, width] = [118, 300];
  const x = (at: number) => left + 6 + ((at - low) / (high - low || 1)) * (width - 12);
  return (
    <svg
      class="comparison"
      viewBox={`0 0 ${left + width} 58`}
      role="img"
      aria-label="the value and the returns observed"
    >
      {rows.map(({ label, middle, half, colour }, i) => (
        <g key={label} transform={`translate(0 ${12 + 18 * i})`}>
          <text x={left - 8} y="4" text-anchor="end">
            {label}
          </text>
          <line x1={x(middle - half)} x2={x(middle + half)} y1="0" y2="0" stroke={colour} stroke-width="3" />
          <circle cx={x(middle)} cy="0" r="4.5" fill={colour} />
        </g>
      ))}
      <text x={left + 6} y="54" text-anchor="start" class="tick">
        {short(low, 3)}
      </text>
      <text x={left + width - 6} y="54" text-anchor="end" class="tick">
        {short(high, 3)}
      </text>
    </svg>
  );
}

/// What a reader should know before trusting the answer, and what to do about it.
export function Warnings({ learned }: { learned: Learned }) {
  const { advice } = learned.summary;
  if (advice.length === 0)
    return (
      <p class="fine" data-testid="no-warnings">
        No warnings.
      </p>
    );
  return (
    <ul class="warnings" data-testid="warning-list">
      {advice.map(({ warning, advice: what }, i) => (
        <li key={i}>
          <p>{sentence(warning)}</p>
          {what !== "" && (
            <p class="advice">
              <b>What to do:</b> {sentence(what)}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
