/**
 * What predictions need of a fit, with the equations of prediction/mixed-predictor.ts: β and Σ from all draws, and of
 * each group E[b_i], K_i and S_i = E[σ²(Z_i′Z_i + D⁻¹)⁻¹] + Var(b̂_i + K_i β) over some draws of θ, where b̂_i is the
 * mean of b_i given θ. As β moves b̂_i the other way, E[b_i] is what the some draws say of b̂_i + K_i β less K_i E[β] of
 * all of them. Columns are centred as they were for the fit, where nothing large cancels.
 */

import { invertLower, packedSize, placeOf } from "../math/packed.js";
import type { FixedEffects, GroupCoefficients, MixedPredictor } from "../prediction/mixed-predictor.js";
import { layoutOf, type MixedDesign, type MixedLayout, natural, unpack } from "./model/chart.js";
import { conditionalProducts, factorConditional, solveConditional } from "./model/conditional-effects.js";
import type { Standard } from "./standard.js";

export interface PredictorSource {
  readonly scaled: Standard;
  readonly design: MixedDesign;
  /** The column of the groups. */
  readonly group: string;
  /** θ of all draws, and of some for what takes a pass over the groups. */
  readonly draws: readonly Float64Array[];
  readonly some: readonly Float64Array[];
}

export function mixedPredictor({ scaled, design, group, draws, some }: PredictorSource): MixedPredictor {
  const { data, shift, scale } = scaled;
  const layout = layoutOf(design);
  const { fixed, random, width } = layout;
  const used = design.columns
    .map((_, j) => j)
    .filter((j) => j > 0 && (fixed.includes(j) || random.includes(j)));
  const members = (which: readonly number[]) => which.slice(1).map((j) => used.indexOf(j));
  // A coefficient on standard columns times this is one on centred columns of the data.
  const unit = (j: number): number => scale[width] / scale[j];
  const readable = draws.map((theta) => natural(layout, theta));
  const average = (f: (draw: Float64Array) => number): number =>
    readable.reduce((sum, draw) => sum + f(draw), 0) / readable.length;
  const p = fixed.length;
  return {
    format: "sparrow-mixed-predictor",
    version: 1,
    target: data.target,
    group,
    variables: used.map((j) => design.columns[j]),
    centre: used.map((j) => shift[j]),
    fixed: { members: members(fixed), ...fixedLaw(readable, fixed.map(unit), shift[width]) },
    random: {
      members: members(random),
      covariance: random.flatMap((a, j) =>
        random.map((b, k) => unit(a) * unit(b) * average((draw) => draw[p + 1 + placeOf(j, k)])),
      ),
    },
    groups: groupCoefficients(
      scaled,
      layout,
      some,
      fixed.map((_, k) => average((draw) => draw[k])),
      unit,
    ),
    noiseVariance: scale[width] ** 2 * average((draw) => draw[p]),
  };
}

/** Mean and covariance of β over all draws. */
function fixedLaw(
  draws: readonly Float64Array[],
  units: readonly number[],
  targetShift: number,
): Pick<FixedEffects, "mean" | "covariance"> {
  const mean = units.map((_, k) => draws.reduce((sum, draw) => sum + draw[k], 0) / draws.length);
  const covariance = units.flatMap((unitK, k) =>
    units.map((unitL, l) => {
      const sum = draws.reduce((total, draw) => total + (draw[k] - mean[k]) * (draw[l] - mean[l]), 0);
      return (unitK * unitL * sum) / Math.max(1, draws.length - 1);
    }),
  );
  return { mean: mean.map((value, k) => value * units[k] + (k === 0 ? targetShift : 0)), covariance };
}

/** Groups may be many, and the seventh digit of an effect is far below its error. */
const DIGITS = 7;
const rounded = (value: number): number => Number(value.toPrecision(DIGITS));

function groupCoefficients(
  { data }: Standard,
  layout: MixedLayout,
  draws: readonly Float64Array[],
  beta: readonly number[],
  unit: (column: number) => number,
): GroupCoefficients {
  const { fixed, random } = layout;
  const [p, q] = [fixed.length, random.length];
  const group = oneGroup(layout, draws, beta, data.values);
  const mean: number[] = [];
  const covariance: number[] = [];
  const onFixed: number[] = [];
  for (let i = 0; i < data.rows.length; i++) {
    group.read(i * data.stride);
    for (let j = 0; j < q; j++) {
      mean.push(rounded(unit(random[j]) * group.mean[j]));
      for (let k = 0; k <= j; k++) {
        covariance.push(rounded(unit(random[j]) * unit(random[k]) * group.covariance[placeOf(j, k)]));
      }
      for (let k = 0; k < p; k++) {
        onFixed.push(rounded((unit(random[j]) / unit(fixed[k])) * group.onFixed[j * p + k]));
      }
    }
  }
  return { names: data.groups, mean, covariance, onFixed };
}

/** E[b], S and K of one group at a time, in standard coordinates. */
function oneGroup(
  layout: MixedLayout,
  draws: readonly Float64Array[],
  beta: readonly number[],
  values: Float64Array,
) {
  const { fixed, random } = layout;
  const [p, q] = [fixed.length, random.length];
  const points = draws.map((theta) => {
    const point = unpack(layout);
    point.read(theta);
    return point;
  });
  const share = 1 / draws.length;
  const factor = new Float64Array(packedSize(q));
  const inverse = new Float64Array(packedSize(q));
  const column = new Float64Array(q);
  /** b̂, and with K β added r̂, of every draw. */
  const centres = new Float64Array(draws.length * q);
  const mean = new Float64Array(q);
  const rest = new Float64Array(q);
  const covariance = new Float64Array(packedSize(q));
  const onFixed = new Float64Array(q * p);

  function addDraw(t: number, from: number): void {
    factorConditional(factor, 0, layout, points[t], values, from);
    conditionalProducts(centres, t * q, layout, draws[t], values, from);
    solveConditional(centres, t * q, factor, 0, q);
    for (let k = 0; k < p; k++) {
      for (let j = 0; j < q; j++) column[j] = values[from + placeOf(random[j], fixed[k])];
      solveConditional(column, 0, factor, 0, q);
      for (let j = 0; j < q; j++) onFixed[j * p + k] += share * column[j];
    }
    // A⁻¹ = R⁻ᵀR⁻¹
    invertLower(inverse, factor, 0, q);
    const variance = share / points[t].precision;
    for (let l = 0, row = 0; l < q; row += ++l) {
      for (let j = 0; j <= l; j++) {
        for (let k = 0; k <= j; k++) {
          covariance[placeOf(j, k)] += variance * inverse[row + j] * inverse[row + k];
        }
      }
    }
  }

  return {
    mean,
    covariance,
    onFixed,
    read(from: number): void {
      rest.fill(0);
      covariance.fill(0);
      onFixed.fill(0);
      for (let t = 0; t < draws.length; t++) addDraw(t, from);
      for (let t = 0; t < draws.length; t++) {
        for (let j = 0; j < q; j++) {
          for (let k = 0; k < p; k++) centres[t * q + j] += onFixed[j * p + k] * draws[t][k];
          rest[j] += share * centres[t * q + j];
        }
      }
      for (let j = 0; j < q; j++) {
        mean[j] = rest[j];
        for (let k = 0; k < p; k++) mean[j] -= onFixed[j * p + k] * beta[k];
      }
      for (let t = 0; t < draws.length; t++) {
        for (let j = 0, at = 0; j < q; j++) {
          const away = centres[t * q + j] - rest[j];
          for (let k = 0; k <= j; k++, at++) covariance[at] += share * away * (centres[t * q + k] - rest[k]);
        }
      }
    },
  };
}
