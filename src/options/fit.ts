/** What a user may ask of `fit`. The command line has the same names. */

import type { FitAsked } from "./asked.js";
import { checkAsked, checkRequired } from "./check.js";
import { fitRelations } from "./relations.js";
import { options } from "./table.js";

export interface FitOptions extends FitAsked {
  /** Stops the run; the result so far is returned, marked as partial. */
  readonly signal?: AbortSignal | undefined;
  /** Hears how far a stage has come. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** How far a stage has come. */
export interface Progress {
  /** What is being done. */
  readonly stage:
    | "receive"
    | "read"
    | "screen"
    | "search"
    | "certify"
    | "polish"
    | "check"
    | "sample"
    | "predict"
    | "write";
  /** Rows, columns, iterations, models or draws, as the stage has them. */
  readonly done: number;
  /** 0 where nobody knows. */
  readonly total: number;
  /** Of the files that are read, or of standard input, whose size is not known. */
  readonly bytes?: { readonly done: number; readonly total?: number };
}

/** The options for sources that know their target themselves, as LIBSVM files and stores do. */
export type ForFiles<Options extends { readonly target: string }> = Omit<Options, "target"> & {
  /** The column to explain; only sources that know it themselves can do without. */
  readonly target?: string | undefined;
};

/** Checks everything that came from a user; the message names the option. */
export function checkOptions(asked: FitOptions): void {
  checkRequired(asked, options);
  checkAsked(asked, { table: options, beside: ["signal", "onProgress"], relations: fitRelations });
}
