import type { Page } from "@playwright/test";
import { rowsOf } from "./support/program";
import { addressOf, databaseOf, expect, hashOf, learner, legend, numbersOf, open, panelOf } from "./support/report";
import { panels, press, section, seriesOf, tableIds, tableRows, test, unfold } from "./support/report";

/// All that a view shows. The names of clips change whenever figures are drawn.
const shown = (page: Page) =>
  page
    .locator("main")
    .evaluate((main) => main.innerHTML.replaceAll(/plot-clip-\d+/g, "clip").replaceAll(' open=""', ""));

/// Whether the page is light or dark, judged by its text.
const expectPage = (page: Page, kind: "light" | "dark") =>
  expect
    .poll(
      () =>
        page.evaluate(() => {
          const { backgroundColor, color } = getComputedStyle(document.documentElement);
          const sum = (text: string) => text.match(/\d+/g)!.reduce((total, part) => total + Number(part), 0);
          return sum(backgroundColor) > sum(color) ? "light" : "dark";
        }),
      { timeout: 5000 },
    )
    .toBe(kind);

const changes: [what: string, change: (page: Page) => Promise<unknown>, part: Record<string, string>][] = [
  ["a case", (page) => page.getByTestId("case").selectOption({ index: 1 }), { case: "1" }],
  ["a metric", (page) => page.getByTestId("metric").selectOption("mspbe"), { metric: "mspbe" }],
  ["the last error", (page) => press(page, "by", "at the end"), { by: "last" }],
  ["time", (page) => press(page, "curves.x", "time"), { "curves.x": "time" }],
  ["a log axis of steps", (page) => press(page, "curves.scale", "log"), { "curves.scale": "log" }],
  ["a linear axis", (page) => press(page, "curves.y", "linear"), { "curves.y": "linear" }],
  ["a parameter", (page) => page.getByTestId("sensitivity.x").selectOption("alpha"), { "sensitivity.x": "alpha" }],
  ["a value", (page) => page.getByTestId("at.trace").selectOption("replacing"), { "at.trace": "replacing" }],
  [
    "panels",
    (page) => page.getByTestId("sensitivity.panels").selectOption("lambda"),
    { "sensitivity.panels": "lambda" },
  ],
  ["memory", (page) => press(page, "cost.x", "memory"), { "cost.x": "memory" }],
  ["a learner less", (page) => learner(page, "TD, replacing").click(), { hide: "TD, replacing" }],
  ["a filter", (page) => page.getByTestId("filter").fill("td lambda=0.9"), { filter: "td lambda=0.9" }],
  ["an order", (page) => page.locator("th button", { hasText: "diverged" }).click(), { sort: "diverged" }],
  ["best rows", (page) => press(page, "rows", "best of each learner"), { rows: "best" }],
];

test("the address keeps every change of the view, and shows the same when it is opened", async ({ page, context }) => {
  await open(page, "cases");
  for (const [what, change, part] of changes) {
    await change(page);
    for (const [key, value] of Object.entries(part)) expect((await hashOf(page)).get(key), what).toBe(value);
  }
  const other = await context.newPage();
  await other.goto(await page.evaluate(() => location.href));
  await expect(other.locator("h1")).toBeVisible();
  await page.locator("h1").focus();
  expect(await shown(other)).toBe(await shown(page));
});

test("back and forward step through the changes of a view", async ({ page }) => {
  await open(page, "cases");
  const views = [await shown(page)];
  for (const [, change] of changes.slice(0, 6)) {
    await change(page);
    views.push(await shown(page));
  }
  for (let place = 5; place >= 0; --place) {
    await page.goBack();
    await expect.poll(() => shown(page)).toBe(views[place]);
  }
  await page.goForward();
  await expect.poll(() => shown(page)).toBe(views[1]);
});

test("typing a filter adds no steps to the history", async ({ page }) => {
  await open(page, "cases");
  const length = await page.evaluate(() => history.length);
  await page.getByTestId("filter").pressSequentially("lstd");
  await expect(tableRows(page)).toHaveCount(1);
  expect(await page.evaluate(() => history.length)).toBe(length);
});

const nonsense = [
  "#%%%&&&===",
  "#study=cases/paper&metric=constructor&case=-1&by=__proto__&curves.x=</script>",
  "#study=cases/paper&case=99&page=-5&setting=1e9&setting=NaN&setting=&hide=nobody&at.lambda=7&at.__proto__=1",
  "#study=cases/paper&sensitivity.x=toString&sensitivity.panels=hasOwnProperty&sort=valueOf&order=up&rows=none&page=1e99",
  "#study=cases/paper&shows=javascript:alert(1)&curves.panels=<img src=x onerror=alert(1)>",
  `#${"study=cases/paper&".repeat(500)}`,
];

test("nonsense in the address is ignored", async ({ page }) => {
  await open(page, "cases", "");
  const usual = await shown(page);
  await open(page, "cases", nonsense[0]);
  expect(await shown(page)).toBe(usual);
  for (const one of nonsense.slice(1)) {
    await page.evaluate((hash) => void (location.hash = hash), "#study=cases/paper&case=1&hide=td");
    await expect(page.getByTestId("case")).toHaveValue("1");
    await page.evaluate((hash) => void (location.hash = hash), one);
    await expect.poll(() => shown(page), one).toBe(usual);
  }
  await open(page, "cases", "#study=no/such");
  await expect(page.locator("h1")).toHaveText("Studies");
});

test("a page number beyond the last shows the last page", async ({ page }) => {
  await open(page, "boyan", "#page=1000");
  await expect(page.getByTestId("page")).toHaveText("page 17 of 17");
  await expect(tableRows(page)).toHaveCount(5);
});

test("a study opens with the first figure of its file, marked but not scrolled to; all shows the other learners", async ({
  page,
}) => {
  const first = page.getByTestId("presets").getByRole("link").first();
  for (const hash of ["", "#study=boyan/quick"]) {
    await open(page, "boyan", hash);
    await expect(first).toHaveAttribute("aria-current", "true");
    await expect(page.locator("[data-testid=presets] [aria-current]")).toHaveCount(1);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    expect(await seriesOf(panelOf(page, "sensitivity"))).toEqual([
      ...["TD(0)", "TD", "TO-TD", "ETD", "TO-ETD", "LSTD", "ATD"],
    ]);
  }
  await page.getByTestId("legend").getByRole("button", { name: "all", exact: true }).click();
  expect(await seriesOf(panelOf(page, "sensitivity"))).toHaveLength(12);
  await page.reload();
  await expect(legend(page)).toHaveCount(12);
  expect(await seriesOf(panelOf(page, "sensitivity"))).toHaveLength(12);
  await page.goBack();
  await expect(first).toHaveAttribute("aria-current", "true");
  expect(await seriesOf(panelOf(page, "sensitivity"))).toHaveLength(7);
});

test("a figure of the study file sets the view it asks for", async ({ page }) => {
  await open(page, "cases");
  const preset = (name: string) => page.getByTestId("presets").getByRole("link", { name, exact: true });
  await preset("Curves in time").click();
  await expect(preset("Curves in time")).toHaveAttribute("aria-current", "true");
  await expect(page.getByTestId("metric")).toHaveValue("mspbe");
  await expect(learner(page, "TD, replacing")).toHaveAttribute("aria-pressed", "false");
  expect(await seriesOf(panelOf(page, "curves"))).toEqual(["td", "lstd"]);
  await expect(panelOf(page, "curves")).toContainText("processor time of the learner");
  await preset("Step sizes, for each lambda").click();
  await expect(panels(page, "sensitivity")).toHaveCount(3);
  await expect(page.getByTestId("sensitivity.x")).toHaveValue("alpha");
  await preset("Step sizes at one lambda").click();
  await expect(panels(page, "sensitivity")).toHaveCount(1);
  await expect(page.getByTestId("at.lambda")).toHaveValue("0.5");
  const told = (await numbersOf(page, "sensitivity")).filter((row) => row.learner === "td");
  expect(told.map(({ setting }) => setting.split(" ").includes("lambda=0.5"))).toEqual([true, true, true]);
  await preset("Cost").click();
  await expect(section(page, "cost")).toBeInViewport();
});

test("a figure's own setting of a learner is among its panels for each value of a parameter", async ({ page }) => {
  await open(page, "boyan");
  await page.getByTestId("presets").getByRole("link", { name: "Figure 1, right: decaying step sizes" }).click();
  await expect(panels(page, "sensitivity").locator("figcaption")).toHaveText(["n0 = 100", "n0 = 1e6"]);
  for (const place of [0, 1]) expect(await seriesOf(panels(page, "sensitivity").nth(place))).toHaveLength(7);
});

test("the page is dark when the system is, unless its switch says otherwise", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await open(page, "cases");
  await expectPage(page, "dark");
  await press(page, "theme", "light");
  await expectPage(page, "light");
  await page.emulateMedia({ colorScheme: "light" });
  await press(page, "theme", "dark");
  await expectPage(page, "dark");
  await expect(async () => {
    await page.reload(); // again where another process of the browser does not know the choice yet
    await expectPage(page, "dark");
  }).toPass({ intervals: [500] });
  const curve = panelOf(page, "curves").locator('[data-series="lstd"][data-part="line"] > g');
  const colour = () => curve.evaluate((line) => getComputedStyle(line).stroke);
  const before = await colour();
  await press(page, "theme", "auto");
  await expectPage(page, "light");
  expect(await colour()).not.toBe(before);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  test("no page is wider than the screen, and all figures are shown", async ({ page }) => {
    for (const [name, view] of [
      ["several", ""],
      ["boyan", "#sensitivity.panels=lambda&curves.panels=n0&curves.y=linear"],
      ["cases", "#case=1"],
      ["diverging", ""],
      ["unfinished", ""],
    ]) {
      await open(page, name, view);
      await unfold(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(360);
      const boxes = await page
        .locator(".drawing svg")
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
      expect(boxes.length, name).toBeGreaterThanOrEqual(name === "several" ? 0 : 3);
      for (const { width, right } of boxes) {
        expect(right).toBeLessThanOrEqual(360);
        expect(width).toBeGreaterThan(200);
      }
    }
  });

  test("learners are switched off, settings chosen and points read by touch", async ({ page }) => {
    await open(page, "cases");
    await learner(page, "lstd").tap();
    expect(await seriesOf(panelOf(page, "curves"))).toEqual(["td", "TD, replacing"]);
    await tableRows(page).nth(1).getByRole("button").tap();
    await expect(legend(page).getByText("chosen")).toHaveCount(1);
    await page.getByTestId("sensitivity.x").selectOption("lambda");
    await panelOf(page, "sensitivity").scrollIntoViewIfNeeded();
    await panelOf(page, "sensitivity").locator('[data-part="dots"] path').first().tap();
    await expect(page.getByTestId("tip")).toContainText("td");
  });

  test("the numbers of a point stay on the screen", async ({ page }) => {
    await open(page, "boyan");
    for (const figure of ["curves", "sensitivity", "cost"] as const) {
      await panelOf(page, figure).focus();
      for (let i = 0; i < 14; ++i) {
        await page.keyboard.press(i % 3 === 2 ? "ArrowDown" : "ArrowRight");
        const { x, width } = (await page.getByTestId("tip").boundingBox())!;
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x + width).toBeLessThanOrEqual(360);
      }
    }
  });
});

test("figures follow the width of the window", async ({ page }) => {
  await open(page, "cases");
  const width = async () => (await panelOf(page, "cost").locator(".drawing svg").boundingBox())!.width;
  const before = await width();
  await page.setViewportSize({ width: 900, height: 900 });
  await expect.poll(width).toBeLessThan(before - 50);
});

test("the first stop of the tab key skips to the content", async ({ page }) => {
  await open(page, "cases");
  await page.keyboard.press("Tab");
  await expect(page.getByText("Skip to the content")).toBeFocused();
  await expect(page.getByText("Skip to the content")).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.locator("h1")).toBeFocused();
});

test("learners are switched on and off with the keyboard", async ({ page }) => {
  await open(page, "cases");
  const button = learner(page, "td");
  for (let stops = 0; stops < 60 && !(await button.evaluate((one) => one === document.activeElement)); ++stops)
    await page.keyboard.press("Tab");
  await expect(button).toBeFocused();
  await page.keyboard.press("Space");
  await expect(button).toHaveAttribute("aria-pressed", "false");
  await expect(button).toBeFocused();
  expect(await seriesOf(panelOf(page, "curves"))).toEqual(["TD, replacing", "lstd"]);
  await page.keyboard.press("Enter");
  await expect(button).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Tab");
  await expect(learner(page, "TD, replacing")).toBeFocused();
});

test("a link to a section leads there and keeps the view", async ({ page }) => {
  await open(page, "cases", "#case=1");
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Settings" }).click();
  await expect(section(page, "settings").locator("h2")).toBeInViewport();
  const rows = rowsOf(databaseOf("cases"), "rmse").filter(({ domain_settings }) => domain_settings.size === "9");
  expect(await tableIds(page)).toEqual(rows.map(({ setting }) => setting));
  await page.goto(addressOf("cases", "#shows=protocol"));
  await page.reload();
  await expect(section(page, "protocol").locator("h2")).toBeInViewport();
});
