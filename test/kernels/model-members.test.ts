import { expect, it } from "vitest";
import { addByMember, coverModels, holdersOf, uncovered } from "../../src/kernels/reference/model-members.js";
import { Rng } from "../../src/math/rng.js";
import { CoveredModels } from "../../src/selection/posterior/covered-models.js";
import { packedModels, weightsOfMembers } from "../../src/selection/posterior/packed-models.js";

const CANDIDATES = 9;

/** Models of any size, the empty one among them; nobody holds the last candidate. */
function someModels(count: number) {
  const rng = Rng.seeded(5);
  const others = Array.from({ length: count }, () => ({
    members: Array.from({ length: CANDIDATES - 1 }, (_, j) => j).filter(() => rng.uniform() < 0.4),
    probability: rng.uniform(),
  }));
  return packedModels([{ members: [], probability: 0.3 }, ...others]);
}

it.each([0, 1, 500])("sums over members are those of the plain form: %i models", (count) => {
  const models = someModels(count);
  const weights = models.probability.map((value) => value ** 2);
  const sums = new Float64Array(CANDIDATES);
  addByMember(sums, models, weights);
  expect(weightsOfMembers(models, weights, CANDIDATES)).toEqual(sums);
});

it("what candidates cover, and what others gain, is that of the plain form, one set after the other", () => {
  const models = someModels(500);
  const weights = models.probability.map((value) => value / models.total);
  const share = new Float64Array(CANDIDATES);
  addByMember(share, models, weights);
  const kernels = new CoveredModels(models, CANDIDATES);
  expect(kernels.share).toEqual(share);
  for (const set of [[3, 0, 8, 5], [], [1], [7, 2]]) {
    kernels.forget();
    const covered = new Uint8Array(models.count);
    const gain = share.slice();
    for (const [i, candidate] of set.entries()) {
      const keepsUp = i < set.length - 1;
      coverModels(covered, holdersOf(models, candidate), models, weights, keepsUp ? gain : undefined);
      kernels.cover(candidate, keepsUp);
      expect(kernels.gain).toEqual(gain);
      expect(kernels.missed).toBe(uncovered(covered, weights));
    }
    if (set.length === 0) expect(kernels.missed).toBeCloseTo(1, 12);
  }
});
