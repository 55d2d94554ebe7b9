import { normal } from "../../src/math/normal.js";
import type { Rng } from "../../src/math/rng.js";
import { addRow, type CrossProducts, emptyCrossProducts } from "../../src/mixed/model/crossproducts.js";

/** y = Xβ + X_r b + e with an intercept, two normal columns and random effects on the first columns. */
export function simulatedUnits(
  rng: Rng,
  settings: { units: number; rows: (unit: number) => number; beta: number[]; sd: number[]; noise: number },
): CrossProducts {
  const { units, rows, beta, sd, noise } = settings;
  const columns = beta.map((_, j) => (j === 0 ? "intercept" : `x${j}`));
  const data = emptyCrossProducts(
    columns,
    "y",
    Array.from({ length: units }, (_, i) => `g${i}`),
  );
  const row = new Float64Array(columns.length + 1);
  for (let i = 0; i < units; i++) {
    const b = sd.map((s) => s * normal(rng));
    for (let r = 0; r < rows(i); r++) {
      let y = noise * normal(rng);
      for (let j = 0; j < columns.length; j++) {
        row[j] = j === 0 ? 1 : normal(rng);
        y += row[j] * (beta[j] + (b[j] ?? 0));
      }
      row[columns.length] = y;
      addRow(data, i, row);
    }
  }
  return data;
}

export const everyUnit = (data: CrossProducts): Uint32Array => Uint32Array.from(data.groups.keys());
