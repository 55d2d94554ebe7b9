/**
 * The other rows of Table 1 of Song et al. (2020): RJMH, split-and-merge and the Bayesian Lasso with the supplement's
 * settings. A data set is made once and all methods follow one another on it.
 */

import {
  average,
  overDataSets,
  type SelectionError,
  selectionError,
} from "../diagnostics/selection-error.js";
import { threads } from "../node/threads.js";
import { bayesianLassoFit, type PeerFit, rjmhFit, splitMergeFit } from "../peers/bayesian.js";
import { prepare } from "../peers/prepare.js";
import type { Prepared } from "../peers/prepared.js";
import { cpuMeter } from "./cpu-meter.js";
import { simulatedTable, trueCoefficients } from "./simulated.js";
import type { TableRow } from "./simulation-study.js";

export type StudyPeer = "rjmh" | "sam" | "blasso";

const PEERS: Readonly<Record<StudyPeer, { fit: Fit; paper: NonNullable<TableRow["paper"]> }>> = {
  rjmh: {
    fit: (prepared) => rjmhFit(prepared, "paper"),
    paper: { fsr: 0.5, nsr: 0.16, mse1: 1.6e-1, mse0: 2.64e-5, cpuSeconds: 10_806 },
  },
  sam: {
    fit: (prepared) => splitMergeFit(prepared, "paper"),
    paper: { fsr: 0.05, nsr: 0.013, mse1: 1.29e-2, mse0: 1.01e-6, cpuSeconds: 9024 },
  },
  blasso: {
    fit: (prepared) => bayesianLassoFit(prepared, "paper"),
    paper: { fsr: 0, nsr: 0, mse1: 2.32e-4, mse0: 1.4e-7, cpuSeconds: 1968 },
  },
};

type Fit = (prepared: Prepared) => Promise<PeerFit>;

export const STUDY_PEERS = Object.keys(PEERS) as StudyPeer[];

export interface PeerStudySettings {
  readonly methods: readonly StudyPeer[];
  readonly datasets: number;
  readonly rows: number;
  readonly columns: number;
  readonly signal?: AbortSignal | undefined;
  readonly onDataSet?: (method: StudyPeer, done: number) => void;
}

/** A row of the table for each method. */
export async function peerRows(settings: PeerStudySettings): Promise<TableRow[]> {
  const { methods, datasets, rows, columns, signal } = settings;
  const truth = trueCoefficients(columns, "linear");
  const runs = methods.map((method) => ({ method, errors: [] as SelectionError[], cpu: [] as number[] }));
  for (let seed = 1; seed <= datasets && runs.length > 0; seed++) {
    const table = simulatedTable({ kind: "linear", rows, columns, seed });
    const prepared = await prepare(table, { target: "y", seed, threads: 1, signal }, threads);
    try {
      for (const { method, errors, cpu } of runs) {
        const meter = cpuMeter();
        const { selected, coefficients } = await PEERS[method].fit(prepared);
        signal?.throwIfAborted();
        cpu.push(meter.seconds());
        errors.push(selectionError(selected, coefficients, truth));
        settings.onDataSet?.(method, seed);
      }
    } finally {
      await prepared.close();
    }
  }
  return runs.map(({ method, errors, cpu }) => ({
    method,
    preset: "paper",
    ...overDataSets(errors),
    cpuSeconds: average(cpu),
    paper: PEERS[method].paper,
  }));
}
