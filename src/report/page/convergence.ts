/** R-hat and effective sample sizes of the quantities in a table of chain draws. */

import { mean } from "../../diagnostics/chains.js";
import { essBulk, essTail } from "../../diagnostics/ess.js";
import { rhat } from "../../diagnostics/rhat.js";
import { verdict } from "../../diagnostics/verdict.js";
import { DRAW_INDEX, type DrawTable, LOG_WEIGHT } from "../../draws/posterior-draws.js";
import { asFlag, spelt } from "../../wording.js";
import type { StoredRun } from "../stored-run.js";

export interface Convergence {
  readonly name: string;
  readonly chains: readonly Float64Array[];
  readonly mean: number;
  /** Absent for a quantity that does not vary. */
  readonly rhat?: number;
  readonly bulk?: number;
  readonly tail?: number;
}

const MAX_ROWS = 12;

/** The model size first, then the others in the order of the table. */
export function convergence({ names, columns }: DrawTable): Convergence[] {
  const index = new Set<string>([...DRAW_INDEX, LOG_WEIGHT]);
  const chainOf = columns[names.indexOf(".chain")];
  const size = names.indexOf("size");
  const order = [size, ...names.keys()].filter(
    (c, i) => c >= 0 && (i === 0 || c !== size) && !index.has(names[c]),
  );
  const weights = columns[names.indexOf(LOG_WEIGHT)]?.map(Math.exp);
  return order.slice(0, MAX_ROWS).map((c) => {
    const chains = splitBy(chainOf, columns[c]);
    const [r, bulk, tail] = [rhat(chains), essBulk(chains), essTail(chains)];
    return {
      name: names[c],
      chains,
      mean: weights ? weightedMean(columns[c], weights) : mean(columns[c]),
      ...(r !== undefined && { rhat: r }),
      ...(bulk !== undefined && { bulk }),
      ...(tail !== undefined && { tail }),
    };
  });
}

/** For a run whose numbers are those of its chains: whether they can be trusted. */
export function chainVerdict({ record, draws, result }: StoredRun): string | undefined {
  if (record.draws !== "chains" || !draws) return undefined;
  const rows = convergence(draws);
  const worst = rows.reduce((a, b) => ((b.rhat ?? 0) > (a.rhat ?? 0) ? b : a));
  const least = rows.reduce((a, b) => ((b.bulk ?? Infinity) < (a.bulk ?? Infinity) ? b : a));
  const { summary } = verdict({
    chains: rows[0].chains.length,
    ...(worst.rhat !== undefined && { rhat: worst.rhat, rhatOf: worst.name }),
    ...(least.bulk !== undefined && { ess: least.bulk, essOf: least.name }),
    selected: result.variables.filter(({ selected }) => selected).length,
  });
  return spelt(summary, asFlag);
}

function weightedMean(values: Float64Array, weights: Float64Array): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return values.reduce((sum, value, i) => sum + value * weights[i], 0) / total;
}

function splitBy(chainOf: Float64Array, values: Float64Array): Float64Array[] {
  const chains: Float64Array[] = [];
  for (let from = 0; from < chainOf.length; ) {
    let to = from + 1;
    while (to < chainOf.length && chainOf[to] === chainOf[from]) to += 1;
    chains.push(values.subarray(from, to));
    from = to;
  }
  return chains;
}
