import { describe, expect, test } from "vitest";
import { fisher } from "../../src/gradients/fisher.js";
import { Rng } from "../../src/math/rng.js";
import type { InnerKernel, Model } from "../../src/types.js";

const P = 7;
const theta = Float64Array.from({ length: P }, (_, j) => 0.5 * j - 1);

interface Members {
  in: Set<number>;
  touched: { count: number; indices: Uint32Array };
}

/** The true gradient of a state: that of the members depends on which others are in. */
const full = (z: Members): Float64Array =>
  theta.map((t, j) => (z.in.has(j) ? 10 * j + z.in.size + t : -2 * t));

const sparseModel: Model<Members, number> = {
  names: [],
  logJoint: () => 0,
  addGrad(out, scale, at, z, batch) {
    for (const j of z.in) out[j] += scale * batch * (full(z)[j] + 2 * at[j]);
  },
  rest: (_j, value) => -2 * value,
};

/** Flips membership of a random coordinate, or stands still half of the time. */
function walk(log: Set<number>[]): InnerKernel<Members, number> {
  const touch = (z: Members, j: number) => {
    if (!z.touched.indices.subarray(0, z.touched.count).includes(j)) z.touched.indices[z.touched.count++] = j;
  };
  return {
    init: () => ({ in: new Set([1, 4]), touched: { count: 0, indices: new Uint32Array(100) } }),
    enter(z) {
      z.touched.count = 0;
      for (const j of z.in) touch(z, j);
    },
    step(rng, z) {
      const moves = rng.below(2) === 1;
      if (moves) {
        const j = rng.below(P);
        if (!z.in.delete(j)) z.in.add(j);
        touch(z, j);
      }
      log.push(new Set(z.in));
      return moves;
    },
  };
}

describe("Fisher's gradient", () => {
  test.each([
    [1, 1],
    [5, 1],
    [4, 3],
    [50, 2],
  ])("is the plain average over the states of %i draws, %i moves apart", (draws, moves) => {
    const log: Set<number>[] = [];
    const kernel = walk(log);
    const z = kernel.init(Rng.seeded(1), theta);
    let visits = 0;
    const visit = () => {
      visits += 1;
    };
    const on = fisher({ model: sparseModel, kernel, z, rng: Rng.seeded(2), draws, moves, visit });
    const out = new Float64Array(P);
    for (let round = 1; round <= 6; round++) {
      log.length = 0;
      const { count, indices } = on(1).at(out, theta);
      const states = log.filter((_, k) => (k + 1) % moves === 0).map((set) => full({ ...z, in: set }));
      expect(states.length).toBe(draws);
      const touched = new Set(indices.slice(0, count));
      for (let j = 0; j < P; j++) {
        const average = states.reduce((sum, g) => sum + g[j] / draws, 0);
        if (touched.has(j)) expect(out[j]).toBeCloseTo(average, 10);
        else {
          expect(out[j]).toBe(0);
          expect(average).toBeCloseTo(-2 * theta[j], 10);
        }
      }
      expect(visits).toBe(draws * round);
    }
  });

  test("covers all of θ for a model in which nothing rests", () => {
    const dense: Model<{ value: number }, number> = {
      names: [],
      logJoint: () => 0,
      addGrad(out, scale, at, z, batch) {
        for (let j = 0; j < at.length; j++) out[j] += scale * batch * z.value * (j + 1);
      },
    };
    const kernel: InnerKernel<{ value: number }, number> = {
      init: () => ({ value: 0 }),
      enter() {},
      step(_rng, z) {
        z.value += 1;
        return true;
      },
    };
    const on = fisher({ model: dense, kernel, z: { value: 0 }, rng: Rng.seeded(1), draws: 3, moves: 1 });
    const out = new Float64Array(P).fill(99);
    on(2).at(out, theta);
    expect([...out].map((g, j) => g / (j + 1))).toEqual(new Array(P).fill((2 * (1 + 2 + 3)) / 3));
    const { count } = on(2).at(out, theta);
    expect(count).toBe(P);
    expect(out[0]).toBeCloseTo((2 * (4 + 5 + 6)) / 3, 12);
  });
});
