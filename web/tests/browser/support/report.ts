import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Locator, type Page, test as base, expect } from "@playwright/test";

export { expect };
export const databaseOf = (name: string) => join(process.env.BELLWETHER_REPORTS!, `${name}.db`);
export const addressOf = (name: string, hash = "") =>
  pathToFileURL(join(process.env.BELLWETHER_REPORTS!, `${name}.html`)).href + hash;

/// In every test the network is off, the page requests nothing but itself, and the browser reports no error.
export const test = base.extend({
  page: async ({ page, context }, use) => {
    const asked: string[] = [];
    const complaints: string[] = [];
    context.on("request", (request) => asked.push(request.url()));
    context.on("console", (message) => {
      if (["error", "warning", "assert"].includes(message.type())) complaints.push(message.text());
    });
    context.on("weberror", (error) => complaints.push(String(error.error())));
    await context.setOffline(true);
    await use(page);
    const own = pathToFileURL(process.env.BELLWETHER_REPORTS!).href;
    expect(asked.filter((url) => !(url.startsWith(own) && /\.html(#|$)/.test(url)))).toEqual([]);
    expect(complaints).toEqual([]);
  },
});

/// The hash of the address.
export const hashOf = async (page: Page) => new URLSearchParams((await page.evaluate(() => location.hash)).slice(1));

export type Figure = "curves" | "sensitivity" | "cost";

/// Opens a page and waits until it is drawn. A study that lists figures opens with all learners instead of the first.
export async function open(page: Page, name: string, hash = "#figure=none") {
  await page.goto("about:blank");
  await page.goto(addressOf(name, hash));
  await expect(page.locator("h1")).toBeVisible();
}

export const section = (page: Page, name: string) => page.getByTestId(name).and(page.locator("section"));
export const legend = (page: Page) => page.getByTestId("legend").locator(".legend-buttons > button");
export const learner = (page: Page, label: string) =>
  legend(page).filter({ has: page.getByText(label, { exact: true }) });
export const press = (page: Page, control: string, choice: string) =>
  page.getByTestId(control).getByRole("button", { name: choice, exact: true }).click();
export const tableRows = (page: Page) => page.getByTestId("settings-table").locator("tbody tr");

/// Opens everything that can be unfolded.
export async function unfold(page: Page) {
  await page.locator("details").evaluateAll((all) => all.forEach((one) => ((one as HTMLDetailsElement).open = true)));
  await page.waitForFunction(() => [...document.querySelectorAll("details")].every((one) => one.children.length > 1));
}

/// The ids of the settings on the current page of the table, from top to bottom.
export const tableIds = async (page: Page): Promise<number[]> =>
  (await tableRows(page).evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.setting))).map(Number);

export interface NumberRow {
  panel: string;
  learner: string;
  setting: string;
  x: string;
  mean: string;
  half: string;
  diverged: string;
}

/// The numbers of a figure.
export async function numbersOf(page: Page, figure: Figure): Promise<NumberRow[]> {
  const details = section(page, figure).getByTestId("numbers");
  if ((await details.getAttribute("open")) === null) await details.locator("summary").click();
  await details.locator("tbody").waitFor({ state: "attached" });
  const rows = await details
    .locator("tbody tr")
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => (cell as HTMLElement).innerText.trim())));
  return rows.map((cells) => {
    const [panel, name, setting, x, mean, half, diverged] = cells.length === 7 ? cells : ["", ...cells];
    return { panel, learner: name, setting, x, mean, half, diverged };
  });
}

type Place = [x: number, y: number];

export interface Part {
  series: string | null;
  part: string | null;
  places: Place[]; // corners of a line, or middles of marks, in pixels
}

export interface Drawing {
  xTicks: [text: string, at: number][];
  yTicks: [text: string, at: number][];
  parts: Part[];
}

/// What a panel shows, read from its picture.
export async function drawingOf(panel: Locator): Promise<Drawing> {
  return panel
    .locator(".drawing svg")
    .first()
    .evaluate((svg) => {
      const numbers = (text: string) => text.match(/-?\d+(\.\d+)?(e-?\d+)?/g)?.map(Number) ?? [];
      const middle = (element: Element): [number, number] =>
        element.matches("circle")
          ? [Number(element.getAttribute("cx")), Number(element.getAttribute("cy"))]
          : (numbers(element.getAttribute("transform") ?? "") as [number, number]);
      const ticks = (axis: "x" | "y") =>
        [...svg.querySelectorAll(`[aria-label="${axis}-axis tick label"] text`)].map((text): [string, number] => [
          text.textContent!,
          middle(text)[axis === "x" ? 0 : 1],
        ]);
      const others = 'path[data-part^="others"]';
      const corners = (path: Element) => {
        const outline = path.getAttribute("d")!;
        const all = numbers(path.matches(others) ? outline.match(/M[^a-z]+/g)!.join(" ") : outline);
        return Array.from({ length: all.length / 2 }, (_, i): [number, number] => [all[2 * i], all[2 * i + 1]]);
      };
      const marks = '[aria-label="line"], [aria-label="area"], [aria-label="dot"], ' + others;
      const parts = [...svg.querySelectorAll(marks)].map((group) => {
        const paths = group.matches("path") ? [group] : [...group.querySelectorAll("path, circle")];
        const places = group.matches('[aria-label="dot"]') ? paths.map(middle) : paths.flatMap(corners);
        return { series: group.getAttribute("data-series"), part: group.getAttribute("data-part"), places };
      });
      return { xTicks: ticks("x"), yTicks: ticks("y"), parts };
    });
}

/// From pixels to values, by two ticks of an axis.
export function scaleOf(ticks: [string, number][], type: "linear" | "log"): (pixel: number) => number {
  const [forth, back] = type === "log" ? [Math.log, Math.exp] : [(x: number) => x, (x: number) => x];
  const labelled = ticks.filter(([text]) => text !== "");
  const [[a, low], [b, high]] = [labelled[0], labelled[labelled.length - 1]];
  const [from, to] = [forth(Number(a)), forth(Number(b))];
  return (pixel) => back(from + ((to - from) * (pixel - low)) / (high - low));
}

export const panels = (page: Page, figure: Figure) => page.getByTestId(`figure-${figure}`).locator(".panel");
export const panelOf = (page: Page, figure: Figure) => panels(page, figure).first();

export const placesOf = ({ parts }: Drawing, series: string | null, part: string | null): Place[] =>
  parts.filter((one) => one.series === series && one.part === part).flatMap(({ places }) => places);

/// The labels of the learners that have a line, or another part, in a panel.
export const seriesOf = (panel: Locator, part = "line"): Promise<string[]> =>
  panel
    .locator(`.drawing [data-part="${part}"]`)
    .evaluateAll((all) => all.map((one) => (one as SVGElement).dataset.series!));

/// Expects numbers to be equal, up to the digits that a table or a picture has.
export function expectNear(actual: number, expected: number, relative = 1e-5, what = "") {
  expect(Math.abs(actual - expected), `${what}: ${actual} and ${expected}`).toBeLessThanOrEqual(
    relative * Math.abs(expected) + 1e-12,
  );
}
