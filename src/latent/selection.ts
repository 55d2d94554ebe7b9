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
