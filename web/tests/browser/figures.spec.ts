import type { Page } from "@playwright/test";
import { type CurvePoint, type Row, curvesOf, rowsOf } from "./support/program";
import {
  type NumberRow,
  databaseOf,
  drawingOf,
  expect,
  expectNear,
  learner,
  legend,
  numbersOf,
} from "./support/report";
import { open, panelOf, panels, placesOf, press, scaleOf, section, seriesOf, test } from "./support/report";

const boyan = () => databaseOf("boyan");
const cases = () => databaseOf("cases");

/// The first row of each group; rows are ranked.
function bestBy(rows: Row[], group: (row: Row) => string): Map<string, Row> {
  const best = new Map<string, Row>();
  for (const row of rows) if (!best.has(group(row))) best.set(group(row), row);
  return best;
}
const bestOfLearners = (rows: Row[]) => bestBy(rows, ({ label }) => label);
const ofCase = (rows: Row[], size: string) => rows.filter(({ domain_settings }) => domain_settings.size === size);

/// 97.5 % quantiles of Student's t, by degrees of freedom.
const quantiles: Record<number, number> = { 11: 2.2009851600829, 49: 2.0095752371292 };
const halfWidth = ({ variance, runs }: CurvePoint) => quantiles[runs - 1] * Math.sqrt(variance / runs);

/// Compares a table of learning curves with those of settings.
function expectCurves(numbers: NumberRow[], settings: Map<string, Row>, curves: Map<string, CurvePoint[]>) {
  expect(new Set(numbers.map((row) => row.learner))).toEqual(new Set(settings.keys()));
  for (const [label, { setting, metric }] of settings) {
    const curve = curves.get(`${metric} ${setting}`)!;
    const told = numbers.filter((row) => row.learner === label);
    expect(told.map(({ x }) => x.split(",")[0])).toEqual(curve.map(({ step }) => `step ${step}`));
    told.forEach(({ mean, half }, place) => {
      expectNear(Number(mean), curve[place].mean, 1e-5, `${label} at ${curve[place].step}`);
      expectNear(Number(half), halfWidth(curve[place]), 1e-5, `half-width of ${label} at ${curve[place].step}`);
    });
  }
}

test("there is one curve for each learner, that of its best setting, with the program's means and intervals", async ({
  page,
}) => {
  const best = bestOfLearners(rowsOf(boyan(), "relative"));
  await open(page, "boyan");
  expect((await seriesOf(panelOf(page, "curves"), "line")).sort()).toEqual([...best.keys()].sort());
  expect((await seriesOf(panelOf(page, "curves"), "band")).sort()).toEqual([...best.keys()].sort());
  expectCurves(await numbersOf(page, "curves"), best, curvesOf(boyan()));
});

for (const scale of ["log", "linear"] as const)
  test(`curves are drawn where the ${scale} axes say`, async ({ page }) => {
    const best = bestOfLearners(rowsOf(boyan(), "relative"));
    const curves = curvesOf(boyan());
    await open(page, "boyan");
    await press(page, "curves.scale", scale);
    await press(page, "curves.y", scale);
    const drawing = await drawingOf(panelOf(page, "curves"));
    const [x, y] = [scaleOf(drawing.xTicks, scale), scaleOf(drawing.yTicks, scale)];
    for (const [label, { setting }] of best) {
      const curve = curves.get(`relative ${setting}`)!.filter(({ step }) => scale === "linear" || step > 0);
      const places = placesOf(drawing, label, "line");
      expect(places).toHaveLength(curve.length);
      places.forEach(([left, top], place) => {
        expect(x(left)).toBeCloseTo(curve[place].step, 1);
        expectNear(y(top), curve[place].mean, 1e-3, `${label} at ${curve[place].step}`);
      });
      const ends = placesOf(drawing, label, "band").map(([, top]) => y(top));
      const last = curve[curve.length - 1];
      for (const side of [-1, 1]) {
        const wanted = last.mean + side * halfWidth(last);
        expect(ends.some((end) => Math.abs(end / wanted - 1) < 1e-3)).toBe(true);
      }
    }
  });

test("another metric, case or ranking shows the curves of the settings that are best by it", async ({ page }) => {
  const curves = curvesOf(cases());
  await open(page, "cases");
  expectCurves(await numbersOf(page, "curves"), bestOfLearners(ofCase(rowsOf(cases(), "rmse"), "5")), curves);
  await page.getByTestId("case").selectOption({ index: 1 });
  expectCurves(await numbersOf(page, "curves"), bestOfLearners(ofCase(rowsOf(cases(), "rmse"), "9")), curves);
  await press(page, "by", "at the end");
  expectCurves(await numbersOf(page, "curves"), bestOfLearners(ofCase(rowsOf(cases(), "rmse", "last"), "9")), curves);
  await page.getByTestId("metric").selectOption("mspbe");
  expectCurves(await numbersOf(page, "curves"), bestOfLearners(ofCase(rowsOf(cases(), "mspbe", "last"), "9")), curves);
});

test("a curve against time takes as long as the setting's steps", async ({ page }) => {
  const best = bestOfLearners(rowsOf(boyan(), "relative"));
  await open(page, "boyan");
  await press(page, "curves.x", "time");
  await press(page, "curves.scale", "linear");
  await expect(panelOf(page, "curves")).toContainText("processor time of the learner (ms)");
  const drawing = await drawingOf(panelOf(page, "curves"));
  const x = scaleOf(drawing.xTicks, "linear");
  for (const [label, { microseconds }] of best) {
    const places = placesOf(drawing, label, "line");
    expect(x(places[0][0])).toBeCloseTo(0, 3);
    expectNear(x(places[places.length - 1][0]), (1000 * microseconds!) / 1000, 0.01, label);
  }
});

test("a learner that is switched off disappears from all figures, and comes back", async ({ page }) => {
  await open(page, "boyan");
  const drawn = async () => {
    const all = await Promise.all(
      (["curves", "sensitivity", "cost"] as const).map((figure) => drawingOf(panelOf(page, figure))),
    );
    return all.map(({ parts }) => parts.filter(({ series }) => series === "LSTD").length > 0);
  };
  expect(await drawn()).toEqual([true, true, true]);
  await learner(page, "LSTD").click();
  await expect(learner(page, "LSTD")).toHaveAttribute("aria-pressed", "false");
  expect(await drawn()).toEqual([false, false, false]);
  expect(await seriesOf(panelOf(page, "curves"))).toHaveLength(11);
  await learner(page, "LSTD").click();
  expect(await drawn()).toEqual([true, true, true]);
  await page.getByTestId("legend").getByRole("button", { name: "none", exact: true }).click();
  expect(await seriesOf(panelOf(page, "curves"))).toEqual([]);
  await page.getByTestId("legend").getByRole("button", { name: "all", exact: true }).click();
  expect(await seriesOf(panelOf(page, "curves"))).toHaveLength(12);
});

/// Compares the numbers of sensitivity with the best rows of each learner and value.
function expectSensitivity(numbers: NumberRow[], rows: Row[], parameterOf: (row: Row) => string | null) {
  const valueOf = (row: Row) => {
    const name = parameterOf(row);
    return name === null ? "" : `${name} = ${row.parameters[name]}`;
  };
  const best = bestBy(rows, (row) => `${row.label}: ${valueOf(row)}`);
  expect(numbers.map((row) => `${row.learner}: ${row.x}`).sort()).toEqual([...best.keys()].sort());
  for (const { learner: label, x, mean, half, diverged } of numbers) {
    const row = best.get(`${label}: ${x}`)!;
    expect(diverged).toBe(`${row.diverged} / ${row.runs}`);
    if (row.average.mean === null) expect(mean).toBe("");
    else expectNear(Number(mean), row.average.mean, 1e-5, `${label}, ${x}`);
    if (row.average.half_width !== null) expectNear(Number(half), row.average.half_width, 1e-5);
  }
}
const own = ({ learner: name }: Row) => ({ lstd: "inverse_init", atd: "eta" })[name] ?? "alpha";

test("sensitivity to a learner's own parameter is the best of all settings that share its value", async ({ page }) => {
  await open(page, "boyan");
  expectSensitivity(await numbersOf(page, "sensitivity"), rowsOf(boyan(), "relative"), own);
});

test("in the sensitivity to a parameter, learners without it are level lines", async ({ page }) => {
  const rows = rowsOf(boyan(), "relative");
  const sweeps = ({ label }: Row) => (label.startsWith("TD(0)") ? null : "lambda");
  await open(page, "boyan");
  await page.getByTestId("sensitivity.x").selectOption("lambda");
  expectSensitivity(await numbersOf(page, "sensitivity"), rows, sweeps);
  const drawing = await drawingOf(panelOf(page, "sensitivity"));
  const [[, left], [, right]] = placesOf(drawing, "TD(0)", "line");
  expect(left).toBe(right);
  const y = scaleOf(drawing.yTicks, "log");
  expectNear(y(left), bestOfLearners(rows).get("TD(0)")!.average.mean!, 1e-3);
  await expect(section(page, "sensitivity").locator(".note")).toContainText("A level line");
});

test("every tick has a number", async ({ page }) => {
  await open(page, "boyan");
  for (const x of ["own", "lambda", "n0", "alpha", "eta", "inverse_init"]) {
    await page.getByTestId("sensitivity.x").selectOption(x);
    for (const figure of ["curves", "sensitivity", "cost"] as const) {
      const { xTicks, yTicks } = await drawingOf(panelOf(page, figure));
      for (const [text] of [...xTicks, ...yTicks]) expect(text, `a tick of ${figure} against ${x}`).not.toBe("");
    }
  }
});

test("sensitivity at a chosen value is that of the settings with this value", async ({ page }) => {
  const rows = rowsOf(boyan(), "relative").filter(
    ({ label, parameters }) => label.startsWith("TD(0)") || parameters.lambda === "0.5",
  );
  await open(page, "boyan");
  await page.getByTestId("at.lambda").selectOption("0.5");
  expectSensitivity(await numbersOf(page, "sensitivity"), rows, own);
  await page.getByTestId("at.n0").selectOption("1000000");
  const decaying = rows.filter(({ label, parameters }) => !/decaying/.test(label) || parameters.n0 === "1000000");
  expectSensitivity(await numbersOf(page, "sensitivity"), decaying, own);
});

test("each panel of sensitivity shows the settings of its value", async ({ page }) => {
  const rows = rowsOf(boyan(), "relative");
  await open(page, "boyan");
  await page.getByTestId("sensitivity.panels").selectOption("lambda");
  await expect(panels(page, "sensitivity")).toHaveCount(4);
  const numbers = await numbersOf(page, "sensitivity");
  for (const value of ["0", "0.5", "0.9", "1"]) {
    const there = rows.filter(({ label, parameters }) => label.startsWith("TD(0)") || parameters.lambda === value);
    expectSensitivity(
      numbers.filter(({ panel }) => panel === `lambda = ${value}`),
      there,
      own,
    );
  }
});

for (const study of ["diverging", "partly_diverging"])
  test(`marks of ${study} tell whether some or all runs diverged`, async ({ page }) => {
    const rows = rowsOf(databaseOf(study), "rmse");
    const best = [...bestBy(rows, ({ label, parameters }) => `${label} ${parameters.alpha}`).values()];
    await open(page, study);
    const drawing = await drawingOf(panelOf(page, "sensitivity"));
    let openMarks = 0;
    for (const label of new Set(rows.map((row) => row.label))) {
      const own = best.filter((row) => row.label === label);
      const all = own.filter(({ diverged, runs }) => diverged === runs);
      const some = own.filter(({ diverged, runs, average }) => diverged > 0 && diverged < runs && average.mean! < 1);
      expect(placesOf(drawing, label, "all diverged"), label).toHaveLength(all.length);
      expect(placesOf(drawing, label, "some diverged"), label).toHaveLength(some.length);
      openMarks += some.length;
    }
    await expect(section(page, "sensitivity").locator(".note")).toContainText("A cross at the upper edge");
    await expect(section(page, "sensitivity").locator(".note", { hasText: "An open mark" })).toHaveCount(
      openMarks > 0 ? 1 : 0,
    );
    expectSensitivity(await numbersOf(page, "sensitivity"), rows, () => "alpha");
  });

test("huge errors are drawn within the figures, on any axis and in any panel", async ({ page }) => {
  await open(page, "partly_diverging", "#sensitivity.x=alpha&cost.panels=alpha");
  await expect(panels(page, "cost")).toHaveCount(5);
  await open(page, "diverging");
  for (const scale of ["linear", "log"])
    for (const parameter of ["alpha", "lambda", ""]) {
      for (const figure of ["curves", "sensitivity", "cost"]) {
        await press(page, `${figure}.y`, scale);
        await page.getByTestId(`${figure}.panels`).selectOption(parameter);
      }
      await expect(panels(page, "cost")).toHaveCount({ "": 1, alpha: 7, lambda: 2 }[parameter]!);
      await expect(section(page, "cost").locator(".note")).toContainText("are above the upper edge");
    }
});

test("whiskers of sensitivity reach from end to end of the interval", async ({ page }) => {
  const best = bestBy(ofCase(rowsOf(cases(), "rmse"), "5"), ({ label, parameters }) => `${label} ${parameters.alpha}`);
  await open(page, "cases", "#sensitivity.x=alpha");
  const y = scaleOf((await drawingOf(panelOf(page, "sensitivity"))).yTicks, "log");
  const outline = await panelOf(page, "sensitivity")
    .locator('[data-series="td"][data-part="whiskers"]')
    .getAttribute("d");
  const ends = [...outline!.matchAll(/M[\d.]+,([\d.]+)V([\d.]+)/g)].map(([, low, high]) => [Number(low), Number(high)]);
  expect(ends).toHaveLength(3);
  const height = Number(await panelOf(page, "sensitivity").locator(".drawing svg").getAttribute("height"));
  const [lowest, highest] = [y(height - 42), y(26)]; // the axis, beyond which there is nothing
  ["0.01", "0.1", "0.3"].forEach((alpha, place) => {
    const { mean, half_width } = best.get(`td ${alpha}`)!.average;
    expectNear(y(ends[place][0]), Math.max(mean! - half_width!, lowest), 0.003, alpha);
    expectNear(y(ends[place][1]), Math.min(mean! + half_width!, highest), 0.003, alpha);
  });
});

test("settings with some diverged runs are open marks of error against cost, and not on the front", async ({
  page,
}) => {
  const rows = rowsOf(databaseOf("partly_diverging"), "rmse").filter(({ average }) => average.mean !== null);
  const some = rows.filter(({ diverged, average }) => diverged > 0 && average.mean! < 1);
  expect(some.length).toBeGreaterThan(0);
  await open(page, "partly_diverging");
  const { parts } = await drawingOf(panelOf(page, "cost"));
  const circles = parts.filter(({ part }) => part === "others, some diverged").flatMap(({ places }) => places);
  expect(circles).toHaveLength(some.length);
  await expect(section(page, "cost").locator(".note")).toContainText("they are not part of the front");
  await open(page, "cases");
  await expect(section(page, "cost").locator(".note")).not.toContainText("Open marks");
});

test("points of the sensitivity are drawn where its axes say", async ({ page }) => {
  const best = bestBy(rowsOf(cases(), "rmse"), ({ label, parameters, domain_settings }) =>
    [label, parameters.alpha, domain_settings.size].join(),
  );
  await open(page, "cases");
  await page.getByTestId("sensitivity.x").selectOption("alpha");
  const drawing = await drawingOf(panelOf(page, "sensitivity"));
  const [x, y] = [scaleOf(drawing.xTicks, "log"), scaleOf(drawing.yTicks, "log")];
  for (const label of ["td", "TD, replacing"]) {
    const dots = placesOf(drawing, label, "dots");
    expect(dots).toHaveLength(3);
    ["0.01", "0.1", "0.3"].forEach((alpha, place) => {
      expectNear(x(dots[place][0]), Number(alpha), 1e-3);
      expectNear(y(dots[place][1]), best.get(`${label},${alpha},5`)!.average.mean!, 1e-3);
    });
  }
});

/// The settings that no other of the same case beats in both, found by trying all pairs.
function frontOf(rows: Row[], cost: (row: Row) => number): [number, number][] {
  const there = rows.filter((row) => row.diverged === 0 && row.average.mean !== null && cost(row) > 0);
  const error = (row: Row) => row.average.mean!;
  const beats = (a: Row, b: Row) =>
    cost(a) <= cost(b) && error(a) <= error(b) && (cost(a) < cost(b) || error(a) < error(b));
  const front = there.filter((row) => !there.some((other) => beats(other, row)));
  const pairs = new Map(front.map((row) => [cost(row), error(row)]));
  return [...pairs].sort(([a], [b]) => a - b);
}

/// "5 kB" in bytes; numbers without a unit are unchanged.
const inUnits = ([text, at]: [string, number]): [string, number] => [
  text.replace(/ (k|M)?B$/, (_, prefix: string | undefined) => ({ k: "e3", M: "e6" })[prefix ?? ""] ?? ""),
  at,
];

for (const cost of ["microseconds", "bytes"] as const)
  test(`the line through error against ${cost} is the front of settings that no other beats`, async ({ page }) => {
    const front = frontOf(rowsOf(boyan(), "relative"), (row) => row[cost] ?? 0);
    await open(page, "boyan", cost === "bytes" ? "#cost.x=memory" : "#figure=none");
    const drawing = await drawingOf(panelOf(page, "cost"));
    const [x, y] = [scaleOf(drawing.xTicks.map(inUnits), "log"), scaleOf(drawing.yTicks, "log")];
    const corners = placesOf(drawing, null, null).map(([left, top]): [number, number] => [x(left), y(top)]);
    const found = front.filter(([there, error]) =>
      corners.some(([left, top]) => Math.abs(left / there - 1) < 1e-3 && Math.abs(top / error - 1) < 1e-3),
    );
    expect(found).toEqual(front);
    const levels = new Set(placesOf(drawing, null, null).map(([, top]) => top));
    expect(levels.size).toBe(front.length + 1); // one step each, from the upper edge
  });

test("every setting with a cost and an error is a mark of error against cost, or is counted as missing", async ({
  page,
}) => {
  const rows = rowsOf(boyan(), "relative");
  const known = rows.filter((row) => row.average.mean !== null);
  await open(page, "boyan");
  const { parts } = await drawingOf(panelOf(page, "cost"));
  const marks = (part: string) => parts.filter((one) => one.part === part).flatMap(({ places }) => places).length;
  const note = await section(page, "cost").locator(".note").innerText();
  const told = (pattern: RegExp) => Number(note.match(pattern)?.[1] ?? 0);
  expect(marks("best")).toBe(new Set(rows.map(({ label }) => label)).size);
  expect(marks("best") + marks("others") + marks("others, some diverged") + told(/(\d+) settings are above/)).toBe(
    known.length,
  );
  expect(told(/(\d+) settings are not shown/)).toBe(rows.length - known.length);
});

test("the arrow keys show the numbers of one point after another", async ({ page }) => {
  const best = bestOfLearners(ofCase(rowsOf(cases(), "rmse"), "5"));
  const curve = curvesOf(cases()).get(`rmse ${best.get("td")!.setting}`)!;
  await open(page, "cases");
  await panelOf(page, "curves").focus();
  for (let i = 0; i < 3; ++i) await page.keyboard.press("ArrowRight");
  const tip = page.getByTestId("tip");
  await expect(tip).toContainText("td");
  await expect(tip).toContainText("step 80:");
  const [mean, half] = (await tip.locator("strong").innerText()).split(" ± ").map(Number);
  expect(mean).toBeCloseTo(curve[2].mean, 2);
  expect(half).toBeCloseTo(halfWidth(curve[2]), 2);
  await page.keyboard.press("ArrowDown");
  await expect(tip).toContainText("TD, replacing");
  await page.keyboard.press("Escape");
  await expect(tip).toHaveCount(0);
});

test("the pointer near a point shows its numbers", async ({ page }) => {
  await open(page, "cases");
  const drawing = await drawingOf(panelOf(page, "cost"));
  const [[left, top]] = placesOf(drawing, "lstd", "best");
  await panelOf(page, "cost").scrollIntoViewIfNeeded();
  const box = (await panelOf(page, "cost").locator(".drawing svg").boundingBox())!;
  await page.mouse.move(box.x + left + 2, box.y + top - 2);
  await expect(page.getByTestId("tip")).toContainText("lstd");
});

test("the line below the legend has the numbers of the learner in focus, as the program ranks it", async ({ page }) => {
  const best = bestOfLearners(rowsOf(boyan(), "relative")).get("TD")!;
  await open(page, "boyan");
  await learner(page, "TD").focus();
  const told = page.getByTestId("attended");
  await expect(told).toContainText(`TD, best: alpha=${best.parameters.alpha} lambda=${best.parameters.lambda}`);
  await expect(told).toContainText(`0 of ${best.runs} runs diverged`);
  const [, mean, half] = (await told.innerText()).match(/([\d.]+) ± ([\d.]+) over the whole curve/)!;
  expect(Number(mean)).toBeCloseTo(best.average.mean!, 3);
  expect(Number(half)).toBeCloseTo(best.average.half_width!, 3);
});

/// What a button saves, parsed as XML.
async function saved(page: Page, figure: string) {
  const coming = page.waitForEvent("download");
  await page.getByTestId(`save-${figure}`).click();
  const download = await coming;
  const chunks: Buffer[] = [];
  for await (const chunk of (await download.createReadStream())!) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  const parsed = await page.evaluate((source) => {
    const picture = new DOMParser().parseFromString(source, "image/svg+xml");
    const texts = [...picture.querySelectorAll("text")].map((one) => one.textContent!);
    const lines = picture.querySelectorAll('[data-part="line"] path').length;
    return { root: picture.documentElement.localName, texts, lines };
  }, text);
  return { name: download.suggestedFilename(), text, ...parsed };
}

test("a saved figure is an SVG file that stands alone, with all curves and a legend", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await open(page, "boyan");
  const labels = await legend(page).allInnerTexts();
  for (const figure of ["curves", "sensitivity", "cost"]) {
    const picture = await saved(page, figure);
    expect(picture.name).toBe(`boyan-quick-${figure}.svg`);
    expect(picture.root).toBe("svg");
    expect(picture.texts).toEqual(expect.arrayContaining(labels));
    expect(picture.text).not.toMatch(/var\(|class=|href=|light-dark/);
    expect(picture.lines).toBe(figure === "cost" ? 0 : 12);
  }
});
