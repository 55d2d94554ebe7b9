/** What a page can save: the report, draws, predictions. */

import { SparrowError } from "../errors.js";
import type { CompareResult } from "../peers/comparison.js";
import type { AnyPredictResult } from "../prediction/any-predictor.js";
import type { StoredRun } from "../report/stored-run.js";
import { csvLines } from "../report/text/csv.js";
import { predictionColumns } from "../report/text/prediction.js";
import { needed } from "../tables/needed.js";

/** The page of a run, as the text of one HTML file: what `sparrow report` writes. */
export async function report(run: StoredRun, document = documentOf()): Promise<string> {
  const { htmlReport } = await needed(() => import("../report/page/page.js"));
  return htmlReport(run, document);
}

/** The page of a comparison: what `sparrow compare --out` writes. */
export async function comparisonReport(comparison: CompareResult, document = documentOf()): Promise<string> {
  const { comparisonHtml } = await needed(() => import("../report/page/comparison.js"));
  return comparisonHtml(comparison, document);
}

/** Plots are drawn in a document that nobody sees. */
function documentOf(): Document {
  if (globalThis.document) return globalThis.document;
  throw new SparrowError(
    "A report is drawn in a document, which a worker does not have; ask for it in the page.",
  );
}

/** Predictions as the text of a CSV file: what `sparrow predict` prints. */
export function predictionsCsv(result: AnyPredictResult): string {
  return [...csvLines(predictionColumns(result), result.rows)].join("");
}
