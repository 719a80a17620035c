import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bellwether, sweepInPart } from "./program";
import { hostile } from "./hostile";

/// Makes the databases and pages for all tests once, in a folder that is removed afterwards.
export default async function setup() {
  const folder = mkdtempSync(join(tmpdir(), "bellwether-report-"));
  process.env.BELLWETHER_REPORTS = folder;
  const studies = fileURLToPath(new URL("../studies", import.meta.url));
  const shipped = fileURLToPath(new URL("../../../../studies", import.meta.url));
  const file = (name: string) => join(folder, name);
  const sweep = (study: string, name: string, ...words: string[]) =>
    bellwether("sweep", study, "--jobs", "2", "--out", file(`${name}.db`), ...words);
  const report = (name: string, databases: string[], ...words: string[]) =>
    bellwether("report", ...databases.map((one) => file(`${one}.db`)), "-o", file(`${name}.html`), ...words);

  sweep(join(shipped, "boyan.toml"), "boyan", "--scale", "quick");
  report("boyan", ["boyan"]);
  report("boyan_best", ["boyan"], "--curves", "best");

  const few = "\n[scale.large.run]\nsteps = 100\nseeds = 2\n"; // of all settings
  writeFileSync(file("boyan.toml"), readFileSync(join(shipped, "boyan.toml"), "utf8") + few);
  sweep(file("boyan.toml"), "large", "--scale", "large");
  report("large", ["large"]);

  for (const name of ["cases", "one_run", "diverging", "partly_diverging"]) {
    sweep(join(studies, `${name}.toml`), name);
    report(name, [name]);
  }
  await sweepInPart(join(studies, "unfinished.toml"), file("unfinished.db"));
  report("unfinished", ["unfinished"]);

  writeFileSync(file(`${hostile.name}.toml`), hostile.study);
  sweep(file(`${hostile.name}.toml`), "hostile");
  report("hostile", ["hostile"]);

  sweep(join(studies, "cases.toml"), "cases_again");
  report("several", ["cases", "one_run", "cases_again", "hostile"]);
  report("one_of_several", ["cases", "one_run"], "--study", "one_run");

  const learn = (name: string, log: string, ...words: string[]) => {
    writeFileSync(file(`${name}.csv`), log);
    const json = bellwether("learn", file(`${name}.csv`), ...words, "--json", "--report", file(`${name}.html`));
    writeFileSync(file(`${name}.json`), json);
  };
  learn("learned", bellwether("simulate", "mountain_car", "--steps", "5000"));
  learn("learned_hostile", hostile.log, ...hostile.columns, "--discount", "0.5,0.9");
  // Episodes are short or long, which the state does not say, so that discounted values are not the returns.
  const lengths = Array.from({ length: 600 }, (_, i) => (i % 2 === 0 ? 2 : 30));
  const unlike = lengths.flatMap((n) =>
    Array.from({ length: n }, (_, t) => `${t > 0 ? 1 : 0},1,${t + 1 === n ? 1 : 0}`),
  );
  const log = ["s,reward,done", ...unlike].join("\n") + "\n";
  learn("learned_unlike", log, "--learner", "lstd", "--set", "lambda=0", "--discount", "0.9");
  learn("learned_nothing", "s,reward,done,rho\n" + "0,1,0,0\n1,1,1,0\n".repeat(9));

  const page = readFileSync(file("boyan.html"), "utf8");
  const data = /(<script type="application\/json" id="bellwether-data">).*?(?=<\/script>)/s;
  writeFileSync(file("without_data.html"), page.replace(data, "$1null"));
  return () => rmSync(folder, { recursive: true });
}
