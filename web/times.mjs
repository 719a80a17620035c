// How long a page takes to open and to answer, as CSV: medians of five, in milliseconds.
//   node times.mjs report.html > ../bench/results/MACHINE_report.csv
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "@playwright/test";

const page = pathToFileURL(resolve(process.argv[2])).href;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const repeats = 5;
const median = (times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)].toFixed(0);

/// From an event until the second frame after it, by when what it changed is on the screen.
const answer = (tab, selector, event) =>
  tab.evaluate(
    async ([selector, event]) => {
      const target = document.querySelector(selector);
      const begun = performance.now();
      if (event === "click") target.click();
      else {
        target.value = event;
        target.dispatchEvent(new Event(target.tagName === "SELECT" ? "change" : "input", { bubbles: true }));
      }
      for (let frame = 0; frame < 2; ++frame) await new Promise(requestAnimationFrame);
      return performance.now() - begun;
    },
    [selector, event],
  );

const actions = [
  ["hide a learner", "[data-testid=legend] button", "click"],
  ["sort the table", "[data-testid=settings-table] th:nth-child(3) button", "click"],
  ["filter the table", "[data-testid=filter]", "td"],
  ["sensitivity to lambda", "[data-testid='sensitivity.x']", "lambda"],
  ["another metric", "[data-testid=metric]", "rmse"],
];

const times = { open: [] };
for (let i = 0; i < repeats; ++i) {
  const tab = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const begun = performance.now();
  await tab.goto(page + "#figure=none");
  await tab.waitForSelector("[data-testid=figure-cost] svg");
  times.open.push(performance.now() - begun);
  for (const [name, selector, event] of actions) (times[name] ??= []).push(await answer(tab, selector, event));
  await tab.close();
}
await browser.close();
console.log("action,milliseconds");
for (const [name, all] of Object.entries(times)) console.log(`${name},${median(all)}`);
