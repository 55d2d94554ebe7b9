import { describe, expect, it } from "vitest";
import { type VisitedModel, walkedModels } from "../../src/kernels/reference/model-tree.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { ModelTree, worthsOfFits } from "../../src/selection/posterior/enumeration/model-tree.js";
import { type SufficientStatistics, smallestPivot } from "../../src/selection/posterior/evidence.js";
import { worthOf } from "../../src/selection/posterior/worth.js";

/** Of correlated columns, the last of which is the sum of the first two. */
function statistics(size: number): SufficientStatistics {
  const rng = Rng.seeded(3);
  const rows = Array.from({ length: 40 }, () => {
    const common = normal(rng);
    const row = Array.from({ length: size - 1 }, () => normal(rng) + common);
    return [...row, row[0] + row[1], row[0] + normal(rng)];
  });
  const product = (a: number, b: number) => rows.reduce((sum, row) => sum + row[a] * row[b], 0);
  return {
    size,
    gram: Float64Array.from({ length: size * size }, (_, at) => product(Math.floor(at / size), at % size)),
    cross: Float64Array.from({ length: size }, (_, j) => product(j, size)),
    targetSquares: product(size, size),
    freedom: 39,
  };
}

describe("the walk over all models", () => {
  const size = 8;
  const known = statistics(size);
  it.each([
    { always: [], sure: [], limit: size },
    { always: [2, 5], sure: [], limit: size - 2 },
    { always: [5], sure: [1], limit: 3 },
    { always: [], sure: [], limit: 0 },
  ])("comes to the models of its plain form, with their fits: $always, $sure, $limit", (each) => {
    const { always, sure, limit } = each;
    const tree = new ModelTree(known, { always, logModel: new Float64Array(limit + 1) }, sure);
    const first = [...always, ...sure];
    const order = [...first, ...Array.from({ length: size }, (_, j) => j).filter((j) => !first.includes(j))];
    let visited: VisitedModel[] | undefined;
    // Without a ridge the last column depends on others; with one, the models are those of the first walk.
    for (const ridge of [0, 0.5, 40]) {
      const pivot = Float64Array.from(order, (j) => known.gram[j * size + j] + ridge);
      const cross = Float64Array.from({ length: size * size }, (_, at) => {
        const [a, b] = [Math.floor(at / size), at % size];
        return known.gram[order[a] * size + order[b]];
      });
      const root = { pivot, cross, score: Float64Array.from(order, (j) => known.cross[j]) };
      const reference = walkedModels(
        {
          root: { ...root, fit: 0, logDeterminant: 0 },
          least: pivot.map((own) => smallestPivot(ridge, own)),
          ...{ forced: first.length, largest: limit - sure.length, ridge },
        },
        visited,
      );
      visited ??= reference;
      const { fit, logDeterminant } = tree.walk(ridge);
      expect(fit.length).toBe(reference.length);
      reference.forEach((model, m) => {
        expect(fit[m]).toBeCloseTo(model.fit, 9);
        expect(logDeterminant[m]).toBeCloseTo(model.logDeterminant, 9);
      });
    }
    const members: number[][] = [];
    tree.each((_, own) => void members.push([...own]));
    expect(members.length).toBe(visited!.length);
    members.forEach((own, m) => {
      expect(own.length).toBe(sure.length + visited![m].depth);
      if (visited![m].depth > 0) expect(own.at(-1)).toBe(order[visited![m].joined]);
    });
    if (limit === size) expect(members.length).toBeLessThan(2 ** size);
  });

  it.each([undefined, 1.5])(
    "is worth what a model is by itself, the noise variance being %s",
    (noiseVariance) => {
      const fit = Float64Array.of(0, 20, 0.5 * known.targetSquares, known.targetSquares);
      const logDeterminant = Float64Array.of(0, 1, -2, 3);
      const sizes = Float64Array.of(0, 1, 2, 3);
      const priors = Float64Array.of(-1, -2, -3, -4);
      const scale = { constant: -0.7, perMember: 1.1, shrink: 0.9, noiseVariance };
      const worths = worthsOfFits({ fit, logDeterminant }, sizes, priors, { ...scale, ...known });
      worths.forEach((worth, m) => {
        const penalty = 1.1 * sizes[m] + logDeterminant[m];
        const own = priors[m] - 0.7 - 0.5 * penalty + worthOf(0.9 * fit[m], known, noiseVariance);
        expect(worth).toBeCloseTo(own, 9);
      });
    },
  );
});
