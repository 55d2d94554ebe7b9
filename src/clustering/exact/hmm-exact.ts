/**
 * A hidden Markov model on all of its steps at once: paths given θ by forward filtering and backward sampling, θ given
 * paths from its conjugate laws (Chib 1996), and EM (Baum et al. 1970) for the mode from which a chain starts and at
 * which numbers of states are compared.
 */

import { states as paths } from "../../latent/states.js";
import { normal } from "../../math/normal.js";
import { Rng } from "../../math/rng.js";
import type { Hmm } from "../../models/hmm.js";
import { mixture } from "../../models/mixture.js";
import type { Stretch } from "../../types.js";
import { smooth } from "../smoothing.js";
import type { ConjugateBlocks } from "./conjugate.js";
import { guessed } from "./mixture-mode.js";
import { bestOf, climbing, type EmStep, type Mode } from "./mode.js";
import { GUESSES } from "./partition.js";
import { renewSimplex } from "./renew-simplex.js";
import { SHAPELESS, type Shapes } from "./shapes.js";

export interface ExactHmm {
  readonly model: Hmm;
  readonly blocks: ConjugateBlocks;
  readonly shapes: Shapes;
}

/** Blocks laid out for a mixture of them, by which a first guess is made; undefined for codes. */
export type BlocksAsRows = ((block: (k: number) => number) => ConjugateBlocks) | undefined;

/** Moves and first states, as counts or as expectations of them. */
class Moves {
  private readonly counts: Float64Array;
  private readonly firsts: Float64Array;

  constructor(private readonly model: Hmm) {
    this.counts = new Float64Array(model.states ** 2);
    this.firsts = new Float64Array(model.states);
  }

  clear(): void {
    this.counts.fill(0);
    this.firsts.fill(0);
  }

  add(law: Float64Array): void {
    for (let i = 0; i < law.length; i++) this.counts[i] += law[i];
  }

  addOne(from: number, to: number): void {
    this.counts[from * this.model.states + to] += 1;
  }

  addFirst(k: number, weight: number): void {
    this.firsts[k] += weight;
  }

  renew(theta: Float64Array, rng?: Rng): void {
    const { states, initialAt } = this.model;
    for (let k = 0; k < states; k++) {
      renewSimplex(theta, k * (states - 1), this.counts.subarray(k * states, (k + 1) * states), rng);
    }
    if (initialAt !== undefined) renewSimplex(theta, initialAt, this.firsts, rng);
  }
}

/** One sweep, θ to θ. */
export function hmmSweep(
  { model, blocks }: ExactHmm,
  steps: Stretch,
): (rng: Rng, theta: Float64Array) => void {
  const kernel = paths(model);
  const moves = new Moves(model);
  const { starts } = steps;
  let z: ReturnType<typeof kernel.init> | undefined;
  return (rng, theta) => {
    z ??= kernel.init(rng, theta);
    kernel.enter(z, theta, steps);
    kernel.step(rng, z, theta, steps);
    const { path } = z;
    moves.clear();
    blocks.clear(theta, rng);
    for (let t = 0; t < steps.rows; t++) {
      blocks.add(path[t], 1, steps.values, t * steps.columns);
      if (starts?.[t] === 1) moves.addFirst(path[t], 1);
      else if (t > 0) moves.addOne(path[t - 1], path[t]);
    }
    moves.renew(theta, rng);
    blocks.renew(theta, rng);
  };
}

/** Shares below this move no sum that is reported. */
const NOTHING = 1e-10;

export function hmmEm({ model, blocks }: ExactHmm, steps: Stretch): EmStep {
  const kernel = paths(model);
  const moves = new Moves(model);
  const rows = new Float64Array(model.states);
  // The filter draws nothing.
  const z = kernel.init(Rng.seeded(0), new Float64Array(0));
  return (theta) => {
    kernel.enter(z, theta, steps);
    const prior = model.logJoint(theta, { path: [] }, { ...steps, from: 0, to: 0 });
    moves.clear();
    rows.fill(0);
    blocks.clear(theta);
    smooth(z, steps, (t, law, law2) => {
      if (law2) moves.add(law2);
      for (let k = 0; k < law.length; k++) {
        rows[k] += law[k];
        if (steps.starts?.[t] === 1) moves.addFirst(k, law[k]);
        if (law[k] >= NOTHING) blocks.add(k, law[k], steps.values, t * steps.columns);
      }
    });
    moves.renew(theta);
    blocks.renew(theta);
    return { logLikelihood: z.logLikelihood, logPosterior: z.logLikelihood + prior, rows };
  };
}

/** Steps of EM at most, and how many climbs there are. */
const SHORT = { steps: 15, tries: 9 };
const LONG = { steps: 300, few: 2 };

/** The best of several modes, of a few of the steps and then of more of them. */
export function* hmmMode(
  rng: Rng,
  exact: ExactHmm,
  asRows: BlocksAsRows,
  { few, more }: { readonly few: Stretch; readonly more: Stretch },
): Generator<undefined, Mode, void> {
  const tries = exact.model.states === 1 ? 1 : SHORT.tries;
  const em = hmmEm(exact, few);
  const short = Array.from({ length: tries }, (_, attempt) => () => {
    const first = firstGuess(rng.split(attempt), exact.model, asRows, few, attempt);
    return climbing(em, first, SHORT.steps, exact.shapes);
  });
  const whole = hmmEm(exact, more);
  return yield* bestOf(short, LONG.few, (theta) => climbing(whole, theta, LONG.steps, exact.shapes));
}

/** On all steps, from a mode of some of them. */
export function hmmRefined(
  exact: ExactHmm,
  steps: Stretch,
  from: Float64Array,
): Generator<undefined, Mode, void> {
  return climbing(hmmEm(exact, steps), from, LONG.steps, exact.shapes, "mode");
}

/** Log odds of staying against moving to one other state. */
const STICKY = Math.log(4);

/** Sticky transitions; Gaussian blocks from the steps taken as rows, categorical ones at random. */
function firstGuess(
  rng: Rng,
  model: Hmm,
  asRows: BlocksAsRows,
  steps: Stretch,
  attempt: number,
): Float64Array {
  const { states, emission } = model;
  const theta = new Float64Array(model.names.length);
  for (let k = 0; k < states; k++) {
    for (let l = 0; l < states - 1; l++) {
      theta[k * (states - 1) + l] = k === l ? STICKY : k === states - 1 ? -STICKY : 0;
    }
  }
  if (!asRows) {
    for (let j = model.block(0); j < model.block(states); j++) theta[j] = normal(rng);
    return theta;
  }
  const rowsModel = mixture({ components: states, emission });
  const blocks = asRows(rowsModel.block);
  const exact = { model: rowsModel, blocks, shapes: SHAPELESS };
  const found = guessed(rng, exact, steps, GUESSES[attempt % GUESSES.length]);
  theta.set(found.subarray(rowsModel.block(0)), model.block(0));
  return theta;
}
