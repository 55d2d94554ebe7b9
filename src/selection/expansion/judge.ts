/**
 * The certificate where the likelihood is expanded: a verdict on every usable column outside the candidates, from sums of
 * products with the columns of the models that judge, weighted as they are at the point of the expansion. While that
 * stays where it is, sums are the same from round to round, and only those with columns that judge anew are taken.
 */

import { nameOf } from "../../families/register.js";
import { collectVerdicts, judgesOf, type Outside, outsiders, piecesToJudge } from "../certify/certificate.js";
import { sumOf } from "../posterior/exact.js";
import type { Problem } from "../posterior/problem.js";
import {
  type CertifiedExpanded,
  type CertifyExpandedInput,
  certifyExpandedJob,
  type RestSums,
  type VectorSums,
} from "./certify.js";
import type { ExpandedWeighed } from "./expanded.js";
import type { GlmPoint } from "./expansion.js";

/** What passes at one point have left. */
export interface SumsAtPoint {
  at?: {
    readonly point: GlmPoint;
    /** With judges' columns, by those. */
    readonly judges: Map<number, VectorSums>;
    rest?: RestSums;
  };
}

/** So many numbers of judges' columns are kept. */
const MOST_KEPT = 4e6;

export async function judgeExpanded(
  problem: Problem,
  weighed: Omit<ExpandedWeighed, "atMode" | "own">,
  kept: SumsAtPoint = {},
): Promise<Outside> {
  const { store, pool, screen, target, spec } = problem;
  const { candidates, centre } = weighed;
  const judges = judgesOf(problem, weighed, (i) => sumOf(problem, candidates[i]));
  const point = activeOf(weighed.expansion.point);
  if (!kept.at || !isSame(kept.at.point, point)) kept.at = { point, judges: new Map() };
  const { at } = kept;
  const place = new Map(candidates.map((j, i) => [j, i]));
  const outside = outsiders(problem, weighed);
  const centresOf = (some: readonly number[]) => Float64Array.from(some, (j) => centre.means[place.get(j)!]);
  const spare = spareColumns(weighed, judges.columns, at.judges);
  const isKnown = at.rest !== undefined && judges.columns.every((j) => at.judges.has(j));
  const inputs = piecesToJudge(store.layout, isKnown).map(
    ({ first, last }): CertifyExpandedInput => ({
      family: nameOf(target.family),
      judges,
      point,
      hasIntercept: spec.centred,
      response: spec.centred ? centre.intercept : 0,
      centres: centresOf(judges.columns),
      spare: { columns: spare, centres: centresOf(spare) },
      first,
      last,
      outside: outside.slice(first, last),
      means: screen.mean.slice(first, last),
      known: {
        judges: judges.columns.map((j) => stretchOf(at.judges.get(j), first, last)),
        rest: at.rest && {
          response: stretchOf(at.rest.response, first, last)!,
          weights: stretchOf(at.rest.weights, first, last)!,
          squares: at.rest.squares.slice(first, last),
        },
      },
    }),
  );
  const parts = await pool.run(certifyExpandedJob, inputs, problem.run("certify"));
  const fresh = parts.map((part) => part.fresh);
  if (fresh.every((sums) => sums !== undefined)) keep(at, [...judges.columns, ...spare], fresh);
  return collectVerdicts(problem, judges, parts);
}

/**
 * Products are taken with four columns at a time. Where judges leave places free, the next most probable candidates take
 * them: they are likely to judge when models have been weighed again, and another pass reads all columns again.
 */
function spareColumns(
  { candidates, weights }: Pick<ExpandedWeighed, "candidates" | "weights">,
  judges: readonly number[],
  known: ReadonlyMap<number, VectorSums>,
): number[] {
  const unknown = judges.filter((j) => !known.has(j)).length;
  const places = Array.from(candidates.keys()).filter((i) => {
    return !judges.includes(candidates[i]) && !known.has(candidates[i]);
  });
  return places
    .sort((a, b) => weights.inclusion[b] - weights.inclusion[a])
    .slice(0, (AT_ONCE - (unknown % AT_ONCE)) % AT_ONCE)
    .map((i) => candidates[i]);
}
const AT_ONCE = 4;

/** The columns that have coefficients there. */
function activeOf({ columns, theta, intercept }: GlmPoint): GlmPoint {
  const used = columns.flatMap((_, i) => (theta[i] !== 0 ? [i] : []));
  return { columns: used.map((i) => columns[i]), theta: Float64Array.from(used, (i) => theta[i]), intercept };
}

function isSame(a: GlmPoint, b: GlmPoint): boolean {
  return (
    a.intercept === b.intercept &&
    a.columns.join() === b.columns.join() &&
    a.theta.every((value, i) => value === b.theta[i])
  );
}

function stretchOf(sums: VectorSums | undefined, first: number, last: number): VectorSums | undefined {
  return sums && { ...sums, products: sums.products.slice(first, last) };
}

/** Joins what the pieces of a pass have summed, as far as there is room. */
function keep(
  at: NonNullable<SumsAtPoint["at"]>,
  columns: readonly number[],
  parts: readonly NonNullable<CertifiedExpanded["fresh"]>[],
): void {
  const joined = (of: readonly VectorSums[]): VectorSums => ({
    products: together(of.map(({ products }) => products)),
    total: of[0].total,
  });
  const unknown = columns.filter((j) => !at.judges.has(j));
  unknown.forEach((j, c) => {
    const sums = joined(parts.map(({ judges }) => judges[c]));
    if ((at.judges.size + 1) * sums.products.length <= MOST_KEPT) at.judges.set(j, sums);
  });
  const rests = parts.flatMap(({ rest }) => rest ?? []);
  if (rests.length === 0) return;
  at.rest = {
    response: joined(rests.map(({ response }) => response)),
    weights: joined(rests.map(({ weights }) => weights)),
    squares: together(rests.map(({ squares }) => squares)),
  };
}

function together(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let to = 0;
  for (const part of parts) {
    all.set(part, to);
    to += part.length;
  }
  return all;
}
