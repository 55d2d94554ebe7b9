/** The likelihood of a model in a question: the linear predictor of every row, and what the family makes of it. */

import { type FamilyName, familyNamed } from "../../families/register.js";
import type { GlmPoint } from "../../selection/expansion/expansion.js";
import type { Scaling } from "../../store/batch/scaling.js";
import { seenName } from "../asked-variables.js";
import type { Asked } from "../asking-pool.js";
import { combination, ETA, type Layer, TARGET } from "../question.js";

export const LOG_LIKELIHOOD = "s_l";
export const SCORE = "s_r";
export const WEIGHT = "s_w";

export interface LikelihoodAt {
  readonly family: FamilyName;
  readonly scaling: Scaling;
  readonly point: GlmPoint;
}

/** Layers that name η, ℓ, its slope and its weight at a point, and `others` as the model sees them. */
export function likelihoodLayers(
  { asker, variables }: Asked,
  { family, scaling, point }: LikelihoodAt,
  others: readonly number[] = [],
): Layer[] {
  const used = point.columns.filter((_, i) => point.theta[i] !== 0);
  const seen = [...used, ...others];
  const eta = combination(
    point.intercept,
    point.columns.map((j, i) => [point.theta[i], seenName(j)] as const),
  );
  const { logLikelihood, score, weight } = familyNamed(family).written(ETA, TARGET, asker.rows.engine.dialect);
  return [
    variables.stored([...seen, variables.columns]),
    { ...variables.seen(seen, scaling), ...variables.target(scaling) },
    { [ETA]: `(${eta})` },
    { [LOG_LIKELIHOOD]: `(${logLikelihood})`, [SCORE]: `(${score})`, [WEIGHT]: `(${weight})` },
  ];
}
