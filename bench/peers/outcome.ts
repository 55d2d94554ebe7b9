/** What the process of a method prints, as one line of JSON, last. */

import type { LinearModel } from "../shapes/shapes.js";

export interface PathModel extends LinearModel {
  /** −2·log likelihood up to a constant, where a path leaves it to others which of its models is taken. */
  readonly deviance?: number;
}

export interface Fitted {
  /** After reading. */
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** One, or all models of a path. */
  readonly models: readonly PathModel[];
  /** Positions from 0; those with a coefficient unless told. */
  readonly selected?: readonly number[];
  readonly note?: string;
  readonly verdict?: string;
}

export interface Outcome extends Fitted {
  readonly version: string;
  /** From the start of the process. */
  readonly wholeCpuSeconds: number;
  readonly megabytes: number;
}
