/// What a legend says of a line: its label and how it is drawn.
export interface Key {
  label: string;
  colour: string;
  dash?: string;
  mark?: (x: number, y: number) => string; // the outline of a mark at a place
}

/// A figure as a file for papers: on white, with its legend, and with every style written out, because other programs know
/// neither the variables of the page nor its fonts.

const svg = "http://www.w3.org/2000/svg";
const copied = ["fill", "stroke", "fill-opacity", "stroke-opacity", "font-size", "font-weight"];
const font = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

function element(name: string, attributes: Record<string, string | number>, text?: string): SVGElement {
  const made = document.createElementNS(svg, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}

/// A copy with its presentation in attributes.
function standalone(original: SVGSVGElement): SVGSVGElement {
  const copy = original.cloneNode(true) as SVGSVGElement;
  const [from, to] = [
    [original, ...original.querySelectorAll("*")],
    [copy, ...copy.querySelectorAll("*")],
  ];
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const name of copied) to[i].setAttribute(name, style.getPropertyValue(name));
    for (const name of ["class", "style", "aria-hidden"]) to[i].removeAttribute(name);
  });
  copy.querySelectorAll("style").forEach((element) => element.remove());
  return copy;
}

function legend(keys: Key[], width: number): { items: SVGElement[]; height: number } {
  let [x, y] = [8, 14];
  const items = keys.flatMap(({ label, colour, dash, mark }) => {
    const room = 48 + 6.3 * label.length;
    if (x > 8 && x + room > width) [x, y] = [8, y + 18];
    const line = { x1: x, x2: x + 26, y1: y - 4, y2: y - 4, stroke: colour, "stroke-width": 2 };
    const made = [
      element("line", { ...line, "stroke-dasharray": dash || "none" }),
      ...(mark ? [element("path", { d: mark(x + 13, y - 4), fill: colour })] : []),
      element("text", { x: x + 32, y, fill: "currentColor" }, label),
    ];
    x += room;
    return made;
  });
  return { items, height: keys.length > 0 ? y + 10 : 0 };
}

/// Saves all panels in an element as one picture.
export function saveFigure(box: HTMLElement, keys: Key[], name: string) {
  const root = document.documentElement;
  const scheme = root.style.colorScheme;
  root.style.colorScheme = "light";
  const file = compose(box, keys);
  root.style.colorScheme = scheme;
  download(new XMLSerializer().serializeToString(file), `${name.replace(/[^\w.-]+/g, "_").slice(0, 80)}.svg`);
}

function compose(box: HTMLElement, keys: Key[]): SVGSVGElement {
  const frame = box.getBoundingClientRect();
  const key = legend(keys, frame.width);
  const [width, height] = [Math.ceil(frame.width), Math.ceil(frame.height + key.height)];
  const whole = element("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "font-size": 12 }) as SVGSVGElement;
  whole.append(...key.items);
  box.append(whole); // styles are computed in the page
  const resolved = standalone(whole);
  whole.remove();
  resolved.setAttribute("font-family", font);
  resolved.prepend(element("rect", { width, height, fill: "white" }));
  for (const panel of box.querySelectorAll(".panel")) {
    const drawing = panel.querySelector<SVGSVGElement>(".drawing svg");
    if (!drawing) continue;
    const at = drawing.getBoundingClientRect();
    const [x, y] = [at.left - frame.left, at.top - frame.top + key.height];
    const copy = standalone(drawing);
    copy.setAttribute("x", String(x));
    copy.setAttribute("y", String(y));
    copy.setAttribute("overflow", "visible");
    resolved.append(copy);
    const title = panel.querySelector("figcaption")?.textContent;
    if (title) resolved.append(element("text", { x: x + at.width / 2, y: y - 4, "text-anchor": "middle" }, title));
  }
  return resolved;
}

function download(text: string, name: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
