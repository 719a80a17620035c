import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Study, settingText } from "../data";
import { type Drawing, type FigureData, type Panel, type Point, type Spot, spotsOf } from "../figures/figure";
import { withHalfWidth } from "../numbers";
import { Swatch } from "./legend";

interface Props {
  study: Study;
  data: FigureData;
  panel: Panel;
  draw: Drawing;
  title: string;
  width: number;
  height: number;
}

const reach = 40; // pixels from the pointer

/// One drawing. A tip shows the numbers of the point nearest to the pointer. The arrow keys go from point to point of a
/// learner, and from learner to learner.
export function PanelBox({ study, data, panel, draw, title, width, height }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const spots = useRef<Spot[]>([]);
  const [at, setAt] = useState<Spot | null>(null);

  useLayoutEffect(() => {
    const drawing = draw(study, data, panel, width, height);
    box.current!.replaceChildren(drawing);
    spots.current = spotsOf(data, panel, drawing);
    setAt(null);
  }, [study, data, panel, draw, width, height]);

  const follow = (event: PointerEvent) => {
    const frame = box.current!.getBoundingClientRect();
    setAt(nearest(spots.current, event.clientX - frame.left, event.clientY - frame.top));
  };
  const step = (event: KeyboardEvent) => {
    if (event.key === "Escape") setAt(null);
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    setAt((from) => neighbour(study, spots.current, from, move));
  };

  return (
    <figure
      class="panel"
      data-panel={panel.title}
      tabIndex={0}
      aria-label={`${title}${panel.title && `, ${panel.title}`}. The arrow keys go from point to point.`}
      onPointerMove={follow}
      onPointerDown={follow}
      onPointerLeave={(event) => event.pointerType === "mouse" && setAt(null)}
      onKeyDown={step}
      onBlur={() => setAt(null)}
    >
      {panel.title && <figcaption>{panel.title}</figcaption>}
      <div class="drawing" style={{ width, height }}>
        <div ref={box} />
        <div aria-live="polite">{at && <Tip study={study} spot={at} spots={spots.current} width={width} />}</div>
      </div>
    </figure>
  );
}

function nearest(spots: Spot[], x: number, y: number): Spot | null {
  let [found, least] = [null as Spot | null, reach ** 2];
  for (const spot of spots) {
    const distance = (spot.x - x) ** 2 + (spot.y - y) ** 2;
    if (distance < least) [found, least] = [spot, distance];
  }
  return found;
}

const moves: Record<string, [along: number, across: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function neighbour(study: Study, spots: Spot[], from: Spot | null, [along, across]: [number, number]): Spot | null {
  const learnerOf = ({ point }: Spot) => study.settings.learner[point.setting];
  const groups = [...Map.groupBy(spots, learnerOf).entries()].sort(([a], [b]) => a - b).map(([, group]) => group);
  if (!from) return groups[0]?.[0] ?? null;
  const row = groups.findIndex((group) => group.includes(from));
  const to = groups[(row + across + groups.length) % groups.length];
  if (!to) return null;
  if (across !== 0) return to.reduce((a, b) => (Math.abs(b.x - from.x) < Math.abs(a.x - from.x) ? b : a));
  return to[Math.min(Math.max(to.indexOf(from) + along, 0), to.length - 1)];
}

/// The points of other learners, one for each, that are drawn at the same spot.
function coincident(study: Study, spots: Spot[], at: Spot): Spot[] {
  const learnerOf = ({ point }: Spot) => study.settings.learner[point.setting];
  const close = spots.filter((spot) => Math.abs(spot.x - at.x) < 2 && Math.abs(spot.y - at.y) < 4);
  const others = new Map(
    close.filter((spot) => learnerOf(spot) !== learnerOf(at)).map((spot) => [learnerOf(spot), spot]),
  );
  return [...others.values()];
}

function Tip({ study, spot, spots, width }: { study: Study; spot: Spot; spots: Spot[]; width: number }) {
  const { point } = spot;
  const { runs, diverged } = study.settings;
  const x = point.xText.replaceAll(" ", "");
  const others = settingText(study, point.setting)
    .split(" ")
    .filter((word) => word !== x);
  const same = coincident(study, spots, spot).slice(0, 5);
  const side = spot.x > width / 2 ? { right: width - spot.x + 12 } : { left: spot.x + 12 };
  const maxWidth = Math.min(320, Math.max(spot.x, width - spot.x) - 4);
  return (
    <>
      <span class="ring" style={{ left: spot.x, top: spot.y }} />
      <div class="tip" data-testid="tip" style={{ top: spot.y + 8, maxWidth, ...side }}>
        <Name study={study} point={point} />
        <p>
          {point.xText && <>{point.xText}: </>}
          <strong>{errorOf(point)}</strong>
        </p>
        {others.length > 0 && <p class="soft">{others.join(" ")}</p>}
        {diverged[point.setting] > 0 && (
          <p class="warn">
            {diverged[point.setting]} of {runs[point.setting]} runs diverged
          </p>
        )}
        {same.map((one, i) => (
          <div key={i} class="same">
            <Name study={study} point={one.point} /> {errorOf(one.point)}
          </div>
        ))}
      </div>
    </>
  );
}

const errorOf = ({ mean, half }: Point) => (Number.isNaN(mean) ? "all diverged" : withHalfWidth(mean, half));

function Name({ study, point }: { study: Study; point: Point }) {
  const learner = study.settings.learner[point.setting];
  return (
    <b>
      <Swatch study={study} learner={learner} /> {study.learners[learner].label}
    </b>
  );
}
