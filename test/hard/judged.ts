/** A hard problem through the public library, set beside its truth. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fit } from "../../src/node.js";
import { type Problem, statedOptions, type Truth } from "./problem.js";

export const TRUTHS: Readonly<Record<string, Truth>> = JSON.parse(
  readFileSync(join(import.meta.dirname, "../reference/hard-truth.json"), "utf8"),
);

/** What is promised of inclusion probabilities, and of means of coefficients in posterior standard deviations. */
const PROBABILITY = { gaussian: 0.01, binomial: 0.03, poisson: 0.03 };
const MEAN = 0.2;

export interface Judged {
  /** The largest error of an inclusion probability, and of a mean in standard deviations, and whose they are. */
  readonly probability: { readonly error: number; readonly of: string };
  readonly mean: { readonly error: number; readonly of: string };
  /** Whether both are within what is promised. */
  readonly right: boolean;
  /** Whether the verdict says that something may be wrong. */
  readonly doubted: boolean;
  /** Right or doubted; where the data are not as the family says, doubted in the words that belong there. */
  readonly passed: boolean;
  readonly verdict: string;
}

export async function judged(problem: Problem): Promise<Judged> {
  const { columns, y } = problem.make();
  const named = Object.fromEntries(columns.map((values, j) => [`x${j}`, values]));
  const result = await fit({ ...named, y }, statedOptions(problem));
  const truth = TRUTHS[problem.name];
  let probability = { error: 0, of: "" };
  let mean = { error: 0, of: "" };
  for (const found of result.variables) {
    const known = truth.variables[found.name];
    const off = known ? Math.abs(found.pip - known[0]) : Math.max(0, found.pip - truth.others);
    if (off > probability.error) probability = { error: off, of: found.name };
    const away = known && known[2] > 0 ? Math.abs(found.mean - known[1]) / known[2] : 0;
    if (away > mean.error) mean = { error: away, of: found.name };
  }
  const verdict = result.verdict ?? "";
  const doubted = !verdict.startsWith("No problems found");
  // The truth of a sampled posterior has an error of its own.
  const right = probability.error <= PROBABILITY[problem.family] + 2 * truth.error && mean.error <= MEAN;
  const passed = problem.mustSay ? problem.mustSay.test(verdict) : right || doubted;
  return { probability, mean, right, doubted, passed, verdict };
}
