/** The kinds of predictors that there are, by the format that stands in a `model.json`. */

import { SparrowError } from "../errors.js";
import type { PredictOptions } from "../options/predict.js";
import type { Shape } from "../shape.js";
import type { Table } from "../tables/table.js";
import type { MixedPredictor } from "./mixed-predictor.js";
import { type PredictResult, predictTable } from "./predict.js";
import { type MixedPredictResult, predictMixed } from "./predict-mixed.js";
import type { Predictor } from "./predictor.js";
import { mixedPredictorShape, predictorShape } from "./predictor-shape.js";

/** Of a `fit`, or of a mixed model. */
export type AnyPredictor = Predictor | MixedPredictor;
/** What `predict` returns, whichever it was; only the first kind has a `median`. */
export type AnyPredictResult = PredictResult | MixedPredictResult;

type Predicting<P> = (
  predictor: P,
  table: Table,
  options?: Pick<PredictOptions, "signal" | "onProgress">,
) => Promise<AnyPredictResult>;

const FORMATS: {
  readonly [P in AnyPredictor as P["format"]]: {
    readonly version: number;
    readonly shape: Shape;
    readonly predict: Predicting<P>;
  };
} = {
  "sparrow-predictor": { version: 1, shape: predictorShape, predict: predictTable },
  "sparrow-mixed-predictor": { version: 1, shape: mixedPredictorShape, predict: predictMixed },
};

function isPredictor(value: unknown): value is AnyPredictor {
  const { format, version } = (value ?? {}) as { format?: unknown; version?: unknown };
  const known = Object.hasOwn(FORMATS, String(format)) && FORMATS[format as AnyPredictor["format"]];
  return known !== false && known.version === version;
}

export function predictWith(
  predictor: AnyPredictor,
  table: Table,
  options: Pick<PredictOptions, "signal" | "onProgress"> = {},
): Promise<AnyPredictResult> {
  const { predict } = FORMATS[predictor.format] as { predict: Predicting<AnyPredictor> };
  return predict(predictor, table, options);
}

/** The columns that name things in the data to predict. */
export function keysOf(predictor: AnyPredictor): string[] {
  return predictor.format === "sparrow-mixed-predictor" ? [predictor.group] : [];
}

/** Fails with a sentence where something else is given, or numbers that cannot be right. */
export function checkPredictor(value: unknown): asserts value is AnyPredictor {
  if (!isPredictor(value)) {
    throw new SparrowError(
      "predict needs a predictor: what details.predictor() of a run or predictor() of a mixed model gives, or a model.json.",
      "option",
    );
  }
  const problem = FORMATS[value.format].shape(value, "");
  if (problem !== undefined) {
    throw new SparrowError(`The predictor cannot be right: ${problem}; take it from a run again.`, "option");
  }
}

/** The predictor in a `model.json`. */
export function predictorIn(path: string, value: unknown): AnyPredictor {
  if (!isPredictor(value)) {
    throw new SparrowError(`${path} is not a model of this version of Sparrow; fit again.`, "format");
  }
  const problem = FORMATS[value.format].shape(value, "");
  if (problem !== undefined) throw new SparrowError(`${path} is damaged: ${problem}; fit again.`, "format");
  return value;
}
