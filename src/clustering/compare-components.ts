/** How many clusters? The same data with each number, compared by the predictive density of the same held-out rows. */

import { SparrowError } from "../errors.js";
import type { Rows } from "../types.js";
import { option } from "../wording.js";
import { type Crew, callingThread, withOneCrew } from "../workers/crew.js";
import { type ClusterOptions, clusters, type PredictiveScore } from "./clusters.js";

export interface CompareComponentsOptions extends Omit<ClusterOptions, "components"> {
  /** The numbers of clusters to compare. */
  readonly counts: readonly number[];
  /** The share of rows kept apart to score the fits, the same ones for all; 0.2 unless told. */
  readonly heldOut?: number;
}

export interface ComponentScore {
  /** How many clusters. */
  readonly components: number;
  /** How held-out rows were predicted with so many. */
  readonly score: PredictiveScore;
  /** The run was stopped before the end of this fit; those that had not begun are left out. */
  readonly partial?: true;
}

export async function compareComponents(
  values: Rows["values"],
  options: CompareComponentsOptions,
  crew: Crew = callingThread,
): Promise<ComponentScore[]> {
  return withOneCrew(crew, (same) => compared(same, values, options));
}

async function compared(
  crew: Crew,
  values: Rows["values"],
  options: CompareComponentsOptions,
): Promise<ComponentScore[]> {
  const { counts, heldOut = 0.2, onProgress, ...rest } = options;
  const scores: ComponentScore[] = [];
  let before = 0;
  for (const [at, components] of counts.entries()) {
    let planned = 0;
    try {
      const { score, partial } = await clusters(
        values,
        {
          ...rest,
          heldOut,
          components,
          onProgress({ stage, done, total }) {
            planned = total;
            // Those to come may take as long as this one.
            onProgress?.({ stage, done: before + done, total: before + total * (counts.length - at) });
          },
        },
        crew,
      );
      if (!score) {
        throw new SparrowError(
          `${option("heldOut", heldOut)} leaves no rows to score on; give more.`,
          "option",
        );
      }
      scores.push({ components, score, ...(partial && { partial }) });
    } catch (error) {
      const stopped = error instanceof SparrowError && error.code === "stopped";
      if (stopped && scores.length > 0) return scores;
      throw error;
    }
    before += planned;
  }
  return scores;
}
