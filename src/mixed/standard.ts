/**
 * Columns centred and divided by their standard deviations, and the way back. The priors have a fixed scale, so
 * they should meet columns of a common one. A column is centred only where an intercept takes up what centring
 * removes: the model stays the same, and only its coordinates change.
 */

import { packedSize, placeOf } from "../math/packed.js";
import type { MixedDesign } from "./model/chart.js";
import { type CrossProducts, pooled } from "./model/crossproducts.js";

export interface Standard {
  readonly data: CrossProducts;
  /** What was subtracted from the columns and the target, and what they were divided by. */
  readonly shift: Float64Array;
  readonly scale: Float64Array;
  /** From β, σ² and the triangle of Σ in standard coordinates to those of the data. */
  toData(natural: Float64Array): Float64Array;
  /** The same for q random effects. */
  effectsToData(b: Float64Array): Float64Array;
}

/** The data as it is, for the paper's preset. */
export const asItIs = (data: CrossProducts): Standard => ({
  data,
  shift: new Float64Array(data.columns.length + 1),
  scale: new Float64Array(data.columns.length + 1).fill(1),
  toData: (natural) => natural,
  effectsToData: (b) => b,
});

/** `data.columns[0]` is the intercept. */
export function standard(data: CrossProducts, { fixed, random }: MixedDesign): Standard {
  const { rows, values } = pooled(data);
  const width = data.columns.length;
  const centred = (j: number): boolean =>
    j > 0 && (!fixed.includes(j) || fixed.includes(0)) && (!random.includes(j) || random.includes(0));
  const shift = new Float64Array(width + 1);
  const scale = new Float64Array(width + 1).fill(1);
  for (let j = 1; j <= width; j++) {
    const mean = values[placeOf(j, 0)] / rows;
    if (j === width ? fixed.includes(0) : centred(j)) shift[j] = mean;
    const spread = values[placeOf(j, j)] / rows - mean * mean;
    if (spread > 0) scale[j] = Math.sqrt(spread);
  }
  const own = scale[width];

  /** Coefficients on the standard columns `which` to those on the data's. */
  function back(b: Float64Array, which: readonly number[]): Float64Array {
    const out = b.map((value, k) => (own * value) / scale[which[k]]);
    const intercept = which.indexOf(0);
    if (intercept >= 0) {
      for (let k = 0; k < which.length; k++) out[intercept] -= shift[which[k]] * out[k];
    }
    return out;
  }

  return {
    data: { ...data, values: shifted(data, shift, scale) },
    shift,
    scale,
    effectsToData: (b) => back(b, random),
    toData(natural) {
      const p = fixed.length;
      const q = random.length;
      const out = new Float64Array(natural.length);
      out.set(back(natural.subarray(0, p), fixed));
      const intercept = fixed.indexOf(0);
      if (intercept >= 0) out[intercept] += shift[width];
      out[p] = own * own * natural[p];
      // Σ ↦ TΣT′ by two rounds of the same linear map.
      const half: Float64Array[] = [];
      for (let j = 0; j < q; j++) {
        half.push(
          back(
            Float64Array.from({ length: q }, (_, k) => natural[p + 1 + placeOf(j, k)]),
            random,
          ),
        );
      }
      for (let k = 0; k < q; k++) {
        const row = back(
          Float64Array.from({ length: q }, (_, j) => half[j][k]),
          random,
        );
        for (let j = k; j < q; j++) out[p + 1 + packedSize(j) + k] = row[j];
      }
      return out;
    },
  };
}

function shifted(data: CrossProducts, shift: Float64Array, scale: Float64Array): Float64Array {
  const { values, stride } = data;
  const width = data.columns.length;
  const out = new Float64Array(values.length);
  for (let i = 0, at = 0; i < data.rows.length; i++) {
    const from = i * stride;
    const count = values[from];
    for (let j = 0; j <= width; j++) {
      const sumJ = values[from + placeOf(j, 0)];
      for (let k = 0; k <= j; k++, at++) {
        const sumK = values[from + placeOf(k, 0)];
        const centred = values[at] - shift[j] * sumK - shift[k] * sumJ + shift[j] * shift[k] * count;
        out[at] = centred / (scale[j] * scale[k]);
      }
    }
  }
  return out;
}
