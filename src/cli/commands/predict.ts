import { predict } from "../../node.js";
import { readPredictor } from "../../prediction/read-predictor.js";
import { predictionText } from "../../report/text/prediction.js";
import { arrayTable } from "../../tables/readers/arrays.js";
import { writeTable } from "../../tables/write.js";
import type { Command } from "../command.js";
import { checkNewTable } from "../outputs.js";

export const predictCommand: Command = {
  name: "predict",
  summary: "Predict new rows from a run, and score the predictions where the data hold the target.",
  positionals: ["RUN", "DATA"],
  options: {
    out: { kind: "text", value: "FILE", help: "a .csv or .parquet file for the predictions" },
    json: { kind: "flag", help: "print one JSON object instead of the table" },
    quiet: { kind: "flag", help: "no messages" },
  },
  examples: [
    "sparrow predict run1 new.csv --out predictions.csv",
    "sparrow predict run1 test.parquet --json",
  ],
  async run(args, effects) {
    const [run, data] = args.positionals;
    const out = args.text("out");
    if (out !== undefined) checkNewTable(out);
    const predictor = readPredictor(run);
    const predictions = await predict(predictor, data, { signal: effects.signal });
    const { scores, rows, mean, lower, upper, median } = predictions;
    if (out !== undefined) {
      await writeTable(arrayTable({ mean, lower, upper, median }), out, { signal: effects.signal });
    }
    const summary = { run, data, family: predictor.family, target: predictor.target, rows, ...scores };
    effects.out(args.flag("json") ? `${JSON.stringify(summary, null, 2)}\n` : predictionText(summary));
    if (out !== undefined && !args.flag("quiet")) effects.err(`Written to ${out}\n`);
    if (out === undefined && !scores && !args.flag("quiet")) {
      effects.err(`There is no "${predictor.target}" to score against; --out FILE writes the predictions.\n`);
    }
  },
};
