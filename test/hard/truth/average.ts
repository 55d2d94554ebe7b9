/** Averages over models: probabilities, means and standard deviations of coefficients in the units of the data. */

import type { Truth } from "../problem.js";

export interface Worked {
  readonly members: readonly number[];
  /** log p(y | S) + log π(S), up to a constant. */
  readonly log: number;
  /** Given the model, in standard units; absent where it is too improbable to matter. */
  readonly mean: readonly number[];
  readonly variance: readonly number[];
}

/** Variables below this are not stored one by one. */
const STORED = 0.002;

export function averaged(models: readonly Worked[], sd: readonly number[], error: number): Truth {
  const largest = models.reduce((most, { log }) => Math.max(most, log), Number.NEGATIVE_INFINITY);
  const total = models.reduce((sum, { log }) => sum + Math.exp(log - largest), 0);
  const sums = sd.map(() => ({ pip: 0, mean: 0, square: 0 }));
  for (const { members, log, mean, variance } of models) {
    const weight = Math.exp(log - largest) / total;
    members.forEach((j, a) => {
      sums[j].pip += weight;
      sums[j].mean += weight * mean[a];
      sums[j].square += weight * (mean[a] ** 2 + variance[a]);
    });
  }
  return stored(
    sums.map(({ pip, mean, square }) => ({ pip, mean, variance: square - mean * mean })),
    sd,
    error,
  );
}

export function stored(
  variables: readonly { readonly pip: number; readonly mean: number; readonly variance: number }[],
  sd: readonly number[],
  error: number,
): Truth {
  const few = variables.length <= 20;
  const kept = variables.flatMap(({ pip, mean, variance }, j) =>
    few || pip > STORED
      ? [[`x${j}`, [pip, mean / sd[j], Math.sqrt(Math.max(0, variance)) / sd[j]].map(rounded)] as const]
      : [],
  );
  const others = few
    ? 0
    : variables.reduce((most, { pip }) => (pip > STORED ? most : Math.max(most, pip)), 0);
  return {
    variables: Object.fromEntries(kept) as unknown as Truth["variables"],
    others: rounded(others),
    error: rounded(error),
  };
}

const rounded = (value: number): number => Number(value.toPrecision(6));
