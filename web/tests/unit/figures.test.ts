import assert from "node:assert/strict";
import { test } from "node:test";
import { errorAxis, linearTicks, logTicks, valueAxis } from "../../src/figures/axes";
import { costData } from "../../src/figures/cost";
import { curvesData } from "../../src/figures/curves";
import { spread } from "../../src/figures/labels";
import { percent, short, withHalfWidth } from "../../src/numbers";
import type { Parameter } from "../../src/data";
import { type View, startView } from "../../src/view";
import { type Row, studyOf } from "./example";

test("labels keep their order and their distance, and stay within their bounds", () => {
  for (const wanted of [[50, 50, 50, 52, 90], [0, 1, 2], [200, 199, 30, 31], [100], []]) {
    const places = spread(wanted, 10, 190);
    const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b] || a - b);
    order.slice(1).forEach((place, i) => assert.ok(places[place] - places[order[i]] >= 13 - 1e-9));
    assert.ok(places.every((y) => y >= 10 && y <= 190));
  }
  assert.deepEqual(spread([20, 100], 0, 200), [20, 100]);
});

test("ticks are inside the axis, neither crowded nor missing", () => {
  for (const ticks of [linearTicks, logTicks])
    for (const [low, high] of [
      [0.9, 1.4],
      [0.05, 1.1],
      [0.01, 3],
      [1e-7, 1e6],
      [1e-30, 1e30],
      [3, 40],
    ]) {
      const found = ticks(low, high);
      assert.ok(found.length >= 2 && found.length <= 12, `${low} ${high}: ${found}`);
      const slack = 1e-6 * (high - low);
      assert.ok(found.every((x) => x >= low - slack && x <= high + slack));
    }
});

test("an error far above the others does not squash them", () => {
  assert.ok((errorAxis("", "linear", [0.1, 0.2, 0.3, 1e12, NaN], 2).domain[1] as number) < 0.4);
  assert.ok((errorAxis("", "log", [0.1, 0.2, 1.5, 1e12], 2).domain[1] as number) > 1.5);
});

test("values are on the axis that the program finds suitable, which holds all of them", () => {
  const axis = (values: string[], scale: Parameter["scale"]) => valueAxis({ name: "a", values, titles: [], scale });
  for (const scale of ["linear", "log"] as const) {
    const { type, domain } = axis(["0.01", "1"], scale);
    assert.equal(type, scale);
    assert.ok(Number(domain[0]) < 0.01 && Number(domain[1]) > 1);
  }
  assert.equal(axis(["auto", "1"], "named").type, "point");
  assert.deepEqual(axis(["auto", "1"], "named").domain, ["auto", "1"]);
});

/// A study whose learners have curves and these times per step.
const timed = (times: number[]) => {
  const made = studyOf(times.map((cost, learner) => ({ learner, values: [], error: 1, cost })));
  const curves = new Float32Array(times.flatMap(() => [1, 0.5, 0, 0])); // means, then half-widths
  made.settings.curve = times.map((_, i) => i);
  return { ...made, curves: Buffer.from(curves.buffer).toString("base64") };
};

test("time is logarithmic when learners differ by more than a factor of 20, unless the reader chooses", () => {
  const axis = (times: number[], choices: Partial<View>) => {
    const made = timed(times);
    const { x, panels } = curvesData(made, { ...startView("a/quick", made), ...choices });
    return [x.type, panels[0].series[0].points.length];
  };
  assert.deepEqual(axis([1, 21], { "curves.x": "time" }), ["log", 1]); // without step 0
  assert.deepEqual(axis([1, 20], { "curves.x": "time" }), ["linear", 2]);
  assert.deepEqual(axis([1, 21], { "curves.x": "time", "curves.scale": "linear" }), ["linear", 2]);
  assert.deepEqual(axis([1, 20], { "curves.x": "time", "curves.scale": "log" }), ["log", 1]);
  assert.deepEqual(axis([1, 21], {}), ["linear", 2]);
});

test("error against cost counts the settings it leaves out, and separately those that have not run yet", () => {
  const row = { learner: 1, values: ["1"], error: 1, cost: 1 };
  const absent = { ...row, error: null, cost: null };
  const lost = { ...absent, diverged: 10 };
  const notes = (rows: Row[]) => {
    const made = studyOf(rows);
    return costData(made, startView("a/quick", made)).notes.join(" ");
  };
  const line = "The line is the Pareto front: the settings that no other beats in both error and cost.";
  const open = "Open marks: some runs diverged; they are not part of the front.";
  assert.equal(notes([row]), line);
  assert.equal(notes([row, { ...absent, runs: 0 }]), `1 setting has not run yet. ${line}`);
  assert.equal(
    notes([row, { ...absent, runs: 0 }, { ...absent, runs: 0 }, lost]),
    `2 settings have not run yet. 1 setting is not shown: no time was measured, or all runs diverged. ${line}`,
  );
  assert.equal(notes([row, { ...row, diverged: 1 }]), `${line} ${open}`);
});

test("numbers are short, and as exact as their half-widths", () => {
  assert.equal(withHalfWidth(0.123456, 0.0021), "0.1235 \u00b1 0.0021");
  assert.equal(withHalfWidth(12.3456, NaN), "12.35");
  assert.equal(short(1.23456e-7), "1.23e\u22127");
  assert.equal(short(NaN), "\u2013");
  assert.equal(percent(999, 1000), "99 %");
  assert.equal(percent(1, 1000), "less than 1 %");
});
