import { resultsOf, rowsOf } from "./support/program";
import { addressOf, databaseOf, expect, legend, numbersOf, open, panelOf, panels, placesOf } from "./support/report";
import { drawingOf, press, section, seriesOf, tableIds, tableRows, test } from "./support/report";

const facts = (page: import("@playwright/test").Page, name: string) =>
  page.getByTestId("facts").locator("div", { has: page.locator("dt", { hasText: new RegExp(`^${name}$`) }) });

test("a report opens from disk and draws all its figures", async ({ page }) => {
  await open(page, "boyan");
  await expect(page).toHaveTitle(/^Boyan's chain/);
  await expect(page.locator("h1")).toHaveText("Boyan's chain");
  for (const figure of ["curves", "sensitivity", "cost"] as const) {
    await expect(panelOf(page, figure).locator(".drawing svg")).toBeVisible();
    expect((await drawingOf(panelOf(page, figure))).parts.length).toBeGreaterThan(10);
  }
});

test("the facts of a study are those that the program reports", async ({ page }) => {
  const [study] = resultsOf(databaseOf("boyan"), "--metric", "relative");
  const sum = (what: "runs" | "diverged") => study.rows.reduce((total, row) => total + row[what], 0);
  await open(page, "boyan");
  await expect(facts(page, "settings").locator("dd")).toHaveText(String(study.settings));
  await expect(facts(page, "runs").locator("dd")).toHaveText(sum("runs").toLocaleString("en-US"));
  await expect(facts(page, "diverged").locator("dd")).toContainText(sum("diverged").toLocaleString("en-US"));
  await expect(facts(page, "learners").locator("dd")).toHaveText(String(new Set(study.rows.map((r) => r.label)).size));
  await expect(page.getByTestId("command")).toContainText("--scale quick");
  await expect(page.getByTestId("incomplete")).toHaveCount(0);
});

test("the command of a study can be copied", async ({ page }) => {
  await open(page, "cases");
  await page.getByRole("button", { name: "copy the command" }).click();
  await expect(page.locator(".command").getByRole("status")).toHaveText("copied");
  await page.getByTestId("filter").focus();
  await page.keyboard.press("Control+V");
  await expect(page.getByTestId("filter")).toHaveValue((await page.getByTestId("command").innerText()).trim());
});

test("on paper there are figures and tables with a line that says what they show, on white, and no controls", async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await open(page, "cases", "#metric=mspbe&by=last&case=1");
  await press(page, "theme", "dark");
  await expect(page.getByTestId("on-paper")).toBeHidden();
  await page.emulateMedia({ media: "print" });
  for (const figure of ["curves", "sensitivity", "cost"] as const)
    await expect(panelOf(page, figure).locator(".drawing svg")).toBeVisible();
  await expect(page.getByTestId("settings-table")).toBeVisible();
  await expect(page.getByTestId("on-paper")).toHaveText(/size=9.* · .* · ranked by the error at the end$/);
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(
    "rgb(255, 255, 255)",
  );
  await expect(page.getByText("curve", { exact: true })).toBeHidden();
  for (const control of ["curves.x", "filter", "save-curves", "studies", "theme"])
    await expect(page.getByTestId(control)).toBeHidden();
});

test("several files make one page, with an overview that links to every study", async ({ page }) => {
  await open(page, "several");
  await expect(page.locator("h1")).toHaveText("Studies");
  await expect(page.getByTestId("study-card")).toHaveCount(4);
  const card = page.getByTestId("study-card").nth(1);
  const [best] = rowsOf(databaseOf("one_run"), "rmse");
  await expect(card.locator(".leaders tbody tr").first()).toContainText(best.label);
  await card.getByRole("link").click();
  await expect(page.locator("h1")).toHaveText("One run");
  await page.getByTestId("studies").getByRole("link", { name: "Overview" }).click();
  await expect(page.getByTestId("study-card")).toHaveCount(4);
});

test("the same study of two files is there twice, each with its own file", async ({ page }) => {
  await open(page, "several");
  const files: (string | null)[] = [];
  for (const place of [0, 2]) {
    await page.getByTestId("study-card").nth(place).locator("h2 a").click();
    await expect(page.locator("h1")).toHaveText("Two lengths of a walk");
    files.push(await facts(page, "file").locator("dd").textContent());
    await page.goBack();
  }
  expect(files.map((file) => file?.split("/").pop())).toEqual(["cases.db", "cases_again.db"]);
});

test("a page of one study of several holds no other", async ({ page }) => {
  await open(page, "one_of_several");
  await expect(page.locator("h1")).toHaveText("One run");
  expect(await page.content()).not.toContain("Two lengths of a walk");
});

test("an unfinished study says how much of it is here", async ({ page }) => {
  const [study] = resultsOf(databaseOf("unfinished"), "--metric", "rmse");
  const runs = study.rows.reduce((total, row) => total + row.runs, 0);
  expect(runs).toBeGreaterThan(0);
  await open(page, "unfinished");
  await expect(page.getByTestId("incomplete")).toContainText("not complete: less than 1 %");
  await expect(facts(page, "runs").locator("dd")).toHaveText(
    `${runs.toLocaleString("en-US")} of ${(study.seeds * study.settings).toLocaleString("en-US")}`,
  );
  const ids = study.rows.filter(({ domain_settings }) => domain_settings.size === "5").map(({ setting }) => setting);
  expect(await tableIds(page)).toEqual(ids);
});

test("a study of one run has curves but no intervals", async ({ page }) => {
  await open(page, "one_run");
  const drawing = await drawingOf(panelOf(page, "curves"));
  expect(await seriesOf(panelOf(page, "curves"))).toEqual(["td", "lstd"]);
  expect(placesOf(drawing, "td", "line")).toHaveLength(11);
  expect(drawing.parts.filter(({ part, places }) => part === "band" && places.length > 0)).toEqual([]);
  for (const { half } of await numbersOf(page, "curves")) expect(half).toBe("");
  await expect(page.getByTestId("settings-table")).not.toContainText("±");
  expect(await page.locator("body").innerText()).not.toMatch(/NaN|Infinity|undefined|null/);
});

test("a page with only the best curves says which settings have none", async ({ page }) => {
  const rows = rowsOf(databaseOf("boyan"), "relative");
  const [best, second] = rows.filter(({ label }) => label === "ATD");
  await open(page, "boyan_best", `#setting=${second.setting}`);
  await expect(section(page, "curves").locator(".note")).toContainText("its curve was left out (--curves best): ATD.");
  expect(await seriesOf(panelOf(page, "curves"))).not.toContain("ATD");
  const button = (id: number) => page.locator(`tr[data-setting="${id}"] button`);
  await expect(button(second.setting)).toBeDisabled();
  await button(best.setting).click();
  expect(await seriesOf(panelOf(page, "curves"))).toContain("ATD");
});

test("a page with only the best curves draws the same as the whole page", async ({ page }) => {
  const pictures: string[] = [];
  for (const name of ["boyan", "boyan_best"]) {
    await open(page, name);
    pictures.push(await panelOf(page, "curves").locator(".drawing").innerHTML());
  }
  expect(pictures[0]).toBe(pictures[1]);
});

test("a learner whose runs all diverged is named, ranked last and not drawn", async ({ page }) => {
  await open(page, "diverging");
  await expect(legend(page)).toHaveCount(3);
  await expect(section(page, "curves").locator(".note")).toContainText("because all runs diverged: lost.");
  expect(await seriesOf(panelOf(page, "curves"))).toEqual(["td", "TO-TD"]);
  await expect(tableRows(page).last()).toContainText("10 / 10");
  await expect(tableRows(page).filter({ hasText: "lost" })).toHaveCount(2);
  await expect(page.locator("tr.shown, tr:has([aria-pressed=true])").filter({ hasText: "lost" })).toHaveCount(0);
  await expect(tableRows(page).last()).toContainText("–");
});

test("a page of four thousand settings opens, and all of them can be reached", async ({ page }) => {
  const rows = rowsOf(databaseOf("large"), "relative");
  expect(rows.length).toBeGreaterThan(4000);
  await open(page, "large");
  const ids = rows.map(({ setting }) => setting);
  expect(await tableIds(page)).toEqual(ids.slice(0, 25));
  await open(page, "large", `#page=${Math.ceil(ids.length / 25)}`);
  expect(await tableIds(page)).toEqual(ids.slice(25 * Math.floor((ids.length - 1) / 25)));
  const { parts } = await drawingOf(panelOf(page, "cost"));
  expect(parts.flatMap(({ places }) => places).length).toBeGreaterThan(3000);
  await legend(page).last().click();
  const left = rows.filter(({ label }) => label !== "ATD").length;
  await expect(page.getByTestId("row-count")).toContainText(left.toLocaleString("en-US"));
});

test("a page without data says so", async ({ page }) => {
  await page.goto(addressOf("without_data"));
  await expect(page.locator("body")).toHaveText(/There is no data in this page\./);
});

test("every control has a name, headings have an order and the page has landmarks", async ({ page }) => {
  for (const name of ["several", "cases"]) {
    await open(page, name);
    await expect(page.locator("h1")).toHaveCount(1);
    await expect(page.getByRole("main")).toHaveCount(1);
    await expect(page.getByRole("navigation", { name: "Studies" })).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    for (const role of ["button", "combobox", "searchbox", "link", "figure", "navigation"] as const)
      expect(await page.getByRole(role, { name: /^$/ }).count(), `${role}s without a name`).toBe(0);
    const levels = await page.locator("h1, h2, h3, h4").evaluateAll((all) => all.map(({ tagName }) => tagName[1]));
    levels.forEach((level, place) => expect(Number(level) - Number(levels[place - 1] ?? 0)).toBeLessThanOrEqual(1));
    const ids = await page.locator("[id]").evaluateAll((all) => all.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
  }
  await expect(page.getByTestId("settings-table").locator("th[aria-sort]:not([aria-sort=none])")).toHaveCount(1);
  await expect(panels(page, "curves").first()).toHaveAttribute("tabindex", "0");
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  test("the page says what it needs", async ({ page }) => {
    await page.goto(addressOf("cases"));
    await expect(page.locator("noscript")).toBeVisible();
    expect(await page.locator("noscript").innerText()).toContain("This report needs JavaScript.");
  });
});
