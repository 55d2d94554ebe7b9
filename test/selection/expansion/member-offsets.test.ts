import { describe, expect, test } from "vitest";
import { memberOffsets, remainder } from "../../../src/selection/expansion/member-offsets.js";

const effect = [2, -1, 0.5, 0];
const correction = (members: readonly number[]) => members.reduce((sum, j) => sum + effect[j], -300);
const known = [[0, 1], [0], [1], [0, 1, 2], [0, 1, 3]].map((members) => ({
  members,
  correction: correction(members),
  logWeight: 0,
}));

describe("what members have to do with the error of an expansion", () => {
  test("is learnt where every member counts for itself, and holds for other models", () => {
    const offsets = memberOffsets(known, new Float64Array(4));
    for (const members of [[], [2], [0, 2, 3], [0, 1, 2, 3]]) {
      expect(Math.abs(remainder(offsets, { members, correction: correction(members) }))).toBeLessThan(0.1);
    }
  });

  test("is not spoilt by a model that has turned out improbable", () => {
    const strange = { members: [2, 3], correction: -200, logWeight: -60 };
    const offsets = memberOffsets([...known, strange], new Float64Array(4));
    expect(Math.abs(remainder(offsets, { members: [0, 2], correction: correction([0, 2]) }))).toBeLessThan(
      0.1,
    );
  });
});
