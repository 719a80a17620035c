import assert from "node:assert/strict";
import { test } from "node:test";
import examples from "../../../tests/unit/report/figure_rules.json";
import { type CostPoint, ceiling, front, suitsLog } from "../../src/rules";

/// The examples are those that the program is tested with.

test("the ceiling is that of the examples", () => {
  for (const { before_learning, best, is } of examples.ceiling)
    assert.equal(ceiling(before_learning ?? Infinity, best), is ?? Infinity);
});

test("the front is that of the examples", () => {
  for (const { points, larger_is_better, is } of examples.front) {
    const all = points.map(([cost, error, diverges]) => ({ cost, error, diverges }) as CostPoint);
    assert.deepEqual(
      front(all, larger_is_better).map((point) => all.indexOf(point)),
      is,
    );
  }
});

test("values suit a logarithmic axis in the examples", () => {
  for (const { values, is } of examples.suits_log) assert.equal(suitsLog(values), is, String(values));
});
