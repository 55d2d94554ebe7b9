/**
 * Standard normals by the ziggurat with 256 layers (Marsaglia and Tsang 2000), with layer, sign and mantissa
 * from separate bits (Doornik 2005): about 99% of draws cost two words, one multiplication and one comparison.
 */

import type { Rng } from "./rng.js";

const LAYERS = 256;
/** Right end of the bottom layer and the common area for 256 layers. */
const R = 3.6541528853610088;
const V = 0.00492867323399;

const edge = new Float64Array(LAYERS + 1);
const height = new Float64Array(LAYERS + 1);
const density = (x: number): number => Math.exp(-0.5 * x * x);

edge[0] = V / density(R);
edge[1] = R;
for (let i = 2; i < LAYERS; i++) edge[i] = Math.sqrt(-2 * Math.log(V / edge[i - 1] + density(edge[i - 1])));
edge[LAYERS] = 0;
for (let i = 0; i <= LAYERS; i++) height[i] = density(edge[i]);

export function normal(rng: Rng): number {
  for (;;) {
    const bits = rng.uint32();
    const layer = bits & 255;
    const u = ((bits >>> 9) * 4294967296 + rng.uint32()) * 2 ** -55;
    const x = u * edge[layer];
    if (x < edge[layer + 1]) return bits & 256 ? -x : x;
    if (layer === 0) {
      const t = tail(rng);
      return bits & 256 ? -t : t;
    }
    if (height[layer] + rng.uniform() * (height[layer + 1] - height[layer]) < density(x)) {
      return bits & 256 ? -x : x;
    }
  }
}

/** The tail beyond R, by Marsaglia's exponential method. */
function tail(rng: Rng): number {
  for (;;) {
    const x = -Math.log(rng.uniformOpen()) / R;
    const y = -Math.log(rng.uniformOpen());
    if (2 * y > x * x) return R + x;
  }
}
