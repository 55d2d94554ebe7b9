import { expect, test } from "vitest";
import { Rng } from "../../../src/math/rng.js";
import { FactorRows } from "../../../src/selection/posterior/factor-rows.js";
import { scaleLaw, scaleWorth } from "../../../src/selection/posterior/scale-law.js";
import { invert } from "../../dense.js";

const SIZES = [1, 2, 3, 4, 5, 8, 9, 41, 100];

/** A positive definite matrix and a right-hand side. */
function equations(size: number, seed = 3) {
  const rng = Rng.seeded(seed);
  const rows = Array.from({ length: size + 5 }, () =>
    Array.from({ length: size }, () => rng.uniform() - 0.5),
  );
  const gram = Array.from({ length: size }, (_, i) =>
    Array.from({ length: size }, (_, j) => rows.reduce((sum, row) => sum + row[i] * row[j], 0)),
  );
  return { gram, cross: Array.from({ length: size }, () => rng.uniform() - 0.5) };
}

/** W = L⁻¹[A, b] row by row, as a textbook has it. */
function textbook(gram: number[][], cross: number[]): number[][] {
  const done: number[][] = [];
  gram.forEach((row, i) => {
    const left = [...row, cross[i]];
    for (const before of done) for (let c = 0; c < left.length; c++) left[c] -= before[i] * before[c];
    const root = Math.sqrt(left[i]);
    done.push(left.map((value) => value / root));
  });
  return done;
}

/** Rows that come in one after the other. */
function filled({ gram, cross }: ReturnType<typeof equations>): FactorRows {
  const size = cross.length;
  const rows = new FactorRows(size);
  for (let i = 0; i < size; i++) add(rows, gram[i], cross[i], i);
  return rows;
}

function add(rows: FactorRows, row: number[], target: number, column: number): void {
  const start = rows.next();
  rows.values.set([...row, target], start);
  rows.subtractFrom(start, column);
  const { values, stride } = rows;
  const root = Math.sqrt(values[start + column]);
  for (let c = start; c < start + stride; c++) values[c] /= root;
  rows.count += 1;
}

const close = (found: ArrayLike<number>, due: readonly number[]) => {
  for (let i = 0; i < due.length; i++)
    expect(Math.abs(found[i] - due[i])).toBeLessThan(1e-9 * (1 + Math.abs(due[i])));
};

test.each(SIZES)("rows of %i columns are those of a textbook", (size) => {
  const problem = equations(size);
  const rows = filled(problem);
  textbook(problem.gram, problem.cross).forEach((row, i) => {
    // Before the diagonal there is rounding alone.
    close(rows.values.slice(i * rows.stride + i, (i + 1) * rows.stride), row.slice(i));
  });
});

test.each(SIZES.slice(1))("of %i columns, any that leaves takes its part along", (size) => {
  const problem = equations(size);
  for (let gone = 0; gone < size; gone += Math.ceil(size / 4)) {
    const rows = filled(problem);
    const left = problem.cross.map((_, i) => i).filter((i) => i !== gone);
    for (let i = gone; i < size - 1; i++) rows.rotate(i, left[i]);
    rows.count -= 1;
    const rest = textbook(
      left.map((i) => left.map((j) => problem.gram[i][j])),
      left.map((i) => problem.cross[i]),
    );
    const factor = rows.lower(left);
    // A row may come out with the other sign, and its target then, too.
    left.forEach((_, r) => {
      const sign = Math.sign(factor[r * left.length + r]);
      const column = Array.from(
        { length: left.length - r },
        (_, c) => sign * factor[(r + c) * left.length + r],
      );
      close([...column, sign * rows.target()[r]], rest[r].slice(r));
    });
  }
});

test("rows that others push aside are there again, whoever needs more room", () => {
  const [small, large] = [equations(5), equations(120, 4)];
  const rows = filled(small);
  const before = rows.values.slice(0, 5 * rows.stride);
  const others = filled(large);
  const theirs = others.values.slice(0, 120 * others.stride);
  expect(rows.values.slice(0, 5 * rows.stride)).toEqual(before);
  expect(others.values.slice(0, 120 * others.stride)).toEqual(theirs);
  // Those that grow keep what they have.
  const growing = new FactorRows(3000);
  for (let i = 0; i < 40; i++) {
    add(
      growing,
      Array.from({ length: 3000 }, (_, j) => (j === i ? 2 : 0)),
      i,
      i,
    );
    if (i % 7 === 0) expect(rows.values[0]).toBe(before[0]);
  }
  close(
    growing.target(),
    Array.from({ length: 40 }, (_, i) => i / Math.SQRT2),
  );
});

test.each(SIZES)("a model of %i members at one scale after the other is what its equations say", (k) => {
  const size = k + 3;
  const { gram, cross } = equations(size);
  const statistics = {
    size,
    gram: Float64Array.from(gram.flat()),
    cross: Float64Array.from(cross),
    targetSquares: 50,
    freedom: 60,
  };
  const members = Array.from({ length: k }, (_, i) => size - 1 - i);
  const scales = [0.2, 1, 30];
  const slab = { kind: "independent" as const, scales, logPrior: [-1, -1.5, -2], first: 1 };
  const { factorAt } = scaleWorth(statistics, slab, 0.7, members);
  scales.forEach((scale, s) => {
    const a = members.map((i) => members.map((j) => gram[i][j] + (i === j ? 0.7 / scale : 0)));
    const { inverse, logDeterminant } = invert(a);
    const fit = members.reduce(
      (sum, i, r) => sum + members.reduce((part, j, c) => part + cross[i] * inverse[r][c] * cross[j], 0),
      0,
    );
    close([factorAt(s).fit, factorAt(s).logDeterminant], [fit, logDeterminant]);
  });
  // Somebody else's law in between changes nothing.
  const law = scaleLaw(statistics, slab, 0.7, members);
  scaleLaw(statistics, slab, 0.7, members.slice(0, 1));
  expect(scaleLaw(statistics, slab, 0.7, members)).toEqual(law);
});
