/** Readers advise to exclude columns; a prediction needs those that its run has, but for the target. */

import { withoutExclude } from "../tables/judge/late.js";
import type { AnyPredictor } from "./any-predictor.js";

export async function inOwnWords<T>({ target }: AnyPredictor, predict: () => Promise<T>): Promise<T> {
  try {
    return await predict();
  } catch (error) {
    throw withoutExclude(error, (columns) =>
      [columns].flat()[0] === target
        ? "a copy of the data that lacks it, for predictions need no target"
        : "a run that was fitted without it",
    );
  }
}
