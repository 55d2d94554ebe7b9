import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { design } from "../../../bench/hidden/designs.js";
import { kernelMemory, wasmKernels } from "../../../src/kernels/wasm.js";
import type { FitOptions } from "../../../src/options/fit.js";
import { readStore } from "../../../src/selection/data/read.js";
import { problemOf } from "../../../src/selection/default.js";
import { neededCorrelation, scanPairs } from "../../../src/selection/hidden/pair-scan.js";
import { FLIPS } from "../../../src/selection/hidden/residual-panel.js";
import { residualScores } from "../../../src/selection/hidden/residual-scores.js";
import type { Problem } from "../../../src/selection/posterior/problem.js";
import { openSession, type Session } from "../../../src/selection/session.js";
import { Arena } from "../../../src/store/batch/arena.js";
import { arrayTable } from "../../../src/tables/readers/arrays.js";
import { localPool } from "../../../src/workers/pool.js";

const ROWS = 60;
const COLUMNS = 30;
const made = design({ kind: "pair", rows: ROWS, columns: COLUMNS, seed: 2, share: 0.3, common: 0.2 });
const binary = design({ kind: "pair", rows: ROWS, columns: COLUMNS, seed: 2, response: "binomial" });

describe.each([
  { title: "of numbers", data: made, family: "gaussian" as const, intercept: "always" as const },
  {
    title: "of numbers, without an intercept",
    data: made,
    family: "gaussian" as const,
    intercept: "none" as const,
  },
  { title: "of classes", data: binary, family: "binomial" as const, intercept: "always" as const },
])("residual scores $title", ({ data, family, intercept }) => {
  const members = [5, 9];
  const theta = Float64Array.of(0.3, -0.2);
  const constant = intercept === "none" ? 0 : 0.1;
  let session: Session;
  let problem: Problem;
  beforeAll(async () => {
    const options: FitOptions = { target: "y", family, intercept };
    const table = arrayTable({ ...Object.fromEntries(data.columns.map((x, j) => [`x${j}`, x])), y: data.y });
    session = await openSession((room) => readStore(table, options, () => 25, room), options, {
      kernels: (bytes) => wasmKernels(kernelMemory(bytes, false)),
      pool: async (store) => localPool(store),
      threads: 1,
    });
    problem = problemOf(session, undefined);
  });
  afterAll(() => session.close());

  function scores() {
    const { store, scaling, screen } = problem;
    const wanted = new Uint8Array(COLUMNS).fill(1);
    for (const j of members) wanted[j] = 0;
    const arena = new Arena(store.kernels.memory, store.end, store.kernels.memory.buffer.byteLength);
    return residualScores(store, arena, {
      family,
      scaling,
      point: { columns: members, theta, intercept: constant },
      hasIntercept: intercept === "always",
      seed: 1,
      first: 0,
      last: COLUMNS,
      wanted,
      means: screen.mean.slice(0, COLUMNS),
      blocks: store.layout.blocks,
      sketch: ROWS,
      flips: 0,
    });
  }

  /** The same by least squares with weights, on the columns as the model sees them. */
  function plain() {
    const { scaling, store } = problem;
    const x = data.columns.map((column, j) =>
      Float64Array.from(column, (value) => scaling.slope[j] * (value - store.shift[j]) + scaling.offset[j]),
    );
    const mean = data.y.reduce((a, b) => a + b, 0) / ROWS;
    const centre = family === "gaussian" && intercept === "always" ? mean : 0;
    const eta = data.y.map((_, i) => constant + members.reduce((sum, j, k) => sum + theta[k] * x[j][i], 0));
    const mu = family === "gaussian" ? eta : eta.map((value) => 1 / (1 + Math.exp(-value)));
    const w = family === "gaussian" ? eta.map(() => 1) : mu.map((m) => m * (1 - m));
    const r = data.y.map((value, i) => value - centre - mu[i]);
    const basis = [...(intercept === "always" ? [eta.map(() => 1)] : []), ...members.map((j) => x[j])];
    const product = (a: Float64Array, b: Float64Array) => a.reduce((sum, v, i) => sum + v * w[i] * b[i], 0);
    // Gram–Schmidt in the weighted inner product.
    const orthogonal: Float64Array[] = [];
    const freed = (column: Float64Array) =>
      orthogonal.reduce((left, q) => {
        const share = product(left, q) / product(q, q);
        return left.map((v, i) => v - share * q[i]);
      }, column);
    for (const column of basis) orthogonal.push(freed(column));
    const left = x.map(freed);
    return {
      score: left.map((e) => e.reduce((sum, v, i) => sum + v * r[i], 0) / Math.sqrt(product(e, e))),
      expected: (j: number) =>
        left[j].reduce((sum, v, i) => sum + (v * r[i]) ** 2, 0) / product(left[j], left[j]),
      correlation: (a: number, b: number) =>
        product(left[a], left[b]) / Math.sqrt(product(left[a], left[a]) * product(left[b], left[b])),
    };
  }

  test("are those of what the model leaves of every column", () => {
    const { score, flipped } = scores();
    const truth = plain();
    for (let j = 0; j < COLUMNS; j++) {
      if (members.includes(j)) continue;
      expect(score[j]).toBeCloseTo(truth.score[j], 4);
      // All blocks are flipped, so the first number is the score again.
      expect(flipped[j * (FLIPS + 1)]).toBeCloseTo(truth.score[j], 4);
    }
  });

  test("come with sketches that keep every angle, where they are as long as the columns", () => {
    const { sketch } = scores();
    const truth = plain();
    const angle = (a: number, b: number) =>
      sketch
        .subarray(a * ROWS, (a + 1) * ROWS)
        .reduce((sum, value, i) => sum + value * sketch[b * ROWS + i], 0);
    for (const [a, b] of [
      [0, 1],
      [2, 7],
      [0, 20],
    ]) {
      expect(angle(a, b)).toBeCloseTo(truth.correlation(a, b), 4);
    }
  });

  test("come with flips whose squares are on average what random signs make of the residual", () => {
    const { flipped } = scores();
    const { expected } = plain();
    const width = FLIPS + 1;
    const shortened = ROWS / (ROWS - members.length - 1);
    let [found, due] = [0, 0];
    for (let j = 0; j < COLUMNS; j++) {
      if (members.includes(j)) continue;
      due += FLIPS * shortened * expected(j);
      for (let k = 1; k < width; k++) found += flipped[j * width + k] ** 2;
    }
    // 420 squares of normals, of which about 15 × 15 are independent: four standard errors.
    expect(found / due).toBeGreaterThan(1 - 4 * Math.sqrt(2 / 225));
    expect(found / due).toBeLessThan(1 + 4 * Math.sqrt(2 / 225));
  });
});

describe("the scan over pairs", () => {
  test("names the correlation at which two scores reach a square", () => {
    for (const [a, b, least] of [
      [1, 1, 40],
      [2, 0, 40],
      [0.3, 0.2, 25],
      [3, 2, 30],
    ]) {
      const rho = neededCorrelation(a, b, least);
      expect((a * a + b * b + 2 * rho * a * b) / (1 - rho * rho)).toBeCloseTo(least, 8);
    }
    expect(neededCorrelation(5, 4, 30)).toBe(0);
  });

  test("finds the pairs that a look at every pair finds", async () => {
    const length = 16;
    const count = 301;
    const many = design({ kind: "pair", rows: length, columns: count, seed: 4 }).columns;
    const sketches = new Float32Array(count * length);
    const units = many.map((column) => {
      const size = Math.sqrt(column.reduce((sum, v) => sum + v * v, 0));
      return column.map((v) => v / size);
    });
    units.forEach((unit, j) => {
      sketches.set(unit, j * length);
    });
    const strength = Float64Array.from({ length: count }, (_, j) => 3 * (1 - j / count));
    const least = 30;
    const kernels = await wasmKernels(kernelMemory(2 ** 22, false));
    const arena = () => new Arena(kernels.memory, 2 ** 16, 2 ** 22);
    const run = (first: number, last: number) =>
      scanPairs({ kernels } as never, arena(), {
        sketches,
        count,
        length,
        strength,
        least,
        near: 0.7,
        first,
        last,
      });
    const parts = [run(0, 100), run(100, count)];
    const found = new Set(
      parts.flatMap(({ pairs, worth }) =>
        [...worth.keys()].map((i) => `${pairs[2 * i]},${pairs[2 * i + 1]}`),
      ),
    );
    const expected = new Set<string>();
    for (let a = 0; a < count; a++) {
      for (let b = a + 1; b < count; b++) {
        const r = units[a].reduce((sum, v, i) => sum + v * units[b][i], 0);
        const [x, y] = [strength[a], strength[b]];
        const square = (x * x + y * y - 2 * r * x * y) / (1 - r * r);
        if (square - x * x - y * y > 4 && square - Math.log(1 - r * r) >= least) expected.add(`${a},${b}`);
      }
    }
    expect(expected.size).toBeGreaterThan(3);
    // Sketches that fall short of what is needed by 2.5 standard deviations still count, so none is lost.
    for (const pair of expected) expect(found).toContain(pair);
    for (const pair of found) expect(expected).toContain(pair);
  });
});
