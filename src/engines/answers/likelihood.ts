/**
 * The likelihood of a model in a question: the linear predictor of every row, and what the family makes of it. Everything
 * is written in stored numbers u; what the model sees, x = slope·u + offset, is made of the sums when they have come.
 */

import { type FamilyName, familyNamed } from "../../families/register.js";
import type { GlmPoint } from "../../selection/expansion/expansion.js";
import type { Scaling } from "../../store/batch/scaling.js";
import type { Asked } from "../asking-pool.js";
import { combination, ETA, type Layer, TARGET, variableName } from "../question.js";

export const LOG_LIKELIHOOD = "s_l";
export const SCORE = "s_r";
export const WEIGHT = "s_w";

export interface LikelihoodAt {
  readonly family: FamilyName;
  readonly scaling: Scaling;
  readonly point: GlmPoint;
}

/** How far coefficients and intercept are from a point. */
export interface Away {
  readonly intercept: number;
  readonly theta: ArrayLike<number>;
}

/** η at a point, or a way from it, as SQL; `also` adds some of a stored number. */
export function etaSql(
  { scaling, point }: LikelihoodAt,
  away?: Away,
  also?: readonly [number, number],
): string {
  const { slope, offset } = scaling;
  let constant = point.intercept + (away?.intercept ?? 0);
  const factors = new Map<number, number>();
  const add = (j: number, factor: number) => factors.set(j, (factors.get(j) ?? 0) + factor);
  point.columns.forEach((j, i) => {
    const theta = point.theta[i] + (away?.theta[i] ?? 0);
    constant += theta * offset[j];
    add(j, theta * slope[j]);
  });
  if (also) add(...also);
  return `(${combination(
    constant,
    [...factors].map(([j, factor]) => [factor, variableName(j)] as const),
  )})`;
}

/** Layers that name stored numbers, the target, η, ℓ, its slope and its weight at a point. */
export function likelihoodLayers(
  { asker, variables }: Asked,
  at: LikelihoodAt,
  others: readonly number[] = [],
): Layer[] {
  const { dialect } = asker.rows.engine;
  const { logLikelihood, score, weight } = familyNamed(at.family).written(ETA, TARGET, dialect);
  return [
    { ...variables.stored([...at.point.columns, ...others]), ...variables.target(at.scaling) },
    { [ETA]: etaSql(at) },
    { [LOG_LIKELIHOOD]: `(${logLikelihood})`, [SCORE]: `(${score})`, [WEIGHT]: `(${weight})` },
  ];
}
