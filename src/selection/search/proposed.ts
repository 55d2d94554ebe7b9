/** What the chains of a search hold on to. */

import type { Problem } from "../posterior/problem.js";
import type { ChainOutput } from "./types.js";

/**
 * The share of the models of a chain. What comes and goes with the noise of mini-batches is left to the certificate,
 * which knows better: every candidate that means nothing multiplies the models that are weighed.
 */
const OFTEN = 0.5;

/** Columns that the models of a chain held often and what must be in, in rising order. */
export function proposedBy(
  { always, screen, usable }: Problem,
  chains: readonly ChainOutput[],
  most: number,
): number[] {
  const pip = inclusionBy(chains);
  const correlation = (j: number): number => Math.abs(screen.correlation[j]);
  const best = (columns: readonly number[], worth: (j: number) => number, count: number): number[] =>
    [...columns].sort((a, b) => worth(b) - worth(a)).slice(0, count);
  const chosen = pip
    ? best(
        usable.filter((j) => chains.some((chain) => chain.inclusion[j] > OFTEN * chain.models)),
        pip,
        most,
      )
    : [
        // Stopped in their burn-in, the chains have their last models to offer, which may be good or bad.
        ...best(lastModels(chains, usable), correlation, most / 2),
        ...best(usable, correlation, most / 2),
      ];
  return [...new Set([...always, ...chosen])].sort((a, b) => a - b);
}

function lastModels(chains: readonly ChainOutput[], usable: readonly number[]): number[] {
  const reached = new Set(chains.flatMap(({ last }) => [...last.members]));
  return usable.filter((j) => reached.has(j));
}

/** How often the models of a search held a column; undefined when none was counted. */
export function inclusionBy(chains: readonly ChainOutput[]): ((j: number) => number) | undefined {
  const models = chains.reduce((sum, chain) => sum + chain.models, 0);
  if (models === 0) return undefined;
  return (j) => chains.reduce((sum, chain) => sum + chain.inclusion[j], 0) / models;
}

/** Columns that most of the models of a search hold; where none was counted, those of its last model. */
export function medianOf(chains: readonly ChainOutput[], columns: number): number[] {
  const models = chains.reduce((sum, chain) => sum + chain.models, 0);
  if (models === 0) return [...chains[0].last.members].filter((j) => j < columns).sort((a, b) => a - b);
  return Array.from({ length: columns }, (_, j) => j).filter(
    (j) => chains.reduce((sum, chain) => sum + chain.inclusion[j], 0) > 0.5 * models,
  );
}
