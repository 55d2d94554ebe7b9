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
import { threadsKeeping } from "../node/threads.js";
import { bayesianLassoFit, type PeerFit, rjmhFit, splitMergeFit } from "../peers/bayesian.js";
import { prepare } from "../peers/prepare.js";
import type { Prepared } from "../peers/prepared.js";
import { cpuMeter } from "./cpu-meter.js";
import { simulatedTable, trueCoefficients } from "./simulated.js";
import { type Keeping, keeping, type TableRow } from "./simulation-study.js";

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
  readonly keeping?: Keeping;
}

/** What a method came to on a data set. */
interface Found {
  readonly error: SelectionError;
  readonly cpu: number;
}

/** A row of the table for each method. */
export async function peerRows(settings: PeerStudySettings): Promise<TableRow[]> {
  const { methods, datasets } = settings;
  const { part } = settings.keeping ?? keeping(undefined);
  const sets: Found[][] = [];
  for (let seed = 1; seed <= datasets && methods.length > 0; seed++) {
    sets.push(await part(() => onDataSet(seed, settings)));
  }
  return methods.map((method, m) => ({
    method,
    preset: "paper",
    ...overDataSets(sets.map((found) => found[m].error)),
    cpuSeconds: average(sets.map((found) => found[m].cpu)),
    paper: PEERS[method].paper,
  }));
}

/** Each method is a part of its own, after what all of them need. */
async function onDataSet(seed: number, settings: PeerStudySettings): Promise<Found[]> {
  const { methods, rows, columns, signal } = settings;
  const journal = settings.keeping?.journal;
  const truth = trueCoefficients(columns, "linear");
  const table = simulatedTable({ kind: "linear", rows, columns, seed });
  const asked = { target: "y", seed, threads: 1, signal };
  const prepared = await prepare(table, asked, threadsKeeping(journal));
  const { part } = keeping(journal);
  try {
    const found: Found[] = [];
    for (const method of methods) {
      const fit = async () => {
        const meter = cpuMeter();
        const { selected, coefficients } = await PEERS[method].fit(prepared);
        signal?.throwIfAborted();
        const cpu = meter.seconds();
        return { error: selectionError(selected, coefficients, truth), cpu };
      };
      found.push(await part(fit));
      settings.onDataSet?.(method, seed);
    }
    return found;
  } finally {
    await prepared.close();
  }
}
