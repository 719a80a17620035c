import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Study } from "../data";
import { type Drawing, type FigureData, colourOf, dashOf } from "../figures/figure";
import { symbolPath } from "../figures/symbols";
import { type Key, saveFigure } from "../save_svg";
import { Section } from "./controls";
import { FigureNumbers } from "./figure_numbers";
import { PanelBox } from "./panel_box";

interface Props {
  id: string;
  title: string;
  study: Study;
  data: FigureData;
  draw: Drawing;
  children: ComponentChildren; // its controls
}

/// The width of an element, kept up to date.
export function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const measure = () => setWidth(Math.floor(ref.current!.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(ref.current!);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
}

/// The learners that a figure shows.
function keysOf(study: Study, { panels }: FigureData): Key[] {
  const learners = new Set(panels.flatMap(({ series }) => series.map(({ learner }) => learner)));
  return [...learners]
    .sort((a, b) => a - b)
    .map((learner) => ({
      label: study.learners[learner].label,
      colour: colourOf(study, learner),
      dash: dashOf(study, learner),
      mark: (x, y) => symbolPath(study, learner, 3.4, x, y),
    }));
}

export function FigureBox({ id, title, study, data, draw, children }: Props) {
  const [box, width] = useWidth();
  const empty = data.panels.every(({ series }) => series.length === 0);
  return (
    <Section
      id={id}
      title={title}
      aside={
        <button
          type="button"
          class="quiet no-print"
          data-testid={`save-${id}`}
          disabled={empty}
          onClick={() => saveFigure(box.current!, keysOf(study, data), `${study.name}-${study.scale}-${id}`)}
        >
          Save SVG
        </button>
      }
    >
      <div class="controls no-print">{children}</div>
      <div class="panels" ref={box} data-testid={`figure-${id}`}>
        {empty && <p class="empty">{data.notes.join(" ") || "Nothing to show: all learners are hidden."}</p>}
        {width > 0 &&
          !empty &&
          data.panels.map((panel) => (
            <PanelBox
              key={panel.title}
              {...{ study, data, panel, draw, title }}
              {...sizeOf(width, data.panels.length)}
            />
          ))}
      </div>
      <p class="note">{!empty && data.notes.join(" ")}</p>
      <FigureNumbers study={study} data={data} />
    </Section>
  );
}

/// Panels are side by side as long as each has enough room.
function sizeOf(width: number, panels: number) {
  const columns = Math.max(1, Math.min(panels, Math.floor(width / (panels > 4 ? 260 : 300))));
  const each = Math.floor((width - 16 * (columns - 1)) / columns);
  return { width: each, height: Math.round(Math.min(Math.max(each * 0.72, 240), 440)) };
}
