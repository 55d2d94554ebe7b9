import { describe, expect, it } from "vitest";
import { GrowingCholesky } from "../../src/math/growing-cholesky.js";
import { cholesky, logDeterminant, solve } from "../../src/math/linear.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";

/** The Gram matrix of `p` random columns, pairs of neighbours nearly equal (apart by `gap`). */
function gram(rng: Rng, rows: number, p: number, gap: number): (i: number, j: number) => number {
  const columns: Float64Array[] = [];
  for (let j = 0; j < p; j++) {
    columns.push(
      Float64Array.from(
        { length: rows },
        (_, i) => (j % 2 === 1 ? columns[j - 1][i] : 0) + (j % 2 === 1 ? gap : 1) * normal(rng),
      ),
    );
  }
  const table = columns.map((x) => columns.map((y) => x.reduce((sum, v, i) => sum + v * y[i], 0)));
  return (i, j) => table[i][j];
}

function direct(a: (i: number, j: number) => number, members: number[]): Float64Array {
  const factor = Float64Array.from(members.flatMap((i) => members.map((j) => a(i, j))));
  if (!cholesky(factor, members.length)) throw new Error("not positive definite");
  return factor;
}

/** The largest difference between the two factors, relative to the diagonal of A. */
function difference(
  growing: GrowingCholesky,
  a: (i: number, j: number) => number,
  members: number[],
): number {
  const k = members.length;
  const factor = direct(a, members);
  let most = 0;
  for (let i = 0; i < k; i++) {
    const scale = Math.sqrt(a(members[i], members[i]));
    for (let j = 0; j <= i; j++) {
      most = Math.max(most, Math.abs(growing.factor[i * growing.capacity + j] - factor[i * k + j]) / scale);
    }
  }
  return most;
}

function walk(
  growing: GrowingCholesky,
  rng: Rng,
  a: (i: number, j: number) => number,
  p: number,
  steps: number,
  check: (members: number[]) => void,
): void {
  const members: number[] = [];
  for (let step = 0; step < steps; step++) {
    const full = members.length === growing.capacity;
    if (!full && (members.length === 0 || rng.uniform() < 0.52)) {
      let j = rng.below(p);
      while (members.includes(j)) j = rng.below(p);
      expect(
        growing.append(
          members.map((i) => a(i, j)),
          a(j, j),
        ),
      ).toBe(true);
      members.push(j);
    } else {
      const i = rng.below(members.length);
      growing.remove(i);
      members.splice(i, 1);
    }
    expect(growing.size).toBe(members.length);
    check(members);
  }
}

describe("GrowingCholesky", () => {
  it("equals the direct factor after each of 1,000 random appends and removals", () => {
    const rng = Rng.seeded(1);
    const a = gram(rng, 60, 40, 1);
    const growing = new GrowingCholesky(25);
    let largest = 0;
    walk(growing, rng, a, 40, 1000, (members) => {
      largest = Math.max(largest, members.length);
      expect(difference(growing, a, members)).toBeLessThan(1e-12);
    });
    expect(largest).toBeGreaterThan(15);
  });

  it("keeps its backward error at rounding level for nearly collinear columns (condition about 1e10)", () => {
    const rng = Rng.seeded(2);
    const a = gram(rng, 60, 40, 1e-5);
    const growing = new GrowingCholesky(25);
    walk(growing, rng, a, 40, 1000, (members) => {
      members.forEach((m, i) => {
        for (let j = 0; j <= i; j++) {
          let sum = 0;
          for (let l = 0; l <= j; l++) sum += growing.factor[i * 25 + l] * growing.factor[j * 25 + l];
          const scale = Math.sqrt(a(m, m) * a(members[j], members[j]));
          // LLᵀ − A, in units of the diagonal: a few hundred rounding errors after a thousand operations.
          if (!(Math.abs(sum - a(m, members[j])) < 1e-13 * scale)) throw new Error(`drifted at ${i}, ${j}`);
        }
      });
    });
  });

  it("solves, and gives the determinant and the pivot, as the direct factor does", () => {
    const rng = Rng.seeded(3);
    const a = gram(rng, 30, 12, 1);
    const growing = new GrowingCholesky(12);
    const members = [4, 7, 0, 11, 2];
    for (const [k, j] of members.entries()) {
      growing.append(
        members.slice(0, k).map((i) => a(i, j)),
        a(j, j),
      );
    }
    growing.remove(1);
    members.splice(1, 1);
    const factor = direct(a, members);
    expect(growing.logDeterminant()).toBeCloseTo(logDeterminant(factor, 4), 12);
    const x = Float64Array.of(1, -2, 3, 0.5);
    const y = x.slice();
    const half = x.slice();
    growing.solve(x);
    solve(factor, 4, y);
    x.forEach((v, i) => {
      expect(v).toBeCloseTo(y[i], 12);
    });
    growing.forwardSolve(half);
    const quadratic = 1 * y[0] - 2 * y[1] + 3 * y[2] + 0.5 * y[3];
    expect(half.reduce((sum, v) => sum + v * v, 0)).toBeCloseTo(quadratic, 12);

    const column = members.map((i) => a(i, 9));
    const pivot = growing.pivot(column, a(9, 9));
    const ratio = logDeterminant(direct(a, [...members, 9]), 5) - logDeterminant(factor, 4);
    expect(Math.log(pivot)).toBeCloseTo(ratio, 12);
    expect(growing.size).toBe(4);
    expect(growing.logDeterminant()).toBeCloseTo(logDeterminant(factor, 4), 12);
  });

  it("refuses a duplicate column and stays usable", () => {
    const growing = new GrowingCholesky(3);
    expect(growing.append([], 0.3)).toBe(true);
    expect(growing.append([0.1], 0.7)).toBe(true);
    expect(growing.append([0.3, 0.1], 0.3)).toBe(false);
    expect(growing.append([Number.NaN, 0], 1)).toBe(false);
    expect(growing.size).toBe(2);
    expect(growing.logDeterminant()).toBeCloseTo(Math.log(0.3 * 0.7 - 0.01), 14);
    growing.clear();
    expect(growing.size).toBe(0);
    expect(growing.append([], 4)).toBe(true);
    expect(growing.factor[0]).toBe(2);
  });

  it("says so when it is full and when a row does not exist", () => {
    const growing = new GrowingCholesky(1);
    growing.append([], 1);
    expect(() => growing.append([0], 1)).toThrow("no room for more than 1");
    expect(() => growing.remove(1)).toThrow("no row 1 among 1");
  });
});
