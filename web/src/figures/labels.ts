import type { RenderFunction } from "@observablehq/plot";

/// Labels next to lines and marks, so that readers need not look them up in the legend.

export interface Label {
  text: string;
  x: number | string;
  y: number;
  colour: string;
}

const lineHeight = 13;
export const widthOf = (text: string) => 6.3 * text.length;

type Scale = (value: number | string) => number;

/// Pushes apart texts that would overlap: groups of them are centred on the mean of their wanted heights.
export function spread(wanted: number[], low: number, high: number): number[] {
  const groups: { sum: number; count: number }[] = [];
  const top = ({ sum, count }: { sum: number; count: number }) => {
    const height = lineHeight * (count - 1);
    return Math.max(low, Math.min(sum / count - height / 2, high - height));
  };
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b]);
  for (const i of order) {
    let group = { sum: wanted[i], count: 1 };
    for (let last = groups.at(-1); last && top(last) + lineHeight * last.count > top(group); last = groups.at(-1)) {
      group = { sum: last.sum + group.sum, count: last.count + group.count };
      groups.pop();
    }
    groups.push(group);
  }
  const heights = groups.flatMap((group) => Array.from({ length: group.count }, (_, i) => top(group) + lineHeight * i));
  const result: number[] = [];
  order.forEach((wish, i) => (result[wish] = heights[i]));
  return result;
}

function draw(document: Document, label: Label, from: [number, number], to: [number, number], anchor: string) {
  const make = (name: string, attributes: Record<string, string | number>) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    return element;
  };
  const group = make("g", { "data-series": label.text, "data-part": "label", "aria-hidden": "true" });
  const text = make("text", {
    x: to[0] + (anchor === "end" ? -3 : 3),
    y: to[1],
    dy: "0.32em",
    "text-anchor": anchor,
    "font-size": 11,
    fill: "currentColor",
    stroke: "var(--paper)",
    "stroke-width": 3,
    "paint-order": "stroke",
  });
  text.textContent = label.text;
  group.append(make("path", { d: `M${from}L${to}`, stroke: label.colour, fill: "none", opacity: 0.7 }), text);
  return group;
}

/// Labels in the right margin, each at the height of its line.
export function endLabels(labels: Label[]): RenderFunction {
  return (_, scales, __, dimensions, context) => {
    const group = context.document.createElementNS("http://www.w3.org/2000/svg", "g");
    const y = scales.y as unknown as Scale;
    const edge = dimensions.width - dimensions.marginRight;
    const heights = labels.map((label) => y(label.y));
    const spaced = spread(heights, dimensions.marginTop, dimensions.height - dimensions.marginBottom);
    labels.forEach((label, i) =>
      group.append(draw(context.document, label, [edge + 2, heights[i]], [edge + 14, spaced[i]], "start")),
    );
    return group;
  };
}

type Box = [left: number, right: number, top: number, bottom: number];
const meet = (a: Box, b: Box) => a[0] < b[1] && b[0] < a[1] && a[2] < b[3] && b[2] < a[3];

/// Labels beside marks, to the right or the left, above or below: at the first spot that is free, preferably also of the
/// level lines between the corners of `steps`.
export function besideLabels(labels: Label[], steps: { x: number | string; mean: number }[]): RenderFunction {
  return (_, scales, __, dimensions, context) => {
    const group = context.document.createElementNS("http://www.w3.org/2000/svg", "g");
    const [x, y] = [scales.x, scales.y] as unknown as [Scale, Scale];
    const taken = labels.map((label): Box => {
      const [a, b] = [x(label.x), y(label.y)];
      return [a - 6, a + 6, b - 6, b + 6];
    });
    const lines = steps.slice(1).map((to, i): Box => [x(steps[i].x), x(to.x), y(steps[i].mean), y(steps[i].mean)]);
    const bottom = dimensions.height - dimensions.marginBottom;
    for (const label of labels) {
      const [a, b] = [x(label.x), y(label.y)];
      const width = widthOf(label.text) + 6;
      const spots = offsets.flatMap(([dx, dy]) => {
        const [left, middle] = [dx > 0 ? a + dx : a + dx - width, b + dy];
        const box: Box = [left, left + width, middle - 6, middle + 6];
        const inside =
          left >= dimensions.marginLeft && box[1] <= dimensions.width && middle >= 8 && middle <= bottom - 4;
        return inside && !taken.some((other) => meet(other, box)) ? [{ dx, middle, box }] : [];
      });
      const spot = spots.find(({ box }) => !lines.some((line) => meet(line, box))) ?? spots[0];
      if (!spot) continue;
      taken.push(spot.box);
      const to: [number, number] = [a + spot.dx, spot.middle];
      group.append(draw(context.document, label, [a, b], to, spot.dx > 0 ? "start" : "end"));
    }
    return group;
  };
}

const offsets = [0, 14, -14, 28, -28, 42, -42, 56, -56, 70, -70, 84, -84].flatMap((dy) => [
  [dy === 0 ? 8 : 14, dy],
  [dy === 0 ? -8 : -14, dy],
]);
