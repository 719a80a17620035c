import { useState } from "preact/hooks";
import { type Study, settingText } from "../data";
import type { FigureData, Panel, Point } from "../figures/figure";

/// Digits that can be copied into a calculation.
const digits = (x: number) => (Number.isFinite(x) ? String(Number(x.toPrecision(6))) : "");

function rowsOf(panel: Panel): Point[] {
  const points = panel.series.flatMap((series) => series.points);
  const settings = new Set(points.map(({ setting }) => setting));
  return [...points, ...(panel.front ?? []).filter(({ setting }) => !settings.has(setting))];
}

/// The lines and marks of a figure as a table, for readers who cannot see it and for copying. In the figure of cost, the
/// settings drawn as dots are left to the table of settings.
export function FigureNumbers({ study, data }: { study: Study; data: FigureData }) {
  const [open, setOpen] = useState(false);
  const several = data.panels.length > 1;
  const { learner, runs, diverged } = study.settings;
  return (
    <details class="numbers" data-testid="numbers" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Numbers of this figure</summary>
      {open && (
        <div class="scroll tall" tabIndex={0} role="region" aria-label="Numbers of this figure">
          <table>
            <caption class="hidden">
              {data.y.label} against {data.x.label}
            </caption>
            <thead>
              <tr>
                {several && <th scope="col">panel</th>}
                <th scope="col">learner</th>
                <th scope="col">setting</th>
                <th scope="col">x</th>
                <th scope="col">mean</th>
                <th scope="col">half-width</th>
                <th scope="col">diverged</th>
              </tr>
            </thead>
            <tbody>
              {data.panels.flatMap((panel) =>
                rowsOf(panel).map((point) => (
                  <tr key={`${panel.title} ${point.setting} ${point.xText}`}>
                    {several && <td>{panel.title}</td>}
                    <td>{study.learners[learner[point.setting]].label}</td>
                    <td>{settingText(study, point.setting)}</td>
                    <td>{point.xText}</td>
                    <td class="number">{digits(point.mean)}</td>
                    <td class="number">{digits(point.half)}</td>
                    <td class="number">
                      {diverged[point.setting]} / {runs[point.setting]}
                    </td>
                  </tr>
                )),
              )}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
