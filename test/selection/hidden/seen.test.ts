import { expect, test } from "vitest";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { overallSums } from "../../../src/selection/hidden/overall.js";
import { FLIPS } from "../../../src/selection/hidden/residual-panel.js";
import type { ResidualScores } from "../../../src/selection/hidden/residual-scores.js";
import { flipsOf, gathered } from "../../../src/selection/hidden/seen.js";
import type { Problem } from "../../../src/selection/posterior/problem.js";

const LENGTH = 64;
const WIDTH = FLIPS + 1;

/** More columns than can be compared with each other, none of which means anything; every `narrow`-th has one entry. */
function seenOf(columns: number, narrow: number) {
  const rng = Rng.seeded(11);
  const score = Float64Array.from({ length: columns }, () => normal(rng));
  const sketch = new Float32Array(columns * LENGTH);
  for (let j = 0; j < columns; j++) {
    const own = sketch.subarray(j * LENGTH, (j + 1) * LENGTH);
    if (j % narrow === 0) {
      own[Math.floor(LENGTH * rng.uniform())] = 1;
      continue;
    }
    const numbers = Array.from({ length: LENGTH }, () => normal(rng));
    const norm = Math.hypot(...numbers);
    own.set(numbers.map((x) => x / norm));
  }
  const flipped = Float32Array.from({ length: columns * WIDTH }, (_, at) =>
    at % WIDTH === 0 ? score[at / WIDTH] : normal(rng),
  );
  const parts: ResidualScores[] = [{ first: 0, score, sketch, flipped, dispersion: 1 }];
  const problem = {
    target: { family: { quadratic: true } },
    spec: { noiseVariance: 1 },
    store: { layout: { columns } },
    usable: Array.from(score.keys()),
  } as unknown as Problem;
  return { seen: gathered(problem, parts, undefined), parts, score };
}

test("columns without a place among the pairs count in what all columns explain, so that noise is no alarm", () => {
  const columns = 30_000;
  const { seen, parts } = seenOf(columns, columns + 1);
  expect(seen.isCut).toBe(true);
  expect(seen.columns.length + seen.unpaired.length).toBe(columns);
  const around = (j: number) => ({ members: [j], gram: Float64Array.of(1) });
  const { paired, rest } = flipsOf(parts, seen, columns);
  const verdict = (others: number, sums: Float64Array) => {
    const all = overallSums(seen.columns.length, { count: others, byScore: true }, around);
    all.add(paired, sums);
    return all.verdict(2000).pValue;
  };
  // The chance of a false alarm is one in a hundred.
  expect(verdict(seen.unpaired.length, rest)).toBeGreaterThan(0.01);
  // Those with the largest scores alone explain more than chance would, whatever the data.
  expect(verdict(0, new Float64Array(WIDTH))).toBeLessThan(1e-6);
});

test("among many columns those of a few entries are not taken for neighbours of each other", () => {
  const { seen } = seenOf(6000, 2);
  expect(seen.isCut).toBe(false);
  expect(seen.columns.every((j) => j % 2 === 1)).toBe(true);
  expect(seen.unpaired).toHaveLength(3000);
});
