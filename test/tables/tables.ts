import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";

/** A table of numbers that float32 and short decimals both hold exactly: x1 … and y = x1 − x2 + noise. */
export function numbers(rows: number, columns: number, seed = 1): Record<string, Float64Array> {
  const rng = Rng.seeded(seed);
  const draw = () => Math.round(256 * normal(rng)) / 256;
  const table: Record<string, Float64Array> = {};
  for (let j = 1; j <= columns; j++) table[`x${j}`] = Float64Array.from({ length: rows }, draw);
  table.y = Float64Array.from({ length: rows }, (_, i) => table.x1[i] - table.x2[i] + draw());
  return table;
}
