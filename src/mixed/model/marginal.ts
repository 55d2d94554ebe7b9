/**
 * The mixed model with the random effects integrated out, y_i ~ N(W_iβ, σ²(I + Z_iDZ_i′)). With A = Z′Z + D⁻¹ and
 * r = y − Wβ,
 *
 *     log p(y_i | θ) = −½{ n_i·s + log|D| + log|A| + (r′r − r′Z A⁻¹ Z′r)/σ² }
 *
 * and the gradient is Fisher's identity (Lemma 1 of Song et al. 2020) with the expectation in closed form: the
 * joint gradient at E[b] = μ, E[bb′] = μμ′ + σ²A⁻¹ and E‖e‖² = ‖y − Wβ − Zμ‖² + σ²(q − tr D⁻¹A⁻¹). It is the limit of
 * infinitely many imputations.
 */

import { addGram, invertLower, packedSize, traceOfProduct } from "../../math/packed.js";
import type { Model } from "../../types.js";
import { layoutOf, type MixedDesign, type MixedLayout, pivots, type UnitBatch, unpack } from "./chart.js";
import { conditionalProducts, factorConditional, solveConditional } from "./conditional-effects.js";
import { addOuter, addSumsGrad, addUnit, clear, emptySums, scatter } from "./joint.js";
import { addPriorGrad, logPrior } from "./prior.js";

export interface MarginalModel extends Model<null, UnitBatch> {
  readonly layout: MixedLayout;
}

export function marginalMixed(design: MixedDesign): MarginalModel {
  const layout = layoutOf(design);
  const p = layout.fixed.length;
  const q = layout.random.length;
  const sums = emptySums(p, q);
  const point = unpack(layout);
  const mean = new Float64Array(q);
  const factor = new Float64Array(packedSize(q));
  const inverseFactor = new Float64Array(packedSize(q));
  const spread = new Float64Array(packedSize(q));

  return {
    layout,
    names: layout.names,
    logJoint(theta, _z, { data, units, weight }) {
      point.read(theta);
      clear(sums);
      let determinants = 0;
      for (const unit of units) {
        const from = unit * data.stride;
        if (!factorConditional(factor, 0, layout, point, data.values, from)) return Number.NEGATIVE_INFINITY;
        conditionalProducts(mean, 0, layout, theta, data.values, from);
        solveConditional(mean, 0, factor, 0, q);
        for (let j = 0, at = 0; j < q; j++, at += j + 1) determinants += 2 * Math.log(factor[at]);
        sums.rows += data.rows[unit];
        scatter(layout, theta, mean, 0);
        addUnit(sums, layout, data, unit);
        addOuter(sums.effects, mean, 0, q);
      }
      for (const j of pivots(layout)) determinants += 2 * units.length * theta[j];
      // r′r − r′ZA⁻¹Z′r = ‖r − Zμ‖² + μ′D⁻¹μ.
      const square = sums.residual + traceOfProduct(point.inverseCovariance, sums.effects, q);
      const likelihood = -0.5 * (sums.rows * theta[p] + determinants + square * point.precision);
      return logPrior(layout, theta, point) + weight * likelihood;
    },
    addGrad(out, scale, theta, _z, { data, units, weight }) {
      point.read(theta);
      clear(sums);
      spread.fill(0);
      for (const unit of units) {
        const from = unit * data.stride;
        factorConditional(factor, 0, layout, point, data.values, from);
        conditionalProducts(mean, 0, layout, theta, data.values, from);
        solveConditional(mean, 0, factor, 0, q);
        invertLower(inverseFactor, factor, 0, q);
        addGram(spread, 0, 1, inverseFactor, q);
        sums.rows += data.rows[unit];
        scatter(layout, theta, mean, 0);
        addUnit(sums, layout, data, unit);
        addOuter(sums.effects, mean, 0, q);
      }
      sums.units = units.length;
      const variance = 1 / point.precision;
      sums.residual += variance * (units.length * q - traceOfProduct(point.inverseCovariance, spread, q));
      for (let i = 0; i < spread.length; i++) sums.effects[i] += variance * spread[i];
      addSumsGrad(out, scale * weight, layout, point, sums);
      addPriorGrad(out, scale, layout, theta, point);
    },
  };
}
