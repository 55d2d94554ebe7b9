/**
 * D ~ inverse-Wishart(ν, S) with density ∝ |D|^{−(ν+q+1)/2}·exp(−½ tr S·D⁻¹), by Bartlett's decomposition: with S = C·C′
 * and A lower triangular, A_jj² ~ χ²_{ν−j}, A_jk ~ N(0, 1), it is D = (C·A⁻ᵀ)(C·A⁻ᵀ)′.
 */

import { normal } from "./normal.js";
import { choleskyInPlace, invertLower, packedSize } from "./packed.js";
import type { Rng } from "./rng.js";

/** out ← the Cholesky factor of D. `scale` is S, packed. Returns false, and draws nothing useful, if S is not positive definite. */
export function inverseWishartFactor(
  out: Float64Array,
  rng: Rng,
  degrees: number,
  scale: Float64Array,
  dimension: number,
): boolean {
  const size = packedSize(dimension);
  const c = scale.slice();
  if (!choleskyInPlace(c, 0, dimension)) return false;
  const a = new Float64Array(size);
  for (let j = 0, at = 0; j < dimension; j++) {
    for (let k = 0; k < j; k++) a[at++] = normal(rng);
    a[at++] = Math.sqrt(chiSquare(rng, degrees - j));
  }
  const inverse = new Float64Array(size);
  invertLower(inverse, a, 0, dimension);
  const root = new Float64Array(dimension * dimension);
  for (let j = 0; j < dimension; j++) {
    for (let k = 0; k < dimension; k++) {
      let sum = 0;
      for (let i = 0; i <= Math.min(j, k); i++) sum += c[packedSize(j) + i] * inverse[packedSize(k) + i];
      root[j * dimension + k] = sum;
    }
  }
  for (let j = 0, at = 0; j < dimension; j++) {
    for (let k = 0; k <= j; k++) {
      let sum = 0;
      for (let i = 0; i < dimension; i++) sum += root[j * dimension + i] * root[k * dimension + i];
      out[at++] = sum;
    }
  }
  return choleskyInPlace(out, 0, dimension);
}

/** χ² by Marsaglia and Tsang (2000), for degrees above 2 as they are here. */
export function chiSquare(rng: Rng, degrees: number): number {
  const d = degrees / 2 - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal(rng);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(rng.uniformOpen()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return 2 * d * v;
  }
}
