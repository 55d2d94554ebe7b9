/**
 * What the run of a mixed model by a formula knows about new rows: some draws of its parameters and of the effects of
 * all levels. With the d-th draw a row has the linear predictor
 *
 *     η_d = x′β_d + Σ_t z_t′b_t,d[level],      v_d = Σ_t z_t′Σ_t,d z_t  over the groupings whose level the run has not seen,
 *
 * and the mean of its target is the average of E g⁻¹(η_d + N(0, v_d)). The interval is that of the expected target: normal
 * on the scale of η, with the variance of η_d and the average v_d. It is plain JSON.
 */

import type { FamilyName } from "../families/register.js";
import { familyNamed } from "../families/register.js";
import type { ReadingHints } from "../tables/judge/hints.js";

/** A product of columns: of their numbers, or of whether they are at a level. The intercept has no parts. */
export interface FormulaVariable {
  /** What it is called. */
  readonly name: string;
  /** Its factors. */
  readonly parts: readonly { readonly column: string; readonly level?: string }[];
}

/** A grouping with its effects. */
export interface FormulaTermEffects {
  /** The columns that say which level a row belongs to, together. */
  readonly columns: readonly string[];
  /** What differs between levels. */
  readonly variables: readonly FormulaVariable[];
  /** What the levels are called. */
  readonly levels: readonly string[];
  /** Of every draw: the effects level after level, and Σ row after row. */
  readonly effects: readonly (readonly number[])[];
  /** Σ of every draw, row-major. */
  readonly covariances: readonly (readonly number[])[];
}

export interface FormulaPredictor {
  /** Tells it from other predictors. */
  readonly format: "sparrow-formula-predictor";
  /** Of this format. */
  readonly version: 1;
  /** The kind of target. */
  readonly family: FamilyName;
  /** The column that is predicted. */
  readonly target: string;
  /** Added to the linear predictor as it is, where the run had one. */
  readonly offset?: string;
  /** What has an effect common to all. */
  readonly fixed: readonly FormulaVariable[];
  /** Of every column of categories among the effects, those that the run has seen; absent in runs of before. */
  readonly categories?: Readonly<Record<string, readonly string[]>>;
  /** β of every draw. */
  readonly beta: readonly (readonly number[])[];
  /** σ², where the target has noise with a variance of its own. */
  readonly noiseVariance?: number;
  /** The groupings. */
  readonly terms: readonly FormulaTermEffects[];
  /** How the data were read. */
  readonly reading?: ReadingHints;
}

export interface FormulaRow {
  readonly mean: number;
  /** Of the expected target. */
  readonly lower: number;
  readonly upper: number;
  /** Of a new observation; absent for classes, whose probability says all. */
  readonly observation?: readonly number[];
}

/** Half of a 95% interval in standard deviations. */
const HALF = 1.959963984540054;

/** Predicts from the values of the variables in a row and the places of its levels, −1 for those not seen. */
export function formulaRows(
  predictor: FormulaPredictor,
): (x: Float64Array, z: readonly Float64Array[], places: readonly number[], offset: number) => FormulaRow {
  const { meanOver, inverseLink, prediction } = familyNamed(predictor.family);
  const count = predictor.beta.length;
  const beta = byNumber(predictor.beta);
  const terms = predictor.terms.map(({ effects, covariances }) => ({
    effects: byNumber(effects),
    covariances: byNumber(covariances),
  }));
  const [eta, unseen] = [new Float64Array(count), new Float64Array(count)];
  return (x, z, places, offset) => {
    eta.fill(offset);
    unseen.fill(0);
    for (let j = 0; j < x.length; j++) addTimes(eta, x[j], beta, j);
    z.forEach((own, t) => {
      const { effects, covariances } = terms[t];
      const q = own.length;
      for (let k = 0; k < q; k++) {
        if (places[t] >= 0) addTimes(eta, own[k], effects, places[t] * q + k);
        else for (let l = 0; l < q; l++) addTimes(unseen, own[k] * own[l], covariances, k * q + l);
      }
    });
    let [sum, square, between, mean] = [0, 0, 0, 0];
    for (let d = 0; d < count; d++) {
      sum += eta[d];
      between += unseen[d];
      mean += unseen[d] > 0 ? meanOver(eta[d], Math.sqrt(unseen[d])) : inverseLink(eta[d]);
    }
    const centre = sum / count;
    for (let d = 0; d < count; d++) square += (eta[d] - centre) ** 2;
    const sd = Math.sqrt(square / Math.max(1, count - 1) + between / count);
    const part = { weight: 1, mean: centre, sd, freedom: undefined };
    const observation = prediction.interval?.([part], 0.95, predictor.noiseVariance ?? 0);
    return {
      mean: mean / count,
      lower: inverseLink(centre - HALF * sd),
      upper: inverseLink(centre + HALF * sd),
      ...(observation && { observation }),
    };
  };
}

/** Of lists of numbers, one a draw: of every number its draws, one behind the other. */
function byNumber(draws: readonly (readonly number[])[]): Float64Array {
  const numbers = new Float64Array(draws.length * (draws[0]?.length ?? 0));
  draws.forEach((values, d) => {
    values.forEach((value, i) => {
      numbers[i * draws.length + d] = value;
    });
  });
  return numbers;
}

/** out += times · the draws of the number at this place. */
function addTimes(out: Float64Array, times: number, numbers: Float64Array, place: number): void {
  if (times === 0) return;
  for (let d = 0, at = place * out.length; d < out.length; d++, at++) out[d] += times * numbers[at];
}
