import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
if (!existsSync(executablePath))
  throw new Error(`${executablePath} is not there: say in CHROMIUM where the browser is`);
if (!process.env.BELLWETHER_PROGRAM) throw new Error("BELLWETHER_PROGRAM must say where the program is");

/// The tests open pages that the program has made, from disk, in a browser that is installed.
export default defineConfig({
  testDir: "tests/browser",
  globalSetup: "./tests/browser/support/setup.ts",
  outputDir: "node_modules/.browser-tests",
  fullyParallel: true,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  workers: 2,
  reporter: [["list"]],
  use: {
    viewport: { width: 1280, height: 900 },
    launchOptions: {
      executablePath,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
