/** Whoever computes: a worker of this page, or the machine that serves it. */

import type { Failure, Kind, Questions, Told } from "./protocol.js";

export interface Engine {
  /** Stopping a fit brings what there is; stopping anything else fails with the kind "stopped". */
  ask<K extends Kind>(
    kind: K,
    asks: Questions[K]["asks"],
    options?: Hearing,
  ): Promise<Questions[K]["answers"]>;
}

export interface Hearing {
  readonly signal?: AbortSignal;
  readonly onNews?: (news: Told) => void;
}

/** A failure with a sentence for people. */
export class EngineError extends Error {
  readonly kind: Failure["kind"];
  constructor({ message, kind }: Failure) {
    super(message);
    this.kind = kind;
  }
}
