// Bundles the script of the page into one file, and writes its hash beside it, by which a browser knows it.
//   node build.mjs DIR     DIR/report.js, DIR/report.js.sha256
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const folder = process.argv[2];
if (!folder) throw new Error("say which folder to write to: node build.mjs DIR");
const { outputFiles } = await build({
  entryPoints: [new URL("src/main.tsx", import.meta.url).pathname],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  write: false,
});
const { contents } = outputFiles[0];
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "report.js"), contents);
writeFileSync(join(folder, "report.js.sha256"), createHash("sha256").update(contents).digest("base64"));
