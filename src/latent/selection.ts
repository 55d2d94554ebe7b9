import type { Rng } from "../math/rng.js";
import type { Vector } from "../types.js";

/** The latent variable of variable selection: which variables are in, and what follows from it on this batch. */
export interface Selection {
  /** members[0 … size) are in the model; the first `always` of them never leave. */
  readonly members: Uint32Array;
  readonly always: number;
  size: number;
  /** Place of a variable in `members`, or −1. */
  readonly place: Int32Array;
  /** η = Σ x_j θ_j over the members, on the current batch. */
  readonly eta: Vector;
  /** Room for a proposed change of η, and for the score. */
  readonly scratch: Vector;
  /** Σ θ_j² over the members that can leave. */
  sumSquares: number;
  /** Variables that were in the model at some time since `enter`. */
  readonly touched: { count: number; readonly indices: Uint32Array };
  /** Counts the calls of `enter`, and when each variable was last touched. */
  epoch: number;
  readonly lastTouched: Int32Array;
}

/** The model that holds only what is in every model. */
export function selection(settings: {
  variables: number;
  always: readonly number[];
  maxSize: number;
  movesPerBatch: number;
  eta: Vector;
  scratch: Vector;
}): Selection {
  const { variables, always, eta, scratch } = settings;
  const room = always.length + settings.maxSize;
  const z: Selection = {
    members: new Uint32Array(room + 1),
    always: always.length,
    size: 0,
    place: new Int32Array(variables).fill(-1),
    eta,
    scratch,
    sumSquares: 0,
    touched: { count: 0, indices: new Uint32Array(room + settings.movesPerBatch) },
    epoch: 0,
    lastTouched: new Int32Array(variables).fill(-1),
  };
  for (const j of always) join(z, j);
  return z;
}

export function touch(z: Selection, j: number): void {
  if (z.lastTouched[j] === z.epoch) return;
  z.lastTouched[j] = z.epoch;
  z.touched.indices[z.touched.count++] = j;
}

export function isMember(z: Selection, j: number): boolean {
  return z.place[j] >= 0;
}

export function join(z: Selection, j: number): void {
  z.place[j] = z.size;
  z.members[z.size++] = j;
}

/** The last member takes the place of the one that leaves. */
export function leave(z: Selection, j: number): void {
  const place = z.place[j];
  const last = z.members[--z.size];
  z.members[place] = last;
  z.place[last] = place;
  z.place[j] = -1;
}

/** The Metropolis–Hastings decision. */
export function accepts(rng: Rng, logRatio: number): boolean {
  return logRatio >= 0 || Math.log(rng.uniformOpen()) < logRatio;
}
