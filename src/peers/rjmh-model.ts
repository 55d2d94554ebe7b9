/** Where a reversible-jump chain is: a model S with its coefficients and σ², and who may enter it or leave. */

import { aliasTable } from "../math/alias.js";
import type { Rng } from "../math/rng.js";

export interface RjmhModel {
  /** In no order. */
  readonly members: readonly number[];
  /** Zero outside. */
  readonly beta: Float64Array;
  noiseVariance: number;
  /** Σ_{∉S} w and Σ_{∈S} (1 − w): the normalisers of birth and death. */
  readonly outside: number;
  readonly inside: number;
  /** j ∉ S ∝ w_j */
  drawOutside(rng: Rng): number;
  /** i ∈ S ∝ 1 − w_i */
  drawInside(rng: Rng): number;
  join(j: number, value: number): void;
  leave(i: number): void;
}

/** The empty model. */
export function rjmhModel(weights: Float64Array, noiseVariance: number): RjmhModel {
  const births = aliasTable(weights);
  const members: number[] = [];
  const place = new Int32Array(weights.length).fill(-1);
  const beta = new Float64Array(weights.length);
  const model = {
    members,
    beta,
    noiseVariance,
    outside: weights.reduce((sum, w) => sum + w, 0),
    inside: 0,
    drawOutside(rng: Rng): number {
      for (;;) {
        const j = births.draw(rng);
        if (place[j] < 0) return j;
      }
    },
    drawInside(rng: Rng): number {
      let u = rng.uniform() * model.inside;
      for (const i of members) {
        u -= 1 - weights[i];
        if (u < 0) return i;
      }
      return members[members.length - 1];
    },
    join(j: number, value: number): void {
      place[j] = members.length;
      members.push(j);
      beta[j] = value;
      model.outside -= weights[j];
      model.inside += 1 - weights[j];
    },
    leave(i: number): void {
      const last = members.pop()!;
      if (last !== i) {
        members[place[i]] = last;
        place[last] = place[i];
      }
      place[i] = -1;
      beta[i] = 0;
      model.outside += weights[i];
      model.inside -= 1 - weights[i];
    },
  };
  return model;
}
