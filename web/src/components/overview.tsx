import { type Report, type Study, curveOf, domainsOf, explodes, progressOf, settingText } from "../data";
import { colourOf, dashOf } from "../figures/figure";
import { count, withHalfWidth } from "../numbers";
import { halfWidthOf, isKnown, meanOf, rankingOf } from "../ranking";
import { studyHash } from "../view";
import { About, Facts, Incomplete } from "./facts";
import { Swatch } from "./legend";

const criterion = { case: 0, metric: 0, by: "average" } as const;

/// All studies, each with its best learners.
export function Overview({ report, keys }: { report: Report; keys: string[] }) {
  return (
    <>
      <h1 tabIndex={-1}>Studies</h1>
      <ul class="cards">
        {report.studies.map((study, i) => (
          <li class="card" key={keys[i]} data-testid="study-card">
            <div class="card-text">
              <h2>
                <a href={studyHash(keys[i])}>{study.title}</a>
              </h2>
              <p class="note">{summary(study)}</p>
              <Incomplete study={study} />
              <About study={study} />
            </div>
            <Leaders study={study} />
            <Thumbnail study={study} />
            <details>
              <summary>How it was made</summary>
              <Facts study={study} />
            </details>
          </li>
        ))}
      </ul>
    </>
  );
}

function summary(study: Study): string {
  const { runs, planned, diverged } = progressOf(study);
  const done = runs === planned ? count(runs) : `${count(runs)} of ${count(planned)}`;
  const settings = `${count(study.settings.id.length)} settings`;
  const some = diverged > 0 ? `, ${count(diverged)} diverged` : "";
  return `${study.name} \u00b7 ${study.scale} \u00b7 ${domainsOf(study).join(", ")} \u00b7 ${settings} \u00b7 ${done} runs${some}`;
}

function Leaders({ study }: { study: Study }) {
  const settings = [...rankingOf(study, criterion).best.values()].filter((setting) =>
    isKnown(study, setting, criterion),
  );
  if (settings.length === 0) return <p class="note">No run has ended yet.</p>;
  return (
    <table class="leaders">
      <caption>
        Best, by {study.metrics[0].title}
        {study.cases.length > 1 && `, on the first of ${study.cases.length} cases`}
      </caption>
      <tbody>
        {settings.slice(0, 5).map((setting) => (
          <tr key={setting} title={settingText(study, setting)}>
            <th scope="row">
              <Swatch study={study} learner={study.settings.learner[setting]} />{" "}
              {study.learners[study.settings.learner[setting]].label}
            </th>
            <td class="number">
              {withHalfWidth(meanOf(study, setting, criterion), halfWidthOf(study, setting, criterion))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/// The learning curves, small and without axes.
function Thumbnail({ study }: { study: Study }) {
  const [width, height] = [280, 120];
  const curves = [...rankingOf(study, criterion).best].flatMap(([learner, setting]) => {
    const curve = curveOf(study, setting, criterion.metric);
    return curve && !explodes(study, setting, criterion.metric)
      ? [{ learner, logs: Array.from(curve.mean, Math.log) }]
      : [];
  });
  const all = curves.flatMap(({ logs }) => logs.filter(Number.isFinite));
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const last = study.at[study.at.length - 1] || 1;
  const x = (i: number) => ((study.at[i] / last) * width).toFixed(1);
  const y = (log: number) => (3 + ((high - log) / (high - low || 1)) * (height - 6)).toFixed(1);
  return (
    <figure class="thumbnail" aria-hidden="true">
      <figcaption>Their learning curves, on a logarithmic scale</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
        {curves.map(({ learner, logs }) => (
          <polyline
            key={learner}
            points={logs.flatMap((log, i) => (Number.isFinite(log) ? [`${x(i)},${y(log)}`] : [])).join(" ")}
            fill="none"
            stroke={colourOf(study, learner)}
            stroke-width="1.5"
            stroke-dasharray={dashOf(study, learner)}
            vector-effect="non-scaling-stroke"
          />
        ))}
      </svg>
    </figure>
  );
}
