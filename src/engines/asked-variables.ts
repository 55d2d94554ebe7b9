/** Variables under the names that questions give them: as they are stored, less their shift, and as the model sees them. */

import type { Scaling } from "../store/batch/scaling.js";
import { combination, type Layer, TARGET, variableName, written } from "./question.js";

export interface AskedVariables {
  /** Predictors; the target is number `columns`. */
  readonly columns: number;
  /** Stored numbers u of some variables, by `variableName`. */
  stored(which: Iterable<number>): Layer;
  /** x = slope·u + offset, by the same names, for the layer above. */
  seen(which: Iterable<number>, scaling: Scaling): Layer;
  /** The target as the family sees it. */
  target(scaling: Scaling): Layer;
}

/** `s_x3` is what the model sees of `s_v3`. */
export const seenName = (j: number): string => `s_x${j}`;

export function askedVariables(expressions: readonly string[], shift: Float64Array): AskedVariables {
  const columns = expressions.length - 1;
  const storedOf = (j: number): string =>
    shift[j] === 0 ? `(${expressions[j]})` : `((${expressions[j]}) - ${written(shift[j])})`;
  return {
    columns,
    stored: (which) => Object.fromEntries([...new Set(which)].map((j) => [variableName(j), storedOf(j)])),
    seen: (which, { slope, offset }) =>
      Object.fromEntries(
        [...new Set(which)].map((j) => [
          seenName(j),
          `(${combination(offset[j], [[slope[j], variableName(j)]])})`,
        ]),
      ),
    target: ({ target: { slope, offset } }) => ({
      [TARGET]: `(${combination(offset - slope * shift[columns], [[slope, `(${expressions[columns]})`]])})`,
    }),
  };
}
