import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import type { Summary } from "../../src/learned/data";
import { hostile } from "./support/hostile";
import { addressOf, drawingOf, expect, expectNear, placesOf, scaleOf, section, test, unfold } from "./support/report";

/// The page of `bellwether learn --report`, compared with what `--json` prints.

const summaryOf = (name: string) =>
  JSON.parse(readFileSync(join(process.env.BELLWETHER_REPORTS!, `${name}.json`), "utf8")) as Summary;

async function open(page: Page, name = "learned", hash = "") {
  await page.goto("about:blank");
  await page.goto(addressOf(name, hash));
  await expect(page.locator("h1")).toBeVisible();
}

const panel = (page: Page, figure: string, title: string) =>
  page.getByTestId(`figure-${figure}`).locator(`.panel[data-panel="${title}"]`);

async function numbersOf(page: Page, id: string): Promise<string[][]> {
  const details = section(page, id).getByTestId("numbers");
  await details.locator("summary").click();
  await details.locator("tbody").waitFor({ state: "attached" });
  return details
    .locator("tbody tr")
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent!)));
}

test("the headline is the question, and the answer has the interval that the program prints", async ({ page }) => {
  const [target] = summaryOf("learned").targets;
  await open(page);
  await expect(page.locator("h1")).toHaveText("How much reward will the policy collect from its start?");
  const shown = (await page.getByTestId("answer").textContent())!.replace("\u2212", "-");
  const [value, half] = shown.split(" \u00b1 ").map(Number);
  expectNear(value, target.value!, 0.05 * (target.half_width! / Math.abs(target.value!)), "value");
  expectNear(half, target.half_width!, 0.05, "half-width");
  await expect(page.getByTestId("interval")).toHaveText(/^95 % interval: \S+ to \S+$/);
  await expect(page.getByTestId("basis")).toContainText("Learned from 5,000 steps");
});

test("it says which columns were taken for what", async ({ page }) => {
  await open(page);
  const roles = page.getByTestId("column-roles");
  const names = (meaning: string) =>
    roles
      .locator("div")
      .filter({ has: page.getByText(meaning, { exact: true }) })
      .locator("code")
      .allTextContents();
  expect(await names("the state")).toEqual(["position", "velocity"]);
  expect(await names("the reward")).toEqual(["reward"]);
  await expect(section(page, "columns")).toContainText("Columns that are not used: action.");
});

test("every warning comes with what to do", async ({ page }) => {
  const { advice } = summaryOf("learned");
  expect(advice.length).toBeGreaterThan(0);
  await open(page);
  const items = page.getByTestId("warning-list").locator("li");
  await expect(items).toHaveCount(advice.length);
  for (const [i, { advice: what }] of advice.entries()) {
    await expect(items.nth(i)).toContainText("What to do:");
    await expect(items.nth(i)).toContainText(what.slice(1));
  }
});

test("values are drawn over each variable with their band and the states visited", async ({ page }) => {
  await open(page);
  const numbers = await numbersOf(page, "values");
  for (const variable of ["position", "velocity"]) {
    const rows = numbers.filter(([name]) => name === variable).map((row) => row.slice(1).map(Number));
    expect(rows).toHaveLength(24);
    expect(rows.reduce((sum, [, , states]) => sum + states, 0)).toBe(5000);
    const visited = rows.filter(([, , states]) => states > 0);
    const drawing = await drawingOf(panel(page, "values", variable));
    const ticks = drawing.yTicks.filter(([text]) => !text.includes("%"));
    const y = scaleOf(
      ticks.map(([text, at]) => [text.replace("\u2212", "-"), at] as [string, number]),
      "linear",
    );
    const points = placesOf(drawing, variable, "points");
    expect(points).toHaveLength(visited.length);
    const range = Math.max(...visited.map((row) => row[3])) - Math.min(...visited.map((row) => row[3]));
    points.forEach(([, top], i) => expect(Math.abs(y(top) - visited[i][3])).toBeLessThan(0.01 * range));
    await expect(panel(page, "values", variable).locator('[data-part="support"] rect')).toHaveCount(24);
    expect(placesOf(drawing, variable, "band").length).toBeGreaterThan(0);
  }
});

test("the learning figure has the judgements of the summary", async ({ page }) => {
  const [{ judgements }] = summaryOf("learned").targets;
  await open(page);
  const numbers = await numbersOf(page, "learning");
  expect(numbers).toHaveLength(judgements.length);
  numbers.forEach(([after, , policy, td], i) => {
    expect(Number(after)).toBe(judgements[i].after);
    expectNear(Number(policy), judgements[i].value_of_policy!);
    expectNear(Number(td), judgements[i].td_error!);
  });
  const answer = await drawingOf(panel(page, "learning", "The answer, as it was known earlier"));
  expect(placesOf(answer, "policy", "line")).toHaveLength(judgements.length + 1);
});

test("calibration compares means of returns with predictions", async ({ page }) => {
  await open(page);
  const numbers = await numbersOf(page, "calibration");
  expect(numbers).toHaveLength(10);
  const predicted = numbers.map(([value]) => Number(value));
  expect([...predicted].sort((a, b) => a - b)).toEqual(predicted);
  const drawing = await drawingOf(panel(page, "calibration", "Calibration: means of similar predictions"));
  expect(placesOf(drawing, "groups", "points")).toHaveLength(10);
  const single = await drawingOf(panel(page, "calibration", "Returns against predictions"));
  expect(placesOf(single, "returns", "points").length).toBeGreaterThan(100);
});

test("a tip shows the numbers of a point", async ({ page }) => {
  await open(page);
  const box = panel(page, "values", "position");
  await box.scrollIntoViewIfNeeded();
  await box
    .locator("svg")
    .first()
    .hover({ position: { x: 200, y: 120 } });
  await expect(box).toContainText("% of the states");
});

test("it says so where the value and the returns observed lie apart", async ({ page }) => {
  const [{ value, half_width: half, returns }] = summaryOf("learned_unlike").targets;
  expect(Math.abs(value! - returns!.mean)).toBeGreaterThan(half! + returns!.half_width!);
  await open(page, "learned_unlike");
  await expect(page.getByTestId("disagreement")).toBeVisible();
  await open(page, "learned");
  await expect(page.getByTestId("disagreement")).toHaveCount(0);
});

test("without a value it says why, and draws none", async ({ page }) => {
  await open(page, "learned_nothing");
  await expect(page.getByTestId("answer")).toHaveText("The data cannot tell");
  await expect(page.getByTestId("no-value")).toContainText("every importance ratio is 0");
  await expect(section(page, "values")).toContainText("There are no values to show.");
  await expect(page.getByTestId("interval")).toHaveCount(0);
});

test("each target has its own answer, and the address remembers which is shown", async ({ page }) => {
  const { targets } = summaryOf("learned_hostile");
  expect(targets).toHaveLength(2);
  await open(page, "learned_hostile");
  await expect(page.locator("h1")).toContainText("at a discount of 0.5 a step");
  const first = await page.getByTestId("answer").textContent();
  await page.getByTestId("target").selectOption({ index: 1 });
  await expect(page.locator("h1")).toContainText("at a discount of 0.9 a step");
  expect(await page.getByTestId("answer").textContent()).not.toBe(first);
  await page.reload();
  await expect(page.locator("h1")).toContainText("at a discount of 0.9 a step");
});

test("names of columns are shown letter for letter and do nothing", async ({ page }) => {
  await page.addInitScript(() => {
    Object.assign(window, { booms: 0, boom: () => ++(window as unknown as { booms: number }).booms });
  });
  await open(page, "learned_hostile");
  await unfold(page);
  expect(await page.getByTestId("column-roles").locator("code").first().textContent()).toBe(hostile.labels[0]);
  expect(await page.locator(".panel figcaption").first().textContent()).toBe(hostile.labels[0]);
  await expect(section(page, "columns")).toContainText(hostile.labels[1].slice(0, 12));
  expect(await page.evaluate(() => (window as unknown as { booms: number }).booms)).toBe(0);
  await expect(page.locator("img, iframe, object, embed, [onerror], [onload]")).toHaveCount(0);
  await expect(page.locator("script")).toHaveCount(2);
});

test("the colours follow the system", async ({ page }) => {
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await open(page);
    expect(await background()).toBe(colorScheme === "light" ? "rgb(255, 255, 255)" : "rgb(22, 24, 27)");
  }
});

test("on paper there are the answer and the figures, on white, without controls", async ({ page }) => {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await open(page);
  await expect(page.getByTestId("answer")).toBeVisible();
  await expect(panel(page, "values", "position")).toBeVisible();
  await expect(page.locator(".side")).toBeHidden();
  await expect(page.getByTestId("save-values")).toBeHidden();
});

test("a figure is saved as a picture that other programs can read", async ({ page }) => {
  await open(page);
  const coming = page.waitForEvent("download");
  await page.getByTestId("save-values").click();
  const stream = (await (await coming).createReadStream())!;
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  const picture = Buffer.concat(chunks).toString("utf8");
  expect(picture).toContain("position");
  expect(picture).not.toContain("var(--");
});

for (const width of [1280, 800, 360])
  test(`the page is not wider than a window of ${width} pixels`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    for (const name of ["learned", "learned_hostile", "learned_nothing"]) {
      await open(page, name);
      await unfold(page);
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  });
