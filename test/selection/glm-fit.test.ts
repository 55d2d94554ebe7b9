import { describe, expect, test } from "vitest";
import { simulatedTable } from "../../src/experiments/simulated.js";
import { fit } from "../../src/index.js";
import { kernelMemory, wasmKernels } from "../../src/kernels/wasm.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { poisson } from "../../src/math/variates.js";
import { threads } from "../../src/node/threads.js";
import type { FitResult } from "../../src/selection/answer/result.js";
import { fitTable } from "../../src/selection/fit-table.js";
import { localPool } from "../../src/workers/pool.js";

const expit = (x: number) => 1 / (1 + Math.exp(-x));

/** Six standard normal columns x0 … x5 and a target made from them row by row. */
function data(rows: number, seed: number, target: (rng: Rng, x: number[]) => number) {
  const rng = Rng.seeded(seed);
  const columns: Record<string, Float64Array> = {};
  for (let j = 0; j < 6; j++) columns[`x${j}`] = Float64Array.from({ length: rows }, () => normal(rng));
  const rowOf = (i: number) => Object.values(columns).map((column) => column[i]);
  const y = Float64Array.from({ length: rows }, (_, i) => target(rng, rowOf(i)));
  return { ...columns, y } as Record<string, Float64Array>;
}

const selected = (result: FitResult) =>
  result.variables
    .filter((v) => v.selected)
    .map((v) => v.name)
    .sort();
const finite = (result: FitResult) =>
  result.variables.every((v) => [v.pip, v.mean, v.sd, v.lower, v.upper].every(Number.isFinite));

describe("fit on classes and counts", () => {
  test("agrees with a Laplace approximation of every model at its own mode", async () => {
    const rows = 400;
    const columns = data(rows, 21, (rng, [a, b, c]) =>
      rng.uniform() < expit(0.5 * a - 0.28 * b + 0.16 * c) ? 1 : 0,
    );
    const result = await fit(columns, { target: "y", priorInclusion: 0.2, scale: "none", slabVariance: 0.8 });
    expect(result.family).toBe("binomial");
    const exact = laplacePips(columns, 0.2, 0.8);
    // Only models that are too improbable to be worked out at their own modes are approximated otherwise.
    for (const { name, pip } of result.variables) {
      expect(Math.abs(pip - exact[Number(name.slice(1))])).toBeLessThan(2e-3);
    }
    expect(Math.max(...exact.map((pip) => Math.min(pip, 1 - pip)))).toBeGreaterThan(0.1);
  });

  test("finds the causes of counts and their effects in the units of the data", async () => {
    const columns = data(3000, 4, (rng, [a, , c]) => poisson(rng, Math.exp(1 + 0.4 * a - 0.3 * c)));
    columns.x2 = columns.x2.map((v) => 1000 + 10 * v);
    const result = await fit(columns, { target: "y", family: "poisson" });
    expect(selected(result)).toEqual(["x0", "x2"]);
    const effect = (name: string) => result.variables.find((v) => v.name === name)!;
    expect(Math.abs(effect("x0").mean - 0.4)).toBeLessThan(4 * effect("x0").sd);
    expect(Math.abs(effect("x2").mean + 0.03)).toBeLessThan(4 * effect("x2").sd);
    // e^(1 + 0.03·1000) at x2 = 0
    expect(Math.abs(result.intercept!.mean - 31)).toBeLessThan(4 * result.intercept!.sd);
  });

  test("holds its ground with counts of a million", async () => {
    const columns = data(500, 5, (rng, [a]) => poisson(rng, Math.exp(13.8 + 0.01 * a)));
    const result = await fit(columns, { target: "y", family: "poisson" });
    expect(selected(result)).toEqual(["x0"]);
    expect(result.variables[0].mean).toBeCloseTo(0.01, 3);
  });

  test("has a finite answer for separated classes", async () => {
    const columns = data(200, 6, (_, [a]) => (a > 0 ? 1 : 0));
    const result = await fit(columns, { target: "y" });
    expect(selected(result)).toContain("x0");
    expect(finite(result)).toBe(true);
    expect(result.variables[0].mean).toBeLessThan(20);
  });

  test("copes with one class in a thousand", async () => {
    const columns = data(30_000, 7, (rng, [a]) => (rng.uniform() < expit(-8 + 1.5 * a) ? 1 : 0));
    const ones = columns.y.reduce((sum, v) => sum + v, 0);
    expect(ones).toBeGreaterThan(10);
    expect(ones).toBeLessThan(90);
    const result = await fit(columns, { target: "y" });
    expect(selected(result)).toEqual(["x0"]);
    expect(finite(result)).toBe(true);
    expect(Math.abs(result.variables[0].mean - 1.5)).toBeLessThan(4 * result.variables[0].sd);
  });

  test("gives the same answer on one thread and on two", async () => {
    const table = () => simulatedTable({ kind: "logistic", rows: 3000, columns: 60, seed: 5 });
    const options = { target: "y", seed: 5, chains: 2, iterations: 40 } as const;
    // A search, although the columns are few enough to do without.
    const one = await fitTable(table(), { ...options, threads: 1 }, threads, false);
    const two = await fitTable(table(), { ...options, threads: 2 }, threads, false);
    expect(two.variables).toEqual(one.variables);
    expect(two.intercept).toEqual(one.intercept);
  });

  test("refuses a target with one class only", async () => {
    const columns = data(50, 8, () => 1);
    await expect(fit(columns, { target: "y", family: "binomial" })).rejects.toThrow(/constant/);
  });

  // Wide enough that Algorithm 1 runs: the search alone, before certificate and polish, has to find the causes.
  test.each(["logistic", "poisson"] as const)(
    "searches among many columns of the %s example",
    async (kind) => {
      const table = simulatedTable({ kind, rows: 6000, columns: 400, seed: 3 });
      const family = kind === "logistic" ? "binomial" : "poisson";
      const result = await fitTable(
        table,
        { target: "y", family, seed: 3, chains: 1 },
        {
          kernels: (bytes) => wasmKernels(kernelMemory(bytes, false)),
          pool: async (store) => localPool(store),
          threads: 1,
        },
      );
      expect(selected(result)).toEqual(["z1", "z2", "z3", "z4", "z5", "z6", "z7", "z8"]);
      expect(result.certificate?.complete).toBe(true);
      expect(result.settings.births).toBe("informed");
    },
  );
});

/** Inclusion probabilities from a Laplace approximation of each of the 64 models, in plain arithmetic. */
function laplacePips(columns: Record<string, Float64Array>, inclusion: number, v: number): number[] {
  const rows = columns.y.length;
  const x = Array.from({ length: 6 }, (_, j) => {
    const mean = columns[`x${j}`].reduce((sum, value) => sum + value, 0) / rows;
    return columns[`x${j}`].map((value) => value - mean);
  });
  const logs = Array.from({ length: 64 }, (_, set) => {
    const members = [0, 1, 2, 3, 4, 5].filter((j) => (set >> j) & 1);
    const k = members.length + 1;
    const design = (i: number, a: number) => (a === 0 ? 1 : x[members[a - 1]][i]);
    let theta = new Array<number>(k).fill(0);
    let matrix: number[][] = [];
    let logLikelihood = 0;
    for (let step = 0; step < 30; step++) {
      matrix = Array.from({ length: k }, (_, a) =>
        Array.from({ length: k }, (_, b) => (a === b && a > 0 ? 1 / v : 0)),
      );
      const gradient = theta.map((t, a) => (a > 0 ? -t / v : 0));
      logLikelihood = 0;
      for (let i = 0; i < rows; i++) {
        const eta = theta.reduce((sum, t, a) => sum + t * design(i, a), 0);
        const mu = expit(eta);
        logLikelihood += columns.y[i] * eta - Math.log1p(Math.exp(eta));
        for (let a = 0; a < k; a++) {
          gradient[a] += (columns.y[i] - mu) * design(i, a);
          for (let b = 0; b < k; b++) matrix[a][b] += mu * (1 - mu) * design(i, a) * design(i, b);
        }
      }
      const { solution } = eliminate(matrix, gradient);
      theta = theta.map((t, a) => t + solution[a]);
    }
    const squares = theta.slice(1).reduce((sum, t) => sum + t * t, 0);
    const { logDeterminant } = eliminate(
      matrix,
      theta.map(() => 0),
    );
    const size = members.length;
    return (
      logLikelihood -
      squares / (2 * v) -
      0.5 * (size * Math.log(v) + logDeterminant) +
      size * Math.log(inclusion / (1 - inclusion))
    );
  });
  const most = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - most));
  const total = weights.reduce((sum, w) => sum + w, 0);
  return [0, 1, 2, 3, 4, 5].map(
    (j) => weights.reduce((sum, w, set) => sum + ((set >> j) & 1 ? w : 0), 0) / total,
  );
}

function eliminate(matrix: number[][], right: number[]): { solution: number[]; logDeterminant: number } {
  const a = matrix.map((row, i) => [...row, right[i]]);
  let logDeterminant = 0;
  for (let c = 0; c < a.length; c++) {
    logDeterminant += Math.log(a[c][c]);
    for (let r = 0; r < a.length; r++) {
      if (r === c) continue;
      const factor = a[r][c] / a[c][c];
      for (let k = c; k <= a.length; k++) a[r][k] -= factor * a[c][k];
    }
  }
  return { solution: a.map((row, i) => row[a.length] / row[i]), logDeterminant };
}
