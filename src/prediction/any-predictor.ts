/** The kinds of predictors that there are, by the format that stands in a `model.json`. */

import { SparrowError } from "../errors.js";
import type { PredictOptions } from "../options/predict.js";
import type { Shape } from "../shape.js";
import { readingsOf } from "../store/layout/encoding.js";
import type { ReadingHints } from "../tables/judge/hints.js";
import type { ColumnTable, Table } from "../tables/table.js";
import { carriedOver } from "./carried-over.js";
import type { FormulaPredictor } from "./formula-predictor.js";
import type { MixedPredictor } from "./mixed-predictor.js";
import { type PredictResult, predictTable } from "./predict.js";
import { predictFormula } from "./predict-formula.js";
import { type MixedPredictResult, predictMixed } from "./predict-mixed.js";
import type { Predictor } from "./predictor.js";
import { formulaPredictorShape, mixedPredictorShape, predictorShape } from "./predictor-shape.js";

/** Of a `fit`, or of a mixed model, by groups or by a formula. */
export type AnyPredictor = Predictor | MixedPredictor | FormulaPredictor;
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
  "sparrow-formula-predictor": { version: 1, shape: formulaPredictorShape, predict: predictFormula },
};

function isPredictor(value: unknown): value is AnyPredictor {
  const { format, version } = (value ?? {}) as { format?: unknown; version?: unknown };
  const known = Object.hasOwn(FORMATS, String(format)) && FORMATS[format as AnyPredictor["format"]];
  return known !== false && known.version === version;
}

export async function predictWith(
  predictor: AnyPredictor,
  table: Table,
  options: Pick<PredictOptions, "id" | "signal" | "onProgress"> = {},
): Promise<AnyPredictResult> {
  const { predict } = FORMATS[predictor.format] as { predict: Predicting<AnyPredictor> };
  const { id } = options;
  const carried = id && id.length > 0 ? { id: await carriedOver(table, id) } : {};
  const result = { ...(await predict(predictor, table, options)), ...carried };
  const notes = table.by === "columns" ? table.remarks?.(usedColumns(predictor, table)) : undefined;
  return notes && notes.length > 0 ? { ...result, notes } : result;
}

/** The columns that a run is about; a formula names its own. */
export function usedColumns(
  predictor: AnyPredictor,
  { columns }: Pick<ColumnTable, "columns">,
  others: readonly string[] = [],
): number[] {
  const used = new Set([predictor.target, ...predictorColumns(predictor), ...others]);
  return [...columns.keys()].filter((c) => used.has(columns[c].name));
}

function predictorColumns(predictor: AnyPredictor): readonly string[] {
  if (predictor.format === "sparrow-formula-predictor") {
    const variables = [...predictor.fixed, ...predictor.terms.flatMap((term) => term.variables)];
    const own = variables.flatMap(({ parts }) => parts.map(({ column }) => column));
    return [...own, ...groupsOf(predictor), ...(predictor.offset === undefined ? [] : [predictor.offset])];
  }
  const { encoding, variables } = predictor;
  return encoding?.columns.map(({ column }) => column) ?? variables;
}

export function groupsOf(predictor: AnyPredictor): readonly string[] {
  if (predictor.format === "sparrow-formula-predictor") {
    return predictor.terms.flatMap(({ columns }) => columns);
  }
  return predictor.format === "sparrow-mixed-predictor" ? [predictor.group] : [];
}

/** How the data are to be read so that they are read as those of the run were. */
export function knownReading(
  predictor: AnyPredictor,
  { id = [] }: Pick<PredictOptions, "id"> = {},
): ReadingHints {
  const keys = [...new Set([...groupsOf(predictor), ...id])];
  if (predictor.format === "sparrow-formula-predictor") return { ...predictor.reading, keys };
  return { ...(predictor.encoding && readingsOf(predictor.encoding)), keys };
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
