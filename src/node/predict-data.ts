import { checkPredict, type PredictOptions } from "../options/predict.js";
import { refuseQuestions } from "../options/refuse-questions.js";
import {
  type AnyPredictor,
  type AnyPredictResult,
  checkPredictor,
  knownReading,
  predictWith,
} from "../prediction/any-predictor.js";
import { inOwnWords } from "../prediction/own-words.js";
import type { Data } from "../tables/open.js";
import { readingOf } from "../tables/reading-asked.js";
import { isAsked, openingOf, withTable } from "./open.js";

export async function predictData(
  predictor: AnyPredictor,
  data: Data,
  options: PredictOptions,
): Promise<AnyPredictResult> {
  checkPredict(options);
  checkPredictor(predictor);
  if (isAsked(data, options)) {
    const { predictAskedData } = await import("./asked-data.js");
    return predictAskedData(predictor, data, options);
  }
  refuseQuestions(options);
  const settings = {
    ...knownReading(predictor, options),
    ...readingOf(options),
    ...openingOf(options),
  };
  return inOwnWords(predictor, () =>
    withTable(data, settings, (table) => predictWith(predictor, table, options)),
  );
}
