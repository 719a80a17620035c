import assert from "node:assert/strict";
import { test } from "node:test";
import { valueOf } from "../../src/data";
import { rankingOf } from "../../src/ranking";
import { filtered, sorted } from "../../src/table";
import { grid, learners, studyOf } from "./example";

const study = grid();
const ranking = rankingOf(study, { case: 0, metric: 0, by: "average" });

test("every word of the filter must match, and a value in full", () => {
  const lambdas = (filter: string) => filtered(study, ranking.order, filter).map((s) => valueOf(study, s, "lambda"));
  assert.deepEqual(new Set(lambdas("TD lambda=0.9")), new Set(["0.9"]));
  assert.equal(lambdas("lambda=0.9 alpha=1").length, 1);
  assert.equal(lambdas("lambda=0.9 lstd").length, 0);
  assert.equal(lambdas("  ").length, ranking.order.length);
  assert.equal(lambdas("lambda=").length, 9);
});

test("a word of the filter begins a word of the label or of the learner's name", () => {
  const labels = ["TD(0)", "TD, decaying", "TO-TD", "ATD", "LSTD", "one"];
  const names = ["td", "td", "true_online_td", "atd", "lstd", "td"];
  const rows = labels.map((_, learner) => ({ learner, values: [], error: 1 }));
  const own = { ...studyOf(rows), learners: labels.map((label, i) => ({ ...learners[2], label, learner: names[i] })) };
  const found = (filter: string) => filtered(own, [0, 1, 2, 3, 4, 5], filter).map((setting) => labels[setting]);
  assert.deepEqual(found("td"), ["TD(0)", "TD, decaying", "one"]);
  assert.deepEqual(found("TD(0)"), ["TD(0)"]);
  assert.deepEqual(found("decay TD"), ["TD, decaying"]);
  assert.deepEqual(found("to-td"), ["TO-TD"]);
  assert.deepEqual(found("true_online"), ["TO-TD"]);
  assert.deepEqual(found("lstd"), ["LSTD"]);
  assert.deepEqual(found("on"), ["one"]);
});

test("values in the filter are compared as numbers if they are, to the digits that the table shows", () => {
  const values = ["2.44140625e-07", "0.9", "0.95", "1000000", "auto", "0"];
  const own = studyOf(values.map((value) => ({ learner: 1, values: [value], error: 1 })));
  const found = (text: string) => filtered(own, [0, 1, 2, 3, 4, 5], `inverse_init=${text}`).map((s) => values[s]);
  for (const text of ["2.441e-7", "2.441e\u22127", "2.44140625e-07"]) assert.deepEqual(found(text), [values[0]], text);
  for (const text of ["0.9", "0.90", ".9", "9e-1"]) assert.deepEqual(found(text), ["0.9"], text);
  assert.deepEqual(found("1e6"), ["1000000"]);
  assert.deepEqual(found("AUTO"), ["auto"]);
  assert.deepEqual(found("0"), ["0"]);
  for (const text of ["2.44e-7", "au", "other", "00.99"]) assert.deepEqual(found(text), [], text);
  assert.deepEqual(found(""), values);
});

test("values are sorted as numbers, and settings without one come last in either order", () => {
  for (const descending of [false, true]) {
    const values = sorted(study, ranking, ranking.order, "by.inverse_init", descending).map((s) =>
      valueOf(study, s, "inverse_init"),
    );
    assert.deepEqual(values.slice(0, 3), descending ? ["100", "10", "1"] : ["1", "10", "100"]);
    assert.ok(values.slice(3).every((value) => value === undefined));
  }
});

test("settings that are equal in a column stay in the order of rank", () => {
  const order = sorted(study, ranking, ranking.order, "learner", false);
  const ranks = order.filter((s) => study.settings.learner[s] === 0).map((s) => ranking.rank.get(s)!);
  assert.deepEqual(
    ranks,
    [...ranks].sort((a, b) => a - b),
  );
});
