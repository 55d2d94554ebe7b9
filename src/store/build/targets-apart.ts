/** Whether the target is another in rows that are left out, because a predictor is missing, than in those that stay. */

import { Moments } from "../../math/moments.js";
import type { Apart } from "../store.js";

export function targetsApart() {
  const [kept, left] = [new Moments(), new Moments()];
  return {
    /** Targets of some rows, and which of these stay; undefined when all do. */
    look(targets: ArrayLike<number>, keep: Uint32Array | undefined): void {
      for (let i = 0, next = 0; i < targets.length; i++) {
        const stays = keep === undefined || keep[next] === i;
        if (stays) next += 1;
        if (!Number.isNaN(targets[i])) (stays ? kept : left).add(targets[i]);
      }
    },
    /** Undefined where one of the two has no spread. */
    apart(): Apart | undefined {
      const spread = kept.deviation;
      if (!(spread > 0) || !(left.variance >= 0)) return undefined;
      const error = Math.sqrt(kept.variance / kept.weight + left.variance / left.weight);
      return { by: (left.mean - kept.mean) / spread, error: error / spread };
    },
  };
}
