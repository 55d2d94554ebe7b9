/** Hidden states of the rows of a table in their order, one sequence or several: what a run folder holds. */

import type { DrawTable } from "../../draws/posterior-draws.js";
import { checkAsked } from "../../options/check.js";
import { clusteringRelations, STATES, type StatesAsked, stateOptions } from "../../options/clustering.js";
import type { DataRecord } from "../../selection/run.js";
import type { Table } from "../../tables/table.js";
import type { Spelling } from "../../wording.js";
import type { Crew } from "../../workers/crew.js";
import { compareStates, type StateComparison } from "../compare/compare-states.js";
import type { CovarianceShape } from "../exact/gaussian-blocks.js";
import { type EmissionOptions, type HiddenState, stateRun } from "../hidden-states.js";
import type { Judgement } from "../judgement.js";
import { refuseClocks, refuseColumns } from "../refuse-columns.js";
import type { Estimate } from "../sampled.js";
import { unordered } from "./by-sequence.js";
import { type Assigned, BESIDE, given, type TableRunning } from "./cluster-table.js";
import { matrixOf } from "./matrix.js";
import { sphericalNotes } from "./spherical.js";
import { drawsTable } from "./summary-draws.js";

export interface StateSummary extends Judgement {
  readonly model: "states";
  readonly rows: number;
  readonly columns: readonly string[];
  readonly sequences: number;
  readonly components: number;
  /** Of Gaussian states. */
  readonly covariance?: CovarianceShape;
  /** Of categorical ones. */
  readonly levels?: readonly string[];
  readonly method: "gibbs" | "esgld";
  readonly seed: number;
  /** The one with the most steps first. */
  readonly states: readonly HiddenState[];
  /** The law of first states, where it was learned. */
  readonly initial?: readonly Estimate[];
  /** How the number was chosen, where there was a choice. */
  readonly comparison?: StateComparison;
  readonly partial?: true;
  readonly notes?: readonly string[];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly timing: Readonly<Record<string, number>>;
}

export interface StateTableRun {
  readonly result: StateSummary;
  readonly data: DataRecord;
  readonly draws: DrawTable;
  /** The label of a step is its state on the most probable path. */
  assigned(): Assigned;
}

export async function stateTable(
  table: Table,
  options: StatesAsked & TableRunning,
  crew: Crew,
  spelling: Spelling,
): Promise<StateTableRun> {
  checkAsked(options, { table: stateOptions, beside: BESIDE, relations: clusteringRelations });
  const { covariance = "full", seed = 1, method, chains, iterations, burnIn, initial } = options;
  const asked = options.states ?? STATES;
  const from = performance.now();
  const matrix = await matrixOf(table, { ...options, words: true });
  const { names, rows, values, levels, sequences: told, data } = matrix;
  crew.journal?.onData(data.checksum);
  for (const note of matrix.notes) options.onMessage?.(note);
  const ends = told?.starts ?? [0, rows];
  if (!levels) {
    refuseColumns(values, names.length, covariance, names);
    refuseClocks(values, names, ends);
  }
  const shape = levels ? [] : sphericalNotes(covariance, values, names, spelling);
  for (const note of shape) options.onMessage?.(note);
  const notes = [...matrix.notes, ...shape];
  const read = performance.now();
  const running = {
    ...(options.threads !== undefined && { threads: options.threads }),
    signal: options.signal,
    onProgress: options.onProgress,
  };
  const d = names.length;
  const emission: EmissionOptions = levels
    ? { kind: "categorical", levels: levels.length }
    : { kind: "gaussian", columns: d, covariance };
  const sequences = ends.slice(1).map((end, s) => values.subarray(ends[s] * d, end * d));
  const law = given({ initial });
  const comparison =
    typeof asked === "number"
      ? undefined
      : await compareStates(sequences, { ...running, ...law, counts: asked, emission, seed }, crew);
  const components = comparison?.chosen ?? (asked as number);
  const settings = given({ states: components, method, chains, iterations, burnIn, initial, seed });
  const { result, draws, quantities } = await stateRun(
    sequences,
    { ...running, ...settings, emission },
    crew,
    { spelling, names },
  );
  const { probabilities, path, ...found } = result;
  const end = performance.now();
  return {
    data,
    draws: drawsTable(draws, quantities(names)),
    assigned: () => ({
      label: unordered(
        Uint16Array.from(
          sequences.flatMap((sequence) => [...path(sequence)]),
          (k) => k + 1,
        ),
        told?.order,
        1,
      ),
      probabilities: unordered(
        Float64Array.from(sequences.flatMap((sequence) => [...probabilities(sequence)])),
        told?.order,
        components,
      ),
    }),
    result: {
      model: "states",
      rows,
      columns: names,
      sequences: sequences.length,
      components,
      ...(levels ? { levels } : { covariance }),
      seed,
      ...found,
      ...(comparison && { comparison }),
      ...(comparison?.partial && { partial: true as const }),
      ...(notes.length > 0 && { notes }),
      settings: { ...settings, ...(levels ? {} : { covariance }), method: result.method },
      timing: { read: (read - from) / 1000, fit: (end - read) / 1000 },
    },
  };
}
