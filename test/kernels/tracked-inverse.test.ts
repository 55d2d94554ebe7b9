import { expect, test } from "vitest";
import { TrackedInverse } from "../../src/kernels/tracked-inverse.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { inner, invert, times } from "../dense.js";

test("stays the inverse, and the solution of equations, while rows and columns come and go", () => {
  const rng = Rng.seeded(3);
  const n = 20;
  const x = Array.from({ length: n }, () => Array.from({ length: 60 }, () => normal(rng)));
  const matrix = x.map((a) => x.map((b) => inner(a, b)));
  const right = x.map(() => normal(rng));
  const members: number[] = [];
  const tracked = new TrackedInverse();
  for (let change = 0; change < 300; change++) {
    // Additions first: room for more than sixteen has to be made.
    const j = change < n ? change : rng.below(n);
    const at = members.indexOf(j);
    const before = invert(members.map((a) => members.map((b) => matrix[a][b]))).inverse;
    if (at >= 0) {
      tracked.shrink(at);
      members.splice(at, 1);
    } else {
      const column = members.map((a) => matrix[a][j]);
      const w = times(before, column);
      const known = members.map((a) => right[a]);
      tracked.border((i) => column[i], matrix[j][j] - inner(column, w), right[j] - inner(known, w));
      members.push(j);
    }
    const { inverse } = invert(members.map((a) => members.map((b) => matrix[a][b])));
    const solution = times(
      inverse,
      members.map((a) => right[a]),
    );
    inverse.forEach((row, a) => {
      expect(Math.abs(tracked.solution[a] - solution[a])).toBeLessThan(1e-10);
      row.forEach((value, b) => {
        expect(Math.abs(tracked.at(a, b) - value)).toBeLessThan(1e-10);
      });
    });
  }
});

test("others do not disturb it", () => {
  const [one, other] = [new TrackedInverse(), new TrackedInverse()];
  for (let k = 0; k < 40; k++) {
    one.border(() => 0, k + 1, k);
    if (k % 2) other.border(() => 0, 10 + k, 1);
  }
  one.shrink(3);
  expect(Array.from(one.solution.slice(0, 4))).toEqual([0, 1 / 2, 2 / 3, 4 / 5]);
  expect(other.at(0, 0)).toBe(1 / 11);
  expect(one.at(38, 38)).toBe(1 / 40);
  other.forget();
  expect(one.at(3, 3)).toBe(1 / 5);
});
