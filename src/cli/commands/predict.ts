import { predict } from "../../node.js";
import { entries } from "../../options/option.js";
import { outputs } from "../../options/outputs.js";
import { predictOptions } from "../../options/predict.js";
import { readPredictor } from "../../prediction/read-predictor.js";
import { predictionText } from "../../report/text/prediction.js";
import { arrayTable } from "../../tables/readers/arrays.js";
import { writeTable } from "../../tables/write.js";
import { asFlag } from "../../wording.js";
import type { Command } from "../command.js";
import { checkNewTable } from "../outputs.js";

const table = { ...predictOptions, ...entries(outputs, ["out", "json", "quiet"]) };

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
    const { out, json = false, quiet = false, ...given } = args.options;
    const { signal } = effects;
    if (out !== undefined) checkNewTable(out);
    const predictor = readPredictor(run);
    const predictions = await predict(predictor, data, { ...given, signal });
    const { scores, rows, mean, lower, upper, median } = predictions;
    if (out !== undefined) await writeTable(arrayTable({ mean, lower, upper, median }), out, { signal });
    const summary = { run, data, family: predictor.family, target: predictor.target, rows, ...scores };
    effects.out(json ? `${JSON.stringify(summary, null, 2)}\n` : predictionText(summary));
    if (out !== undefined && !quiet) effects.err(`Written to ${out}\n`);
    if (out === undefined && !scores && !quiet) {
      const advice = `${asFlag("out", "FILE")} writes the predictions`;
      effects.err(`There is no "${predictor.target}" to score against; ${advice}.\n`);
    }
  },
};
