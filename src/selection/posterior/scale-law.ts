/** What a model says of the scale of the slab: p(scale | S, y), and log p(y | S) with the scale integrated out. */

import type { Rng } from "../../math/rng.js";
import type { SufficientStatistics } from "./evidence.js";
import { FactorRows } from "./factor-rows.js";
import type { ModelWeights } from "./model-weights.js";
import { type FixedSlab, logPriorAt, logSum, type Slab, slabAt } from "./slab.js";
import { worthOf } from "./worth.js";

export interface ScaleLaw {
  /** log p(y | S) up to a constant that all models share. */
  readonly logMarginal: number;
  /** p(scale | S, y), in the order of the slab's scales. */
  readonly probability: Float64Array;
}

/** By one small Cholesky factor a scale: a sampler asks for it at every other model. */
export function scaleLaw(
  statistics: SufficientStatistics,
  slab: Slab,
  noiseVariance: number | undefined,
  members: readonly number[],
): ScaleLaw {
  const { logAt, forget } = scaleWorth(statistics, slab, noiseVariance, members);
  const logs = slab.scales.map((_, s) => logAt(s));
  forget();
  const total = logSum(logs);
  return { logMarginal: total, probability: Float64Array.from(logs, (log) => Math.exp(log - total)) };
}

/** The factor of a model at one scale. */
export interface ScaleFactor {
  /** b'A⁻¹b and log |A|. */
  readonly fit: number;
  readonly logDeterminant: number;
  /** The rows of L⁻¹A, until another scale is asked for. */
  readonly rows: FactorRows;
}

/** A model at one scale after the other: log p(y, scale | S), by its place, and the factors behind it. */
export function scaleWorth(
  statistics: SufficientStatistics,
  slab: Slab,
  noiseVariance: number | undefined,
  members: readonly number[],
) {
  const k = members.length;
  const rows = gathered(statistics, members);
  const factorOf = (ridge: number) => factor(rows, k, ridge);
  const flat = slab.kind === "zellner" ? factorOf(0) : undefined;
  const factorAt = (s: number): ScaleFactor => flat ?? factorOf((noiseVariance ?? 1) / slab.scales[s]);
  return {
    factorAt,
    /** Nothing more will be asked. */
    forget: () => rows.forget(),
    logAt(s: number): number {
      const scale = slab.scales[s];
      const { fit, logDeterminant } = factorAt(s);
      const ridge = (noiseVariance ?? 1) / scale;
      const penalty = flat ? k * Math.log1p(scale) : logDeterminant - k * Math.log(ridge);
      const explained = flat ? (fit * scale) / (1 + scale) : fit;
      return logPriorAt(slab, s, k) - 0.5 * penalty + worthOf(explained, statistics, noiseVariance);
    },
  };
}

/** Room for the factor of a model, and behind it the sums of products of its members. */
function gathered({ size, gram, cross }: SufficientStatistics, members: readonly number[]): FactorRows {
  const k = members.length;
  const rows = new FactorRows(k);
  rows.count = 2 * k;
  const { values, stride } = rows;
  for (let i = 0; i < k; i++) {
    const to = (k + i) * stride;
    const from = size * members[i];
    for (let j = i; j < k; j++) values[to + j] = gram[from + members[j]];
    values[to + k] = cross[members[i]];
  }
  return rows;
}

function factor(rows: FactorRows, k: number, ridge: number): ScaleFactor {
  rows.factor(k, ridge, Math.max(0.5 * ridge, Number.MIN_VALUE));
  const { values, stride } = rows;
  let fit = 0;
  let logDeterminant = 0;
  for (let i = 0, row = 0; i < k; i++, row += stride) {
    logDeterminant += 2 * Math.log(values[row + i]);
    fit += values[row + k] ** 2;
  }
  return { fit, logDeterminant, rows };
}

/** The slab at the scale that a model finds most probable. */
export function likeliest(slab: Slab, { probability }: ScaleLaw): FixedSlab {
  return slabAt(slab, probability.indexOf(Math.max(...probability)));
}

/** The most probable scale, whatever the model. */
export function likeliestScale({ slab, scale }: Pick<ModelWeights, "slab" | "scale">): number {
  return slab.scales[scale.indexOf(Math.max(...scale))];
}

/** The scales that carry nearly all of a model, with their shares; those with less than `negligible` are left out. */
export function scalesThatMatter(
  slab: Slab,
  { probability }: Pick<ScaleLaw, "probability">,
  negligible: number,
): { readonly place: number; readonly slab: FixedSlab; readonly share: number }[] {
  const kept = slab.scales.flatMap((_, s) => (probability[s] >= negligible ? [s] : []));
  const total = kept.reduce((sum, s) => sum + probability[s], 0);
  return kept.map((place) => ({ place, slab: slabAt(slab, place), share: probability[place] / total }));
}

/** The place of a scale, drawn with these probabilities. */
export function drawFrom(rng: Rng, probability: Float64Array): number {
  if (probability.length === 1) return 0;
  let u = rng.uniform();
  for (let s = 0; s < probability.length - 1; s++) {
    u -= probability[s];
    if (u < 0) return s;
  }
  return probability.length - 1;
}
