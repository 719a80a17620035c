import type { Page } from "@playwright/test";
import { type Row, resultsOf, rowsOf } from "./support/program";
import {
  databaseOf,
  drawingOf,
  expect,
  expectNear,
  learner,
  numbersOf,
  open,
  panelOf,
  placesOf,
} from "./support/report";
import { hashOf, press, tableIds, tableRows, test } from "./support/report";

const boyan = () => databaseOf("boyan");
const header = (page: Page, name: string) =>
  page.getByTestId("settings-table").locator("th", { has: page.getByText(name, { exact: true }) });
const cell = (page: Page, row: number, place: number) => tableRows(page).nth(row).locator("td, th").nth(place);
const filter = (page: Page) => page.getByTestId("filter");
const next = (page: Page) => page.getByRole("button", { name: "next", exact: true });

/// The ids on all pages of the table.
async function allIds(page: Page): Promise<number[]> {
  const ids = await tableIds(page);
  while ((await next(page).count()) > 0 && (await next(page).isEnabled())) {
    await next(page).click();
    ids.push(...(await tableIds(page)));
  }
  return ids;
}

test("the table ranks settings as the program does, by every metric and either error", async ({ page }) => {
  await open(page, "boyan");
  for (const metric of ["relative", "rmse"])
    for (const by of ["average", "last"] as const) {
      await page.getByTestId("metric").selectOption(metric);
      await press(page, "by", by === "last" ? "at the end" : "whole curve");
      const first = rowsOf(boyan(), metric, by).slice(0, 25);
      expect(await tableIds(page)).toEqual(first.map(({ setting }) => setting));
    }
});

test("a setting with diverged runs ranks behind those without, however small its error", async ({ page }) => {
  const rows = rowsOf(databaseOf("partly_diverging"), "rmse");
  const place = rows.findIndex(({ diverged }) => diverged > 0);
  expect(rows[place].average.mean!).toBeLessThan(rows[place - 1].average.mean!);
  await open(page, "partly_diverging");
  expect(await tableIds(page)).toEqual(rows.map(({ setting }) => setting));
});

test("the pages of the table hold every setting once, in the order of rank", async ({ page }) => {
  await open(page, "boyan");
  await expect(page.getByTestId("page")).toHaveText("page 1 of 17");
  expect(await allIds(page)).toEqual(rowsOf(boyan(), "relative").map(({ setting }) => setting));
  await expect(page.getByTestId("page")).toHaveText("page 17 of 17");
  await page.getByRole("button", { name: "previous", exact: true }).click();
  await expect(page.getByTestId("page")).toHaveText("page 16 of 17");
});

test("a row has the numbers of its setting", async ({ page }) => {
  await open(page, "boyan", "#filter=n0=100+alpha=0.1");
  const rows = new Map(rowsOf(boyan(), "relative").map((row) => [row.setting, row]));
  const titles = await page.getByTestId("settings-table").locator("thead th").allInnerTexts();
  const ids = await tableIds(page);
  expect(ids.length).toBeGreaterThan(10);
  for (const [place, id] of ids.entries()) {
    const row = rows.get(id)!;
    const texts = await tableRows(page).nth(place).locator("td, th").allInnerTexts();
    const told = Object.fromEntries(titles.map((title, i) => [title.replace(/ [↑↓]$/, ""), texts[i].trim()]));
    expect(told["#"]).toBe(String(row.rank));
    expect(told.learner).toBe(row.label);
    expect(told.alpha).toBe(row.parameters.alpha);
    expect(told.lambda).toBe(row.label.startsWith("TD(0)") ? "" : row.parameters.lambda);
    expect(told.diverged).toBe(`${row.diverged} / ${row.runs}`);
    expectNear(Number(told["µs per step"]), row.microseconds!, 0.005);
    for (const [title, { mean, half_width }] of [
      ["whole curve", row.average],
      ["at the end", row.last],
    ] as const) {
      const [center, half] = told[title].split(" ± ").map(Number);
      expect(Math.abs(center - mean!)).toBeLessThanOrEqual(0.05 * half_width! + 1e-6);
      expectNear(half, half_width!, 0.051);
    }
  }
});

test("every heading sorts, and reverses when pressed again; settings without a value stay last", async ({ page }) => {
  const rows = new Map(rowsOf(boyan(), "relative").map((row) => [row.setting, row]));
  const number = (text: string | undefined) => (text === undefined ? null : Number(text));
  const keys: Record<string, (row: Row) => number | null> = {
    alpha: ({ learner: name, parameters }) => (/lstd|atd/.test(name) ? null : number(parameters.alpha)),
    lambda: ({ label, parameters }) => (label.startsWith("TD(0)") ? null : number(parameters.lambda)),
    n0: ({ label, parameters }) => (/decaying/.test(label) ? number(parameters.n0) : null),
    "whole curve": ({ average }) => average.mean,
    "at the end": ({ last }) => last.mean,
    diverged: ({ diverged, runs }) => diverged / runs,
    "µs per step": ({ microseconds }) => microseconds,
    memory: ({ bytes }) => bytes,
  };
  await open(page, "boyan");
  for (const [title, key] of Object.entries(keys))
    for (const order of ["ascending", "descending"]) {
      await header(page, title).getByRole("button").click();
      await expect(header(page, title)).toHaveAttribute("aria-sort", order);
      await expect(page.locator("th[aria-sort]:not([aria-sort=none])")).toHaveCount(1);
      const sign = order === "ascending" ? 1 : -1;
      const wanted = [...rows.values()]
        .map((row) => key(row))
        .sort((a, b) => (a === null || b === null ? Number(a === null) - Number(b === null) : sign * (a - b)));
      const found = (await tableIds(page)).map((id) => key(rows.get(id)!));
      expect(found, `${title}, ${order}`).toEqual(wanted.slice(0, 25));
    }
});

test("all columns fit into a window of usual width", async ({ page }) => {
  await open(page, "boyan");
  const box = page.getByRole("region", { name: "Table of settings" });
  expect(await box.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
});

test("the table can be sorted with the keyboard", async ({ page }) => {
  await open(page, "cases");
  await header(page, "learner").getByRole("button").focus();
  await page.keyboard.press("Enter");
  await expect(header(page, "learner")).toHaveAttribute("aria-sort", "ascending");
  await expect(cell(page, 0, 2)).toContainText("lstd");
  await page.keyboard.press("Space");
  await expect(header(page, "learner")).toHaveAttribute("aria-sort", "descending");
  await expect(header(page, "learner").getByRole("button")).toBeFocused();
  await expect(tableRows(page).last()).toContainText("lstd");
});

test("all words of the filter must match, and values in full", async ({ page }) => {
  const rows = rowsOf(boyan(), "relative");
  const ids = (has: (row: Row) => boolean) => rows.filter(has).map(({ setting }) => setting);
  await open(page, "boyan");
  await filter(page).fill("true_online lambda=0.5 alpha=0.1");
  await expect(page.getByTestId("row-count")).toHaveText(/^6 of 405 settings$/);
  expect(await tableIds(page)).toEqual(
    ids(
      ({ learner: name, parameters }) =>
        name.startsWith("true_online") && parameters.lambda === "0.5" && parameters.alpha === "0.1",
    ),
  );
  await filter(page).fill("td lambda=0.50");
  const named = ids(
    ({ learner: name, label, parameters }) =>
      name === "td" && !label.startsWith("TD(0)") && parameters.lambda === "0.5",
  );
  await expect(page.getByTestId("row-count")).toHaveText(`${named.length} of 405 settings`);
  expect(await allIds(page)).toEqual(named);
  await filter(page).fill("LAMBDA=0");
  const swept = ids(({ label, parameters }) => !label.startsWith("TD(0)") && parameters.lambda === "0");
  await expect(page.getByTestId("row-count")).toHaveText(`${swept.length} of 405 settings`);
  expect(await allIds(page)).toEqual(swept);
  await filter(page).fill("nothing of this kind");
  await expect(page.getByText("No setting matches.")).toBeVisible();
  await filter(page).fill("");
  await expect(page.getByTestId("row-count")).toHaveText("405 of 405 settings");
});

test("a filter typed on a late page starts at the first page of its results", async ({ page }) => {
  await open(page, "boyan", "#page=17");
  await expect(page.getByTestId("page")).toHaveText("page 17 of 17");
  await filter(page).fill("lstd");
  await expect(page.getByTestId("row-count")).toHaveText("20 of 405 settings");
  await expect(tableRows(page)).toHaveCount(20);
});

test("the best settings of learners are those that the program calls best", async ({ page }) => {
  await open(page, "boyan");
  await press(page, "rows", "best of each learner");
  const [{ rows }] = resultsOf(boyan(), "--best", "--metric", "relative");
  expect(await tableIds(page)).toEqual(rows.map(({ setting }) => setting));
});

test("settings of learners that are switched off disappear from the table", async ({ page }) => {
  await open(page, "cases");
  await expect(page.getByTestId("row-count")).toHaveText("16 of 16 settings");
  await learner(page, "td").click();
  await expect(page.getByTestId("row-count")).toHaveText("7 of 16 settings");
  await page.getByTestId("case").selectOption({ index: 1 });
  const left = rowsOf(databaseOf("cases"), "rmse").filter(
    ({ label, domain_settings }) => label !== "td" && domain_settings.size === "9",
  );
  expect(await tableIds(page)).toEqual(left.map(({ setting }) => setting));
});

test("a chosen setting replaces its learner's best curve, until the best is chosen again", async ({ page }) => {
  const rows = rowsOf(boyan(), "relative").filter(({ label }) => label === "LSTD");
  const [best, worst] = [rows[0], rows[rows.length - 1]];
  const button = (row: Row) => page.locator(`tr[data-setting="${row.setting}"] button`);
  const end = async () => (await numbersOf(page, "curves")).filter((row) => row.learner === "LSTD").pop()!;
  await open(page, "boyan", "#filter=lstd");
  const places = async () => placesOf(await drawingOf(panelOf(page, "curves")), "LSTD", "line");
  const before = await places();
  await expect(button(best)).toHaveAttribute("aria-pressed", "true");
  await button(worst).click();
  await expect(button(worst)).toHaveAttribute("aria-pressed", "true");
  await expect(button(best)).toHaveAttribute("aria-pressed", "false");
  await expect(learner(page, "LSTD")).toContainText("chosen");
  expectNear(Number((await end()).mean), worst.last.mean!);
  expect(await places()).not.toEqual(before);
  await page.getByTestId("reset").click();
  expectNear(Number((await end()).mean), best.last.mean!);
  await expect(learner(page, "LSTD")).not.toContainText("chosen");
});

test("each learner has at most one chosen setting", async ({ page }) => {
  const rows = rowsOf(boyan(), "relative");
  const third = (label: string) => rows.filter((row) => row.label === label)[2].setting;
  await open(page, "boyan");
  for (const label of ["LSTD", "ATD", "LSTD"]) {
    await filter(page).fill(label.toLowerCase());
    await page.locator(`tr[data-setting="${third(label)}"] button`).click();
  }
  expect((await hashOf(page)).getAll("setting").sort()).toEqual([third("LSTD"), third("ATD")].map(String).sort());
});
