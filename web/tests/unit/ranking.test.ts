import assert from "node:assert/strict";
import { test } from "node:test";
import { agrees, bestOfValues, front, isKnown, meanOf, rankingOf } from "../../src/ranking";
import { grid, studyOf } from "./example";

const criterion = { case: 0, metric: 0, by: "average" } as const;
const td = (error: number | null, diverged = 0, runs = 10) => ({
  learner: 0,
  values: ["1", "0"],
  error,
  diverged,
  runs,
});

test("fewer diverged runs in proportion rank before a smaller error, and equals in their order", () => {
  const study = studyOf([td(0.1, 1), td(0.5), td(0.3), td(0.3), td(0.05, 1, 20), td(null, 10), td(null, 0, 0)]);
  assert.deepEqual(rankingOf(study, criterion).order, [2, 3, 1, 4, 0, 5, 6]);
});

test("the best of a value is the first in rank among the settings that have it", () => {
  const study = grid();
  const ranking = rankingOf(study, criterion);
  for (const at of [{}, { lambda: "0.9" }, { lambda: "0.9", inverse_init: "10" }]) {
    const best = bestOfValues(study, ranking, "own", at);
    for (const [value, setting] of best.get(0)!) {
      const rivals = ranking.order.filter(
        (other) => study.settings.learner[other] === 0 && study.settings.values[other][0] === value,
      );
      assert.equal(setting, rivals.filter((other) => agrees(study, other, at))[0]);
    }
    assert.equal(best.get(0)!.size, 3);
    assert.deepEqual([...best.get(2)!.keys()], [""]);
  }
  assert.deepEqual([...bestOfValues(study, ranking, "own", { inverse_init: "10" }).get(1)!.keys()], ["10"]);
});

test("a setting without diverged runs is on the front exactly when none is cheaper and better", () => {
  const study = grid();
  const all = rankingOf(study, criterion).order;
  const cost = (setting: number) => study.settings.microseconds[setting]!;
  const sound = all.filter((setting) => study.settings.diverged[setting] === 0 && isKnown(study, setting, criterion));
  const beats = (a: number, b: number) =>
    cost(a) < cost(b) && meanOf(study, a, criterion) < meanOf(study, b, criterion);
  const expected = sound.filter((setting) => !sound.some((other) => beats(other, setting)));
  const found = front(study, all, cost, criterion);
  assert.deepEqual(new Set(found), new Set(expected));
  assert.deepEqual(
    found,
    [...found].sort((a, b) => cost(a) - cost(b)),
  );
});
