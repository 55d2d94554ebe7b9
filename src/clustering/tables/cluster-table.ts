/** Clusters of the rows of a table, and of several numbers of them the one that is chosen: what a run folder holds. */

import type { DrawTable } from "../../draws/posterior-draws.js";
import { checkAsked } from "../../options/check.js";
import {
  type ClustersAsked,
  COMPONENTS,
  clusteringRelations,
  clusterOptions,
} from "../../options/clustering.js";
import type { DataRecord } from "../../selection/run.js";
import type { Table } from "../../tables/table.js";
import type { Spelling } from "../../wording.js";
import type { Crew, RunningOptions } from "../../workers/crew.js";
import { type Cluster, clusterRun } from "../clusters.js";
import { type ComponentComparison, compareComponents } from "../compare/compare-components.js";
import type { CovarianceShape } from "../exact/gaussian-blocks.js";
import type { Judgement } from "../judgement.js";
import { refuseColumns } from "../refuse-columns.js";
import { copyNotes } from "./copies.js";
import { matrixOf } from "./matrix.js";
import { sphericalNotes } from "./spherical.js";
import { drawsTable } from "./summary-draws.js";

export interface ClusterSummary extends Judgement {
  readonly model: "clusters";
  readonly rows: number;
  readonly columns: readonly string[];
  readonly components: number;
  readonly covariance: CovarianceShape;
  readonly method: "gibbs" | "esgld";
  readonly seed: number;
  /** Heaviest first. */
  readonly clusters: readonly Cluster[];
  /** How the number was chosen, where there was a choice. */
  readonly comparison?: ComponentComparison;
  readonly partial?: true;
  readonly notes?: readonly string[];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly timing: Readonly<Record<string, number>>;
}

/** What became of each row: its most probable cluster from 1, and the probability of every one. */
export interface Assigned {
  readonly label: ArrayLike<number>;
  readonly probabilities: Float64Array;
}

export interface ClusterTableRun {
  readonly result: ClusterSummary;
  readonly data: DataRecord;
  readonly draws: DrawTable;
  assigned(): Assigned;
}

export interface TableRunning extends RunningOptions {
  /** Hears what was done to the data. */
  readonly onMessage?: ((message: string) => void) | undefined;
}

export const BESIDE = ["signal", "onProgress", "onMessage"];

export async function clusterTable(
  table: Table,
  options: ClustersAsked & TableRunning,
  crew: Crew,
  spelling: Spelling,
): Promise<ClusterTableRun> {
  checkAsked(options, { table: clusterOptions, beside: BESIDE, relations: clusteringRelations });
  const { covariance = "full", seed = 1, method, chains, iterations, burnIn } = options;
  const asked = options.components ?? COMPONENTS;
  const from = performance.now();
  const { names, rows, values, notes: read, data } = await matrixOf(table, options);
  crew.journal?.onData(data.checksum);
  for (const note of read) options.onMessage?.(note);
  refuseColumns(values, names.length, covariance, names);
  const shape = sphericalNotes(covariance, values, names, spelling);
  for (const note of shape) options.onMessage?.(note);
  const copied = copyNotes(values, names.length);
  for (const note of copied) options.onMessage?.(note);
  const notes = [...read, ...shape, ...copied];
  const begun = performance.now();
  const running = {
    ...(options.threads !== undefined && { threads: options.threads }),
    signal: options.signal,
    onProgress: options.onProgress,
  };
  const columns = names.length;
  const comparison =
    typeof asked === "number"
      ? undefined
      : await compareComponents(values, { ...running, columns, counts: asked, covariance, seed }, crew);
  const components = comparison?.chosen ?? (asked as number);
  const settings = given({ components, covariance, method, chains, iterations, burnIn, seed });
  const { result, draws, quantities } = await clusterRun(
    values,
    { ...running, ...settings, columns, components },
    crew,
    { spelling, names },
  );
  const { membership, ...found } = result;
  const end = performance.now();
  return {
    data,
    draws: drawsTable(draws, quantities(names)),
    assigned: () => assignedBy(membership(values), components),
    result: {
      model: "clusters",
      rows,
      columns: names,
      components,
      covariance,
      seed,
      ...found,
      ...(comparison && { comparison }),
      ...(comparison?.partial && { partial: true as const }),
      ...(notes.length > 0 && { notes }),
      settings: { ...settings, method: result.method },
      timing: { read: (begun - from) / 1000, fit: (end - begun) / 1000 },
    },
  };
}

/** Without what was not said. */
export function given<T extends object>(options: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const said = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said) as { [K in keyof T]: Exclude<T[K], undefined> };
}

export function assignedBy(probabilities: Float64Array, count: number): Assigned {
  const label = Uint16Array.from({ length: probabilities.length / count }, (_, i) => {
    let best = 0;
    for (let k = 1; k < count; k++) {
      if (probabilities[i * count + k] > probabilities[i * count + best]) best = k;
    }
    return best + 1;
  });
  return { label, probabilities };
}
