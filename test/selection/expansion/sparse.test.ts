import { describe, expect, test } from "vitest";
import { Rng } from "../../../src/math/rng.js";
import { fitTable } from "../../../src/selection/fit-table.js";
import { arrayTable } from "../../../src/tables/readers/arrays.js";
import type { EntryTable } from "../../../src/tables/table.js";
import { oneThread } from "../fit-arrays.js";

const ROWS = 900;
const COLUMNS = 7;

function indicators() {
  const rng = Rng.seeded(4);
  const x = Array.from({ length: COLUMNS }, (_, j) =>
    Float64Array.from({ length: ROWS }, () => (rng.uniform() < 0.02 + 0.02 * j ? 1 + (j % 2) : 0)),
  );
  const y = Float64Array.from({ length: ROWS }, (_, i) =>
    rng.uniform() < 1 / (1 + Math.exp(2 - 1.5 * x[3][i] - x[6][i])) ? 1 : 0,
  );
  return { x, y };
}

describe("sparse columns of classes", () => {
  test("say the same as when they are spelt out", async () => {
    const { x, y } = indicators();
    const entries: EntryTable = {
      by: "entries",
      name: "the rows",
      target: "label",
      *chunks() {
        const starts = new Uint32Array(ROWS + 1);
        const held: { j: number; value: number }[] = [];
        for (let i = 0; i < ROWS; i++) {
          for (let j = 0; j < COLUMNS; j++) if (x[j][i] !== 0) held.push({ j, value: x[j][i] });
          starts[i + 1] = held.length;
        }
        yield {
          rows: ROWS,
          starts,
          target: y,
          columns: Uint32Array.from(held, ({ j }) => j),
          values: Float64Array.from(held, ({ value }) => value),
        };
      },
    };
    const columns = Object.fromEntries(x.map((values, j) => [String(j + 1), values]));
    const dense = arrayTable({ ...columns, label: y });
    const options = { target: "label", family: "binomial", priorInclusion: 0.3 } as const;
    const [a, b] = [await fitTable(entries, options, oneThread), await fitTable(dense, options, oneThread)];
    for (const { name, pip, mean, sd } of a.variables) {
      const other = b.variables.find((variable) => variable.name === name)!;
      expect(Math.abs(pip - other.pip)).toBeLessThan(1e-3);
      expect(Math.abs(mean - other.mean)).toBeLessThan(0.01 * sd);
    }
  });
});
