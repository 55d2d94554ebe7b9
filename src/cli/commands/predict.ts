import { predictData } from "../../node/other-data.js";
import { entries } from "../../options/option.js";
import { outputs } from "../../options/outputs.js";
import { predictOptions } from "../../options/predict.js";
import { readPredictor } from "../../prediction/read-predictor.js";
import { predictionText } from "../../report/text/prediction.js";
import { arrayTable } from "../../tables/readers/arrays.js";
import { writeTableWhole } from "../../tables/write.js";
import { asFlag } from "../../wording.js";
import type { Command } from "../command.js";
import { savedAndShown, writingTableTo } from "../outputs.js";
import { progressBar } from "../progress.js";

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
    const { target, scores } = await writingTableTo(out, async (claimed) => {
      const predictor = readPredictor(run);
      const bar = progressBar(effects, quiet);
      const asked = { ...given, signal, onProgress: bar.show };
      const predictions = await predictData(predictor, data, asked).finally(bar.done);
      const { scores, rows, ...columns } = predictions;
      const { target } = predictor;
      const kind =
        "family" in predictor ? { family: predictor.family } : { model: "mixed", group: predictor.group };
      const summary = { run, data, ...kind, target, rows, ...scores };
      await savedAndShown(
        () => claimed && writeTableWhole(arrayTable({ ...columns }), claimed, { signal }),
        () =>
          effects.out(
            json ? `${JSON.stringify(summary, null, 2)}\n` : predictionText({ target, rows, scores }),
          ),
      );
      return { target, scores };
    });
    if (out !== undefined && !quiet) effects.err(`Written to ${out}\n`);
    if (out === undefined && !scores && !quiet) {
      const advice = `${asFlag("out", "FILE")} writes the predictions`;
      effects.err(`There is no "${target}" to score against; ${advice}.\n`);
    }
  },
};
