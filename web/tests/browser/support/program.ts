import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/// The program under test. The page is compared with what it prints and exports.

const program = process.env.BELLWETHER_PROGRAM!;

export const bellwether = (...words: string[]): string =>
  execFileSync(program, words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1e9 });

export interface Estimate {
  mean: number | null;
  half_width: number | null;
  runs: number;
}

/// A row of `results --json`: a setting, ranked by a metric.
export interface Row {
  metric: string;
  rank: number;
  setting: number;
  domain_settings: Record<string, string>;
  label: string;
  learner: string;
  parameters: Record<string, string>;
  average: Estimate;
  last: Estimate;
  runs: number;
  diverged: number;
  microseconds: number | null;
  bytes: number | null;
}

export interface Results {
  study: string;
  scale: string;
  title: string;
  seeds: number;
  settings: number;
  metrics: string[];
  rows: Row[];
}

export const resultsOf = (database: string, ...words: string[]): Results[] =>
  JSON.parse(bellwether("results", database, "--json", ...words)) as Results[];

/// Rows of one metric, best first in each case.
export const rowsOf = (database: string, metric: string, by: "average" | "last" = "average"): Row[] =>
  resultsOf(database, "--metric", metric, "--by", by)[0].rows;

export interface CurvePoint {
  step: number;
  mean: number;
  variance: number;
  runs: number;
}

/// The learning curve of every setting, by metric and setting: "rmse 12".
export function curvesOf(database: string): Map<string, CurvePoint[]> {
  const folder = mkdtempSync(join(tmpdir(), "bellwether-export-"));
  try {
    bellwether("export", database, "--table", "curves", "-o", folder, "--force");
    const curves = new Map<string, CurvePoint[]>();
    const [, ...lines] = readFileSync(join(folder, "curves.csv"), "utf8").trim().split("\n");
    for (const line of lines) {
      const [setting, metric, ...numbers] = line.split(",");
      const [step, mean, variance, runs] = numbers.map(Number);
      const key = `${metric} ${setting}`;
      if (!curves.has(key)) curves.set(key, []);
      curves.get(key)!.push({ step, mean, variance, runs });
    }
    return curves;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/// Sweeps a study that would take hours, and interrupts it once there are some runs.
export async function sweepInPart(study: string, database: string) {
  const sweep = spawn(program, ["sweep", study, "--jobs", "1", "--out", database], { stdio: "ignore" });
  const ended = new Promise((resolve) => sweep.on("exit", resolve));
  const some = () => {
    try {
      return resultsOf(database)[0].rows.some(({ runs }) => runs > 0);
    } catch {
      return false; // there is no file yet
    }
  };
  while (sweep.exitCode === null && !some()) await new Promise((resolve) => setTimeout(resolve, 50));
  sweep.kill("SIGINT");
  await ended;
}
