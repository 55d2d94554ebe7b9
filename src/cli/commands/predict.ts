import { isClickHouseAddress } from "../../engines/clickhouse/address.js";
import type { Claim } from "../../files/claim.js";
import { writePieces } from "../../files/whole.js";
import { entries } from "../../options/option.js";
import { outputs } from "../../options/outputs.js";
import { predictOptions } from "../../options/predict.js";
import type { AnyPredictor, AnyPredictResult } from "../../prediction/any-predictor.js";
import { csvLines } from "../../report/text/csv.js";
import { predictionColumns, predictionText } from "../../report/text/prediction.js";
import { isCsv, writeTableWhole } from "../../tables/write.js";
import { asFlag, spelt } from "../../wording.js";
import type { Command } from "../command.js";
import { savedAndShown, writingTableTo } from "../outputs.js";
import { clearing, type ProgressBar, progressBar } from "../progress.js";

const table = { ...predictOptions, ...entries(outputs, ["out", "json", "quiet"]) };

export const predictCommand: Command<typeof table> = {
  name: "predict",
  summary: "Predict new rows from a run, and score the predictions where the data hold the target.",
  details:
    "Each row gets its expected target (mean) with a 95% interval of that expectation (meanLower, meanUpper), and, unless the target is a choice of two, a 95% interval for a new observation (observationLower, observationUpper). Without an output file the predictions are printed as CSV, and the scores go to standard error.",
  positionals: ["RUN", "DATA..."],
  options: table,
  here: {
    out: ": a .csv or .parquet file for the predictions, or a new table (clickhouse://user@host/database/table)",
    json: ", with the predictions unless they go to a file",
  },
  examples: [
    "sparrow predict run1 new.csv --out predictions.csv",
    "sparrow predict run1 new.csv --id id > predictions.csv",
    "sparrow predict run1 test.parquet --json",
    "sparrow predict run1 'parts/*.parquet' --engine duckdb --id id --out predictions.parquet",
  ],
  async run(args, effects) {
    const { predictData } = await import("../../node/predict-data.js");
    const { readPredictor } = await import("../../prediction/read-predictor.js");
    const [run] = args.positionals;
    const data = args.data(1);
    const { out, json = false, quiet = false, ...given } = args.options;
    const { signal } = effects;
    if (out !== undefined && isClickHouseAddress(out)) {
      const predictor = readPredictor(run);
      const bar = progressBar(effects, quiet);
      const { predictIntoTable } = await import("../../node/asked-data.js");
      const asked = { ...given, signal, onProgress: bar.show };
      const { rows, scores } = await clearing(bar, predictIntoTable(predictor, data, out, asked));
      bar.done();
      show(predictor, { rows, scores }, {});
      if (!quiet) effects.err(`Written to ${out}\n`);
      return;
    }
    await writingTableTo(out, async (claimed) => {
      const predictor = readPredictor(run);
      const bar = progressBar(effects, quiet);
      const asked = { ...given, signal, onProgress: bar.show };
      const predictions = await clearing(bar, predictData(predictor, data, asked));
      const { notes = [] } = predictions;
      bar.done();
      if (!quiet) for (const note of notes) effects.err(`Note: ${spelt(note, asFlag)}\n`);
      const columns = predictionColumns(predictions);
      await savedAndShown(
        () => claimed && written(claimed, columns, predictions, { signal, bar }),
        () => show(predictor, predictions, columns),
        bar,
      );
    });
    if (out !== undefined && !quiet) effects.err(`Written to ${out}\n`);

    function show(
      predictor: AnyPredictor,
      {
        scores,
        rows,
      }: Pick<AnyPredictResult, "rows"> & { readonly scores?: AnyPredictResult["scores"] | undefined },
      columns: Columns,
    ): void {
      const { target } = predictor;
      if (json) {
        const kind =
          "family" in predictor ? { family: predictor.family } : { model: "mixed", group: predictor.group };
        const listed = out === undefined && { predictions: recordsOf(columns, rows) };
        effects.out(
          `${JSON.stringify({ run, data, ...kind, target, rows, ...scores, ...listed }, null, 2)}\n`,
        );
      } else if (out === undefined) {
        for (const lines of csvLines(columns, rows)) effects.out(lines);
        if (!quiet) effects.err(predictionText({ target, rows, scores }));
      } else effects.out(predictionText({ target, rows, scores }));
    }
  },
};

/** Rows whose digits take longer than threads take to begin. */
const MANY = 200_000;

type Columns = ReturnType<typeof predictionColumns>;

async function written(
  claimed: Claim,
  columns: Columns,
  { rows, id = {} }: AnyPredictResult,
  { signal, bar }: { readonly signal: AbortSignal; readonly bar: ProgressBar },
): Promise<void> {
  const onProgress = (done: number) => bar.show({ stage: "write", done, total: rows });
  if (isCsv(claimed.path)) {
    if (rows < MANY) return writePieces(claimed, csvLines(columns, rows, onProgress), signal);
    const { crew } = await import("../../node/threads.js");
    const { csvText } = await import("../../report/text/csv-job.js");
    const pool = await crew.pool(crew.threads);
    try {
      return await writePieces(claimed, csvText(columns, rows, pool, onProgress), signal);
    } finally {
      await pool.close();
    }
  }
  const { arrayTable } = await import("../../tables/readers/arrays.js");
  const table = arrayTable(columns, "the predictions", { keys: Object.keys(id) });
  await writeTableWhole(table, claimed, {
    signal,
    type: (name) => (name === "row" ? "integer" : "double"),
    onProgress,
  });
}

function recordsOf(columns: Columns, rows: number): Record<string, number | string>[] {
  const all = Object.entries(columns);
  return Array.from({ length: rows }, (_, i) => Object.fromEntries(all.map(([name, of]) => [name, of[i]])));
}
