/**
 * Whether the noise is of one size, where the model came from sums of products: some rows are read once more, and what one
 * draw of β and of the effects of all groups leaves of them is looked at as in rows/checks/spread.ts.
 */

import { normal } from "../../math/normal.js";
import { invertLower, packedSize } from "../../math/packed.js";
import { Rng } from "../../math/rng.js";
import { type Looked, spreadSentences } from "../rows/checks/spread.js";
import type { Standard } from "../standard.js";
import { layoutOf, type MixedDesign, unpack } from "./chart.js";
import { conditionalProducts, factorConditional, solveConditional } from "./conditional-effects.js";

/** Rows that were read once more. */
export interface SomeRows {
  /** The place of the group of each row among those of the cross-products. */
  readonly groups: Int32Array;
  /** Of each column of the cross-products but the intercept, and of the target at the end. */
  readonly columns: readonly Float64Array[];
}

/** `natural` is θ in the units of the data. */
export function spreadOfRows(
  scaled: Standard,
  names: readonly string[],
  design: MixedDesign,
  theta: Float64Array,
  natural: Float64Array,
  { groups, columns }: SomeRows,
): string[] {
  const effects = drawnEffects(scaled, design, theta);
  const { fixed, random } = design;
  const q = random.length;
  const y = columns[columns.length - 1];
  const at = (column: number, i: number): number => (column === 0 ? 1 : columns[column - 1][i]);
  const eta = y.map((_, i) => {
    let sum = 0;
    fixed.forEach((column, k) => {
      sum += natural[k] * at(column, i);
    });
    random.forEach((column, k) => {
      sum += effects[groups[i] * q + k] * at(column, i);
    });
    return sum;
  });
  const looked = [...new Set([...fixed, ...random])].flatMap((column): Looked[] =>
    column === 0 ? [] : [{ what: `"${names[column]}"`, values: columns[column - 1], isColumn: true }],
  );
  return spreadSentences(
    y.map((value, i) => value - eta[i]),
    y,
    [...looked, { what: "the fitted value", values: eta, isColumn: false }],
  );
}

/** A draw of the effects of every group given θ, in the units of the data: means alone would leave too little of rows. */
function drawnEffects(
  { data, effectsToData }: Standard,
  design: MixedDesign,
  theta: Float64Array,
): Float64Array {
  const layout = layoutOf(design);
  const q = layout.random.length;
  const sd = Math.exp(0.5 * theta[layout.fixed.length]);
  const point = unpack(layout);
  point.read(theta);
  const [factor, inverse] = [new Float64Array(packedSize(q)), new Float64Array(packedSize(q))];
  const rng = Rng.seeded(1);
  const out = new Float64Array(data.rows.length * q);
  for (let i = 0, from = 0; i < data.rows.length; i++, from += data.stride) {
    const b = new Float64Array(q);
    factorConditional(factor, 0, layout, point, data.values, from);
    conditionalProducts(b, 0, layout, theta, data.values, from);
    solveConditional(b, 0, factor, 0, q);
    invertLower(inverse, factor, 0, q);
    // A⁻¹ = R⁻ᵀR⁻¹
    for (let l = 0, row = 0; l < q; row += ++l) {
      const z = sd * normal(rng);
      for (let k = 0; k <= l; k++) b[k] += inverse[row + k] * z;
    }
    out.set(effectsToData(b), i * q);
  }
  return out;
}
