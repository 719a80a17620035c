import assert from "node:assert/strict";
import { test } from "node:test";
import { chosenSettings, hashOf, parseView, presetOf, presetView, startView } from "../../src/view";
import { grid, reportOf } from "./example";

const study = grid();
const report = reportOf(study);

test("an address gives back the view it was made from", () => {
  const view = {
    ...startView("a/quick", study),
    by: "last",
    "curves.x": "time",
    "sensitivity.x": "lambda",
    "cost.panels": "alpha",
    sort: "by.lambda",
    order: "descending",
    hide: ["TD, replacing", "LSTD"],
    at: { alpha: "0.1" },
    chosen: [103],
    filter: "td lambda=0.9 a&b #%+",
    page: 7,
  };
  assert.deepEqual(parseView(hashOf(view, study), report), view);
});

test("the start of a study has a short, readable address", () => {
  assert.equal(hashOf(startView("a/quick", study), study), "#study=a/quick");
  const view = { ...startView("a/quick", study), hide: ["TD, replacing"], filter: "lambda=0.9" };
  assert.equal(hashOf(view, study), "#study=a/quick&hide=TD,+replacing&filter=lambda=0.9");
});

test("unknown values in an address are ignored", () => {
  const odd =
    "&case=9&shows=%3Cb%3E&metric=__proto__&by=x&hide=nobody&setting=1e9&setting=NaN&page=-3&sort=constructor" +
    "&sensitivity.x=toString&at.alpha=77&at.__proto__=1&curves.y=&unknown=1";
  assert.deepEqual(parseView(`#study=a/quick${odd}`, report), startView("a/quick", study));
  for (const hash of ["", "#", "#overview", "#study=constructor", "#study=c/quick", "#%%%", "#study=%E0%A4%A"])
    assert.equal(parseView(hash, report), null);
});

test("a single study is shown at once, and the overview when it is asked for", () => {
  const single = { ...report, studies: [study] };
  assert.equal(parseView("", single)?.study, "a/quick");
  assert.equal(parseView("#overview", single), null);
});

test("a figure of the study file shows its learners, and ignores what the study lacks", () => {
  const preset = {
    title: "",
    shows: "sensitivity",
    learners: ["LSTD"],
    at: { lambda: "0.9" },
    metric: "rmse",
  } as const;
  const asked = { ...preset, learners: ["LSTD"], x: "lambda", panels: "no such", y: "linear" };
  const view = presetView(startView("a/quick", study), study, asked);
  assert.deepEqual(view.hide, ["TD, replacing", "tLSTD"]);
  assert.equal(view["sensitivity.x"], "lambda");
  assert.equal(view["sensitivity.y"], "linear");
  assert.equal(view["sensitivity.panels"], "");
  assert.deepEqual(view.at, { lambda: "0.9" });
});

test("a study opens with the first figure of its file, and every view of it has an address", () => {
  const figure = { title: "", shows: "sensitivity", x: "own", panels: "", at: {}, metric: "rmse", y: "log" } as const;
  const all = { ...figure, learners: [] };
  const drawn = { ...study, figures: [{ ...figure, learners: ["LSTD"] }, all, { ...all, shows: "cost" } as const] };
  const own = reportOf(drawn);
  for (const hash of ["#study=a/quick", "#study=a/quick&unknown=1&by=x"]) {
    const opened = parseView(hash, own)!;
    assert.deepEqual(opened.hide, ["TD, replacing", "tLSTD"]);
    assert.equal(opened.shows, "");
    assert.equal(presetOf(opened, drawn), 0);
    assert.deepEqual(parseView(hashOf(opened, drawn), own), opened);
    assert.equal(presetOf({ ...opened, shows: "settings" }, drawn), 0);
    assert.equal(presetOf({ ...opened, by: "last" }, drawn), -1);
  }
  const plain = startView("a/quick", drawn);
  assert.equal(hashOf(plain, drawn), "#study=a/quick&figure=none");
  assert.deepEqual(parseView(hashOf(plain, drawn), own), plain);
  assert.equal(presetOf({ ...plain, shows: "cost" }, drawn), 2);
  assert.deepEqual(parseView("#study=a/quick&case=0&page=2", own)!.hide, []);
});

test("the setting of a learner that was chosen last counts", () => {
  const view = { ...startView("a/quick", study), chosen: [100, 109, 102] };
  assert.deepEqual(
    chosenSettings(view, study),
    new Map([
      [0, 2],
      [1, 9],
    ]),
  );
});
