import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SparrowError } from "../../errors.js";
import { entries } from "../../options/option.js";
import { outputs } from "../../options/outputs.js";
import { predictTable } from "../../prediction/predict.js";
import type { Predictor } from "../../prediction/predictor.js";
import { predictionText } from "../../report/text/prediction.js";
import { fileTable } from "../../tables/open.js";
import { arrayTable } from "../../tables/readers/arrays.js";
import { writeTable } from "../../tables/write.js";
import { asFlag, option } from "../../wording.js";
import type { Command } from "../command.js";
import { checkNewTable } from "../outputs.js";

const table = entries(outputs, ["out", "json", "quiet"]);

export const predictCommand: Command<typeof table> = {
  name: "predict",
  summary: "Predict new rows from a run, and score the predictions where the data hold the target.",
  positionals: ["RUN", "DATA"],
  options: table,
  here: { out: ": a .csv or .parquet file for the predictions" },
  examples: [
    "sparrow predict run1 new.csv --out predictions.csv",
    "sparrow predict run1 test.parquet --json",
  ],
  async run(args, effects) {
    const [run, data] = args.positionals;
    const { out, json = false, quiet = false } = args.options;
    if (out !== undefined) checkNewTable(out);
    const predictor = readPredictor(run);
    const table = await fileTable(data);
    try {
      const predictions = await predictTable(predictor, table, { signal: effects.signal });
      const { scores, rows, mean, lower, upper, median } = predictions;
      if (out !== undefined) {
        await writeTable(arrayTable({ mean, lower, upper, median }), out, { signal: effects.signal });
      }
      const summary = { run, data, family: predictor.family, target: predictor.target, rows, ...scores };
      effects.out(json ? `${JSON.stringify(summary, null, 2)}\n` : predictionText(summary));
      if (out !== undefined && !quiet) effects.err(`Written to ${out}\n`);
      if (out === undefined && !scores && !quiet) {
        effects.err(
          `There is no "${predictor.target}" to score against; ${asFlag("out", "FILE")} writes the predictions.\n`,
        );
      }
    } finally {
      table.close?.();
    }
  },
};

function readPredictor(run: string): Predictor {
  if (!existsSync(run)) throw new SparrowError(`There is no run folder ${run}; check the path.`, "file");
  const path = join(run, "model.json");
  if (!existsSync(path)) {
    throw new SparrowError(
      `${run} is not a run that can predict: it has no model.json, which sparrow fit with ${option("out")} writes.`,
      "file",
    );
  }
  let predictor: Predictor;
  try {
    predictor = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    throw new SparrowError(`${path} is damaged: it is not JSON; fit again.`, "format");
  }
  if (predictor.format !== "sparrow-predictor" || predictor.version !== 1) {
    throw new SparrowError(`${path} is not a model of this version of Sparrow; fit again.`, "format");
  }
  return predictor;
}
