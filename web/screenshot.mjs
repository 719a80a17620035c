// A picture of a page, as the documentation has them:
//   node screenshot.mjs 'report.html#study=boyan/paper' picture.png [WIDTHxHEIGHT] [light|dark]
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "@playwright/test";

const [page, picture, size = "1280x800", colorScheme = "light"] = process.argv.slice(2);
const [file, hash] = page.split(/(?=#)/);
const [width, height] = size.split("x").map(Number);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const tab = await browser.newPage({ viewport: { width, height }, colorScheme, deviceScaleFactor: 1.5 });
await tab.goto(pathToFileURL(resolve(file)).href + (hash ?? ""));
await tab.waitForSelector("svg");
await tab.screenshot({ path: picture });
await browser.close();
