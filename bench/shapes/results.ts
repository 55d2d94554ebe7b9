/** What was measured, a row for every shape and method, kept in a file so that one of them can be measured again. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { chosen, extendedGamma, judge } from "../peers/judged.js";
import type { Limits, Method, Ran } from "../peers/methods.js";
import type { Outcome } from "../peers/outcome.js";
import { best, heldOutScores } from "./scores.js";
import { type Shape, truth } from "./shapes.js";

/** Where and under what a row was measured. */
export interface Circumstances extends Limits {
  readonly shape: string;
  readonly method: Method;
  readonly rows: number;
  readonly columns: number;
  readonly seed: number;
  /** Processes that wanted a core, when the method began and when it ended: more than one or two is other work. */
  readonly load: { readonly before: number; readonly after: number };
  readonly machine: string;
}

export interface Failure extends Circumstances {
  readonly failure: string;
}

export interface Success extends Circumstances {
  readonly version: string;
  readonly note: string;
  /** What Sparrow says of its own answer. */
  readonly verdict?: string;
  /** After reading. */
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** From the start of the process to its end. */
  readonly wholeSeconds: number;
  readonly wholeCpuSeconds: number;
  readonly megabytes: number;
  readonly wrong: number;
  readonly missed: number;
  readonly fsr: number;
  readonly nsr: number;
  /** On fresh rows: of the model that is taken, of the best on the path by these very rows, and of the truth. */
  readonly score: number;
  readonly bestScore?: number;
  readonly trueScore: number;
}

export type Result = Failure | Success;

export const succeeded = (result: Result): result is Success => !("failure" in result);

/** Fresh rows have a seed that no data have. */
const HELD_OUT_SEEDS = 1_000_000;

export function resultOf(shape: Shape, circumstances: Circumstances, ran: Ran): Result {
  if ("failure" in ran) return { ...circumstances, failure: ran.failure };
  const { outcome, wholeSeconds } = ran;
  const model = chosen(outcome.models, shape, extendedGamma(shape.rows, shape.columns));
  const { wrong, missed, fsr, nsr } = judge(outcome, model, truth(shape));
  const others = outcome.models.length > 1 ? outcome.models : [];
  const models = [truth(shape), model, ...others];
  const [trueScore, score, ...along] = heldOutScores(shape, HELD_OUT_SEEDS + circumstances.seed, models);
  return {
    ...circumstances,
    ...numbersOf(outcome),
    wholeSeconds,
    wrong,
    missed,
    fsr,
    nsr,
    score,
    ...(along.length > 0 && { bestScore: best(shape.family, along) }),
    trueScore,
  };
}

function numbersOf(outcome: Outcome) {
  const { version, note = "", verdict, seconds, cpuSeconds, wholeCpuSeconds, megabytes } = outcome;
  return { version, note, ...(verdict && { verdict }), seconds, cpuSeconds, wholeCpuSeconds, megabytes };
}

export function readResults(path: string): Result[] {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : [];
}

const isSame = (a: Circumstances, b: Circumstances): boolean => a.shape === b.shape && a.method === b.method;

/** The results with one more, in place of what was known of its shape and method. */
export function withResult(results: readonly Result[], result: Result): Result[] {
  return [...results.filter((other) => !isSame(other, result)), result];
}

export function writeResults(path: string, results: readonly Result[]): void {
  writeFileSync(path, `${JSON.stringify(results, rounded, 2)}\n`);
}

/** Six digits say all that is measured. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value;
}
