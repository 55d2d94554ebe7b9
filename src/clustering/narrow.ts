/**
 * Clusters that are narrower in a column than its values are apart: they are made of a value that repeats, as rounded
 * numbers, counts and codes do, and the density of one value grows without bound as a cluster closes on it. Chains agree
 * on that as well as on anything.
 */

import { namesText } from "../tables/judge/remarks.js";
import { option } from "../wording.js";
import type { Sampled } from "./sampled.js";
import { covarianceOf } from "./summary.js";

export interface Narrow {
  /** The place of a column, and of the clusters that are narrower than its steps. */
  readonly column: number;
  readonly clusters: readonly number[];
  /** Whether there is no other column. */
  readonly alone: boolean;
}

interface Blocks {
  readonly count: number;
  /** Where block k begins in θ. */
  block(k: number): number;
  readonly full: boolean;
  /** What values can show of a variance (exact/resolution.ts). */
  readonly floor: readonly number[];
}

/** Where more than half of the draws say so. */
export function narrowIn(
  { chains, weights }: Sampled<Float64Array>,
  { count, block, full, floor }: Blocks,
): Narrow[] {
  const d = floor.length;
  const share = new Float64Array(count * d);
  chains.flat().forEach((theta, t) => {
    for (let k = 0; k < count; k++) {
      const covariance = covarianceOf(theta, block(k), d, full);
      for (let j = 0; j < d; j++) if (covariance[j * d + j] < floor[j]) share[k * d + j] += weights[t];
    }
  });
  return floor.flatMap((_, column) => {
    const clusters = Array.from({ length: count }, (__, k) => k).filter((k) => share[k * d + column] > 0.5);
    return clusters.length > 0 ? [{ column, clusters, alone: d === 1 }] : [];
  });
}

/** `names` are those of a table, whose columns can be left out by an option. */
export function narrowWords(
  narrow: readonly Narrow[],
  kind: "cluster" | "state",
  names?: readonly string[],
): string[] {
  return narrow.map(({ column, clusters, alone }) => {
    const [last, ...others] = clusters.map((k) => String(k + 1)).reverse();
    const some =
      others.length > 0
        ? `${capital(kind)}s ${others.reverse().join(", ")} and ${last} are`
        : `${capital(kind)} ${last} is`;
    const name = names ? namesText([names[column]]) : `column ${column + 1}`;
    const how = names ? ` (${option("exclude", names[column])})` : "";
    const advice = alone ? "Ask for fewer" : `Leave ${name} out${how}, or ask for fewer`;
    return `${some} narrower in ${name} than its values are apart: a value that repeats makes a ${kind} of its own, whatever belongs together. ${advice}.`;
  });
}

const capital = (word: string): string => word[0].toUpperCase() + word.slice(1);
