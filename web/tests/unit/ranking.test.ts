import assert from "node:assert/strict";
import { test } from "node:test";
import { agrees, bestOfValues, highestError, panelsOf, rankingOf } from "../../src/ranking";
import { grid, studyOf } from "./example";

const criterion = { case: 0, metric: 0, by: "average" } as const;

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

test("ranks and the best of each learner follow the order that the program gives", () => {
  const study = grid();
  study.rankings.last = [[[12, 3, 9, 0, 1, 2, 4, 5, 6, 7, 8, 10, 11]]];
  const { rank, best } = rankingOf(study, { ...criterion, by: "last" });
  assert.equal(rank.get(12), 1);
  assert.equal(rank.get(9), 3);
  assert.deepEqual(
    [...best],
    [
      [2, 12],
      [0, 3],
      [1, 9],
    ],
  );
});

test("the highest error that is shown depends on the learners that are", () => {
  const row = (learner: number, error: number) => ({ learner, values: [], error });
  const study = { ...studyOf([row(0, 0.5), row(1, 7), row(2, 1e9)]), before_learning: [[1]] };
  const ranking = rankingOf(study, criterion);
  assert.equal(highestError(study, ranking, [0, 1, 2]), 7);
  assert.equal(highestError(study, ranking, [0, 2]), 2);
  assert.equal(highestError(study, ranking, [2]), 1e9);
  assert.equal(highestError({ ...study, before_learning: [[null]] }, ranking, [0]), Infinity);
});

test("there is a panel for each value of a parameter, with the title that the program gives", () => {
  const study = grid();
  study.parameters[0].titles = ["first", "second", "third"];
  assert.deepEqual(panelsOf(study, "alpha"), [
    { title: "first", at: { alpha: "0.01" } },
    { title: "second", at: { alpha: "0.1" } },
    { title: "third", at: { alpha: "1" } },
  ]);
  assert.deepEqual(panelsOf(study, ""), [{ title: "", at: {} }]);
});
