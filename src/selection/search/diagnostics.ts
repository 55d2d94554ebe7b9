/**
 * How well the chains of a search know what they report: R-hat and effective sample size of the model size, and the
 * Monte Carlo error of every inclusion probability. They come from the thinned draws, while the probabilities count
 * every model in between, so the errors are on the safe side. Draws that do not count alike are worth fewer.
 */

import { essBulk, evenness } from "../../diagnostics/ess.js";
import { inclusionFromCounts } from "../../diagnostics/inclusion.js";
import { rhat } from "../../diagnostics/rhat.js";
import { drawCount, weightOf } from "../../draws/sparse-draws.js";
import type { ChainOutput } from "./types.js";

export interface SearchDiagnostics {
  /** Of the model size; absent when it does not vary or there are too few draws. */
  readonly rhat?: number;
  readonly ess?: number;
  /** Monte Carlo standard errors of the inclusion probabilities. */
  readonly inclusionError: Float64Array;
}

/** Entries of the series of a chain that errors are measured on: enough to see that they depend on each other. */
const ENTRIES = 200;
/** The sd of Beta(½, ½): nothing is known. */
const UNKNOWN = Math.sqrt(1 / 8);

export function searchDiagnostics(chains: readonly ChainOutput[], variables: number): SearchDiagnostics {
  // Chains that were stopped may differ in length.
  const draws = Math.min(...chains.map((chain) => drawCount(chain.draws)));
  const entries = Math.min(draws, ENTRIES);
  if (entries === 0) return { inclusionError: new Float64Array(variables).fill(UNKNOWN) };
  const sizes = chains.map(({ draws: { start } }) =>
    Float64Array.from({ length: draws }, (_, d) => start[d + 1] - start[d]),
  );
  const worth = evenness(
    chains.flatMap((chain) => Array.from({ length: draws }, (_, d) => weightOf(chain.draws, d))),
  );
  const [agreement, ofSize] = [rhat(sizes), essBulk(sizes)];
  const ess = ofSize === undefined ? undefined : worth * ofSize;

  const perEntry = Math.floor(draws / entries);
  const counts = new Map<number, Float64Array[]>();
  chains.forEach(({ draws: { start, variable } }, c) => {
    for (let d = 0; d < entries * perEntry; d++) {
      for (let i = start[d]; i < start[d + 1]; i++) {
        let series = counts.get(variable[i]);
        if (!series) {
          series = chains.map(() => new Float64Array(entries));
          counts.set(variable[i], series);
        }
        series[c][Math.floor(d / perEntry)] += 1;
      }
    }
  });
  const believed = ess === undefined ? {} : { effectiveDraws: ess };
  const errorOf = (series: readonly Float64Array[]) =>
    Math.min(0.5, inclusionFromCounts(series, perEntry, believed).mcse / Math.sqrt(worth));
  const inclusionError = new Float64Array(variables).fill(
    errorOf(chains.map(() => new Float64Array(entries))),
  );
  for (const [j, series] of counts) inclusionError[j] = errorOf(series);
  return {
    ...(agreement !== undefined && { rhat: agreement }),
    ...(ess !== undefined && { ess }),
    inclusionError,
  };
}
