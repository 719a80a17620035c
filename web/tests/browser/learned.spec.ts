import { addressOf, expect, test } from "./support/report";

/// The page of `bellwether learn --report`, which runs no script.

test("the page of a learned model shows its value, figures and diagnostics", async ({ page }) => {
  await page.goto(addressOf("learned"));
  await expect(page.locator("h1")).toHaveText("Value of the policy");
  await expect(page.locator(".value")).toHaveText(/^-?[\d.]+/);
  await expect(page.locator("figure svg").first()).toBeVisible();
  await expect(page.locator("tbody tr").first()).toBeVisible();
  await expect(page.locator("code")).toContainText("bellwether learn");
  await expect(page.locator("script")).toHaveCount(0);
});

test("the page of a learned model is dark when the system is", async ({ page }) => {
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const paper = () =>
    page
      .locator("svg .page")
      .first()
      .evaluate((rect) => getComputedStyle(rect).fill);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(addressOf("learned"));
    expect(await background()).toBe(colorScheme === "light" ? "rgb(255, 255, 255)" : "rgb(22, 24, 27)");
    expect(await paper()).toBe(await background());
  }
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });
  test("the page of a learned model is not wider than the screen", async ({ page }) => {
    await page.goto(addressOf("learned"));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});
