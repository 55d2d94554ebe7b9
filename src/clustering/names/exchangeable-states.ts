/**
 * The states of a hidden Markov model could as well come in any other order. What a step is depends on its neighbours, so
 * that witnesses are asked along with some steps on either side.
 */

import { states } from "../../latent/states.js";
import { Rng } from "../../math/rng.js";
import type { Hmm } from "../../models/hmm.js";
import type { Stretch } from "../../types.js";
import { spread, stretchesAbout } from "../sequences.js";
import { smooth } from "../smoothing.js";
import { copyBlocks, type Exchangeable } from "./exchangeable.js";

/** Steps on either side of a witness. */
const ABOUT = 20;
/** Of more steps, a draw is asked about so many stretches of so many steps, with some on either side. */
export const SHARED = { steps: 5000, stretches: 20, length: 250, buffer: 50 };

/** All steps are witnesses unless told. */
export function exchangeableStates(model: Hmm, steps: Stretch, witnesses?: Uint32Array): Exchangeable {
  const { states: count, block, initialAt } = model;
  const length = model.emission.names.length;
  const first = new Float64Array(count);
  const kernel = states(model);
  // The filter draws nothing.
  const z = kernel.init(Rng.seeded(0), new Float64Array(0));
  const transitions = new Float64Array(count * count);
  const seen = witnesses ? stretchesAbout(steps, witnesses, ABOUT) : [{ stretch: steps, places: undefined }];
  const asked =
    steps.rows > SHARED.steps ? spread(steps, SHARED.stretches, SHARED.length, SHARED.buffer) : [steps];

  /** P(state at step | stretch), on average over the steps that count. */
  function shares(theta: Float64Array, stretches: readonly Stretch[]): Float64Array {
    const sums = new Float64Array(count);
    let total = 0;
    for (const stretch of stretches) {
      kernel.enter(z, theta, stretch);
      smooth(z, stretch, (t, law) => {
        if (t < stretch.from || t >= stretch.to) return;
        for (let k = 0; k < count; k++) sums[k] += law[k];
      });
      total += stretch.to - stretch.from;
    }
    return sums.map((sum) => sum / total);
  }

  return {
    count,
    block,
    rows: steps.rows,
    witnesses,
    at: (others) => exchangeableStates(model, steps, others),
    reordered(theta, order) {
      model.transitions(transitions, theta);
      const out = new Float64Array(theta.length);
      const last = order[count - 1];
      order.forEach((from, i) => {
        for (let j = 0; j < count - 1; j++) {
          const odds = transitions[from * count + order[j]] / transitions[from * count + last];
          out[i * (count - 1) + j] = Math.log(odds);
        }
      });
      copyBlocks(out, theta, order, block, length);
      if (initialAt !== undefined) {
        model.initial(first, theta);
        for (let j = 0; j < count - 1; j++) out[initialAt + j] = Math.log(first[order[j]] / first[last]);
      }
      return out;
    },
    shares: (theta) => shares(theta, asked),
    beyond:
      asked[0] === steps
        ? undefined
        : (theta) => {
            const some = shares(theta, asked);
            return shares(theta, [steps]).map((share, k) => share - some[k]);
          },
    claims(theta) {
      const out = new Float64Array((witnesses?.length ?? steps.rows) * count);
      for (const { stretch, places } of seen) {
        kernel.enter(z, theta, stretch);
        smooth(z, stretch, (t, law) => {
          const place = places ? places[t] : t;
          if (place >= 0) out.set(law, place * count);
        });
      }
      return out;
    },
  };
}
