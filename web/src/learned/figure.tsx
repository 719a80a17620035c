import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Section } from "../components/controls";
import { useWidth } from "../components/figure_box";
import type { Drawn } from "../figures/figure";
import { type Key, saveFigure } from "../save_svg";

export interface Panel {
  title: string;
  draw: (width: number) => Drawn;
}

/// The numbers of a figure: a row for each point.
export interface Numbers {
  columns: string[];
  rows: (string | number | null)[][];
}

interface Props {
  id: string;
  title: string;
  about: string;
  panels: Panel[];
  keys?: Key[];
  numbers: Numbers;
}

const gap = 16;

/// Panels side by side as long as each has enough room, the sentence that says how to read them, and their numbers.
export function Figure({ id, title, about, panels, keys = [], numbers }: Props) {
  const [box, width] = useWidth();
  const columns = Math.max(1, Math.min(panels.length, Math.floor((width + gap) / 330), 3));
  const each = Math.floor((width - gap * (columns - 1)) / columns);
  return (
    <Section
      id={id}
      title={title}
      aside={
        <button
          type="button"
          class="quiet no-print"
          data-testid={`save-${id}`}
          onClick={() => saveFigure(box.current!, keys, `learned-${id}`)}
        >
          Save SVG
        </button>
      }
    >
      <p class="note reading">{about}</p>
      <div class="panels" ref={box} data-testid={`figure-${id}`}>
        {width > 0 && panels.map((panel, i) => <PanelBox key={i} {...panel} width={Math.min(each, 620)} />)}
      </div>
      <NumbersTable title={title} {...numbers} />
    </Section>
  );
}

function PanelBox({ title, draw, width }: Panel & { width: number }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current!.replaceChildren(draw(width)), [draw, width]);
  return (
    <figure class="panel" data-panel={title}>
      <figcaption>{title}</figcaption>
      <div class="drawing" style={{ width }} ref={box} />
    </figure>
  );
}

/// Digits that can be copied into a calculation.
const digits = (x: number | null) => (x !== null && Number.isFinite(x) ? String(Number(x.toPrecision(6))) : "");

function NumbersTable({ title, columns, rows }: Numbers & { title: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="numbers" data-testid="numbers" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Numbers of this figure</summary>
      {open && (
        <div class="scroll tall" tabIndex={0} role="region" aria-label={`Numbers: ${title}`}>
          <table>
            <thead>
              <tr>
                {columns.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, i) => (
                <tr key={i}>
                  {row.map((cell, j) =>
                    typeof cell === "string" ? (
                      <td key={j}>{cell}</td>
                    ) : (
                      <td key={j} class="number">
                        {digits(cell)}
                      </td>
                    ),
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
