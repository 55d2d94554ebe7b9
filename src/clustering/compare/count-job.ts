/**
 * What a number of clusters or states comes to, as a job: the mode of all rows, and how rows are predicted by modes that
 * have not seen them. A number that cannot be fitted says why, and leaves the others alone.
 */

import { SparrowError } from "../../errors.js";
import { Rng, type RngState } from "../../math/rng.js";
import { CLUSTER_STREAMS } from "../../sampling/streams.js";
import type { Rows } from "../../types.js";
import type { Job } from "../../workers/job.js";
import { type ClusterProblem, exactClusters, wholeOf } from "../chains/cluster-chain.js";
import { exactStates, type StateProblem, stateMode } from "../chains/state-chain.js";
import { hmmEm, hmmRefined } from "../exact/hmm-exact.js";
import { mixtureMode, mixtureRefined } from "../exact/mixture-mode.js";
import { climbing, type Mode } from "../exact/mode.js";
import { joined, type Sequences, wholeStretch } from "../sequences.js";

export interface CountTask<D> {
  readonly problem: D;
  readonly rng: RngState;
  readonly folds: number;
}

export interface Counted {
  /** At the mode of all rows. */
  readonly logLikelihood: number;
  readonly parameters: number;
  /** Log densities of rows, or of pieces of a sequence, that were left out, in the order of the data. */
  readonly scores: Float64Array;
}

/** Undefined where it was stopped. */
export type CountJob<D> = Job<CountTask<D>, Counted | { readonly failure: string } | undefined, unknown>;

type Counting = Generator<undefined, Counted, void>;

function countJob<D>(name: string, count: (task: CountTask<D>, rng: Rng) => Counting): CountJob<D> {
  return {
    name,
    start(_place, task) {
      const steps = count(task, Rng.restore(task.rng).split(CLUSTER_STREAMS.start));
      let found: Counted | { readonly failure: string } | undefined;
      return {
        next() {
          try {
            const { done, value } = steps.next();
            if (done) found = value;
            return !done;
          } catch (error) {
            if (!(error instanceof SparrowError)) throw error;
            found = { failure: error.marked };
            return false;
          }
        },
        get done() {
          return found === undefined ? 0 : 1;
        },
        result: () => found,
      };
    },
  };
}

const tooMany = (count: number, what: string, kind: string): SparrowError =>
  new SparrowError(`There are only ${count} ${what}, and each ${kind} needs one of its own.`, "option");

/** Steps of EM on the rest, from the mode of all: it is near. */
const FOLD_STEPS = 50;
/** Rows that are left out in turn; of more, the first of their random order. */
const SCORED = 20_000;

export const clusterCountJob = countJob("cluster count", function* (task: CountTask<ClusterProblem>, rng) {
  const { problem, folds } = task;
  const exact = exactClusters(problem);
  const { model } = exact;
  const whole = wholeOf(problem);
  if (problem.components > whole.rows) throw tooMany(whole.rows, "rows", "cluster");
  const some = yield* mixtureMode(rng, exact, whole);
  const { theta, logLikelihood } = yield* mixtureRefined(exact, whole, some.theta);
  const parameters = model.components - 1 + exact.blocks.parameters;
  const rows = Math.min(whole.rows, SCORED);
  const scores = new Float64Array(rows);
  for (let fold = 0; fold < folds; fold++) {
    const isOut = (i: number) => i % folds === fold;
    const seen = rowsWhere(whole, rows, (i) => !isOut(i));
    const fit: Mode = yield* mixtureRefined(exact, seen, theta, FOLD_STEPS);
    const left = rowsWhere(whole, rows, isOut);
    const terms = new Float64Array(left.rows * model.components);
    model.logTerms(terms, fit.theta, left);
    for (let i = 0; i < left.rows; i++) {
      const row = terms.subarray(i * model.components, (i + 1) * model.components);
      const top = Math.max(...row);
      scores[fold + i * folds] = top + Math.log(row.reduce((sum, term) => sum + Math.exp(term - top), 0));
    }
  }
  return { logLikelihood, parameters, scores };
});

function rowsWhere({ columns, values }: Rows, rows: number, isIn: (i: number) => boolean): Rows {
  const chosen: number[] = [];
  for (let i = 0; i < rows; i++) if (isIn(i)) chosen.push(i);
  const out = new Float64Array(chosen.length * columns);
  chosen.forEach((i, at) => void out.set(values.subarray(i * columns, (i + 1) * columns), at * columns));
  return { rows: chosen.length, columns, weight: 1, values: out };
}

/** Pieces of the steps for every fold. */
export const PIECES_PER_FOLD = 4;

export const stateCountJob = countJob("state count", function* (task: CountTask<StateProblem>, rng) {
  const { problem, folds } = task;
  const exact = exactStates(problem);
  const { model } = exact;
  const whole = wholeStretch(problem.data);
  if (problem.states > whole.rows) throw tooMany(whole.rows, "steps", "state");
  const some = yield* stateMode(rng, problem);
  const { theta, logLikelihood } = yield* hmmRefined(exact, whole, some.theta);
  const first = model.initialAt === undefined ? 0 : model.states - 1;
  const parameters = model.states * (model.states - 1) + first + exact.blocks.parameters;
  const pieces = cut(problem.data, folds * PIECES_PER_FOLD);
  const scores = new Float64Array(pieces.length);
  for (let fold = 0; fold < folds; fold++) {
    const seen = wholeStretch(joined(pieces.filter((_, i) => i % folds !== fold)));
    const fit: Mode = yield* climbing(hmmEm(exact, seen), theta, FOLD_STEPS, exact.shapes);
    for (let i = fold; i < pieces.length; i += folds) {
      scores[i] = hmmEm(exact, wholeStretch(pieces[i]))(fit.theta.slice()).logLikelihood;
    }
  }
  return { logLikelihood, parameters, scores };
});

/** Pieces of about equal lengths, each a sequence, or several, of its own. */
export function cut({ values, columns, steps, starts }: Sequences, count: number): Sequences[] {
  const pieces = Math.min(count, steps);
  return Array.from({ length: pieces }, (_, i) => {
    const [from, to] = [Math.floor((i * steps) / pieces), Math.floor(((i + 1) * steps) / pieces)];
    const marks = starts.slice(from, to);
    marks[0] = 1;
    return {
      values: values.subarray(from * columns, to * columns),
      columns,
      steps: to - from,
      starts: marks,
    };
  });
}
