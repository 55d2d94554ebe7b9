/**
 * Standard normals by the ziggurat with 256 layers (Marsaglia and Tsang 2000), with layer, sign and mantissa
 * from separate bits (Doornik 2005): about 99% of draws cost two words, one multiplication and one comparison.
 */

import type { Rng } from "./rng.js";

const LAYERS = 256;
/**
 * Right end R of the bottom layer and the common area V for 256 layers: the root of "the top layer ends at
 * height 1", with V = R·f(R) + ∫_R^∞ f. A test checks both identities.
 */
export const R = 3.654152885361009;
export const V = 0.004928673233974655;

export const edge = new Float64Array(LAYERS + 1);
export const height = new Float64Array(LAYERS + 1);
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
    // Signed, on [−1, 1): a branch on a sign bit is mispredicted half of the time and costs as much as the rest.
    const x = ((bits >> 9) * 2 ** -22 + rng.uint32() * 2 ** -54) * edge[layer];
    if (Math.abs(x) < edge[layer + 1]) return x;
    if (layer === 0) return x < 0 ? -tail(rng) : tail(rng);
    if (height[layer] + rng.uniform() * (height[layer + 1] - height[layer]) < density(x)) return x;
  }
}

/** |x| beyond R, by Marsaglia's (1964) exponential method; exported because `normal` comes here too rarely to test it. */
export function tail(rng: Rng): number {
  for (;;) {
    const x = -Math.log(rng.uniformOpen()) / R;
    const y = -Math.log(rng.uniformOpen());
    if (2 * y > x * x) return R + x;
  }
}
