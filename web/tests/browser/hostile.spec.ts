import type { Page } from "@playwright/test";
import { hostile } from "./support/hostile";
import { resultsOf } from "./support/program";
import { databaseOf, expect, hashOf, legend, open, panelOf, section, seriesOf, test, unfold } from "./support/report";

/// Counts what would run if a text became more than text.
test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => {
    Object.assign(window, { booms: 0, boom: () => ++(window as unknown as { booms: number }).booms });
  });
});
test.afterEach(async ({ page }) => {
  expect(await page.evaluate(() => (window as unknown as { booms: number }).booms)).toBe(0);
  await expect(page.locator("img, iframe, object, embed, [onerror], [onload]")).toHaveCount(0);
  await expect(page.locator("script")).toHaveCount(2);
  expect(await page.locator("a[href]").evaluateAll((all) => all.map((a) => a.getAttribute("href")![0]))).not.toContain(
    "j",
  );
});

const text = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((one) => one.textContent);

test("the program keeps hostile texts as they are", async ({ page }) => {
  await open(page, "hostile");
  const [study] = resultsOf(databaseOf("hostile"));
  expect(study.study).toBe(hostile.name);
  expect(study.title).toBe(hostile.title);
  expect(new Set(study.rows.map(({ label }) => label))).toEqual(new Set(hostile.labels));
});

test("hostile texts are shown letter for letter and do nothing", async ({ page }) => {
  await open(page, "hostile");
  expect(await text(page, "h1")).toBe(hostile.title);
  expect(await text(page, ".about")).toBe(hostile.about);
  expect(await text(page, "[data-testid=presets] a")).toBe(hostile.figure);
  expect(
    await legend(page)
      .locator("span")
      .evaluateAll((all) => all.map((one) => one.textContent)),
  ).toEqual(hostile.labels);
  expect(await page.title()).toContain("</script><script>boom()</script><!--<script>");
  await unfold(page);
  expect(await text(page, "pre")).toContain(hostile.study.trim());
  expect(await text(page, "[data-testid=facts]")).toContain(hostile.name);
  expect(new Set(await page.locator("tbody th").allTextContents())).toEqual(
    new Set(hostile.labels.map((label) => ` ${label}`)),
  );
});

test("hostile texts do nothing in the overview", async ({ page }) => {
  await open(page, "several");
  const card = page.getByTestId("study-card").last();
  expect(await card.locator("h2").evaluate((one) => one.textContent)).toBe(hostile.title);
  await card.locator("h2 a").click();
  expect(await text(page, "h1")).toBe(hostile.title);
});

test("learners with hostile names are switched off, kept in the address and found again", async ({ page }) => {
  await open(page, "hostile");
  expect(await seriesOf(panelOf(page, "curves"))).toEqual(hostile.labels);
  for (const [place, label] of hostile.labels.entries()) {
    await legend(page).nth(place).click();
    expect(await seriesOf(panelOf(page, "curves"))).not.toContain(label);
  }
  await page.reload();
  for (const button of await legend(page).all()) await expect(button).toHaveAttribute("aria-pressed", "false");
  expect((await hashOf(page)).getAll("hide")).toEqual(hostile.labels);
});

test("learners with hostile names are found, sorted, chosen, told and faded like others", async ({ page }) => {
  await open(page, "hostile");
  await legend(page).nth(0).focus();
  await expect(page.getByTestId("attended")).toContainText(`${hostile.labels[0]}, best: alpha=`);
  await page.getByTestId("filter").fill("__proto__");
  await expect(page.getByTestId("row-count")).toHaveText("3 of 18 settings");
  await page.getByTestId("settings-table").getByText("show", { exact: true }).first().click();
  await expect(legend(page).nth(2)).toContainText("chosen");
  await panelOf(page, "sensitivity").focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByTestId("tip")).toContainText(hostile.labels[0]);
});

test("a saved figure with hostile names is well-formed", async ({ page }) => {
  await open(page, "hostile");
  const coming = page.waitForEvent("download");
  await page.getByTestId("save-curves").click();
  const stream = (await (await coming).createReadStream())!;
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  const found = await page.evaluate((source) => {
    const picture = new DOMParser().parseFromString(source, "image/svg+xml");
    const active = picture.querySelectorAll("script, image, foreignObject, a, parsererror").length;
    return { active, texts: [...picture.querySelectorAll("text")].map((one) => one.textContent) };
  }, Buffer.concat(chunks).toString("utf8"));
  expect(found.active).toBe(0);
  expect(found.texts).toEqual(expect.arrayContaining(hostile.labels));
});

test("long and hostile names do not make the page wider than the window", async ({ page }) => {
  for (const name of ["hostile", "several"]) {
    await open(page, name);
    await unfold(page);
    for (const width of [1280, 800, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  }
});

test("the figure of the study file with a hostile title sets its view", async ({ page }) => {
  await open(page, "hostile");
  await page.getByTestId("presets").getByRole("link").click();
  await expect.poll(() => seriesOf(panelOf(page, "sensitivity"))).toEqual(hostile.labels.slice(0, 3));
  await expect(section(page, "sensitivity")).toBeInViewport();
});
