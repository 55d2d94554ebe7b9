import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SparrowError } from "../../errors.js";
import { predictTable } from "../../prediction/predict.js";
import type { Predictor } from "../../prediction/predictor.js";
import { predictionText } from "../../report/text/prediction.js";
import { fileTable } from "../../tables/open.js";
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
    const table = await fileTable(data);
    try {
      const predictions = await predictTable(predictor, table, { signal: effects.signal });
      const { scores, rows, mean, lower, upper, median } = predictions;
      if (out !== undefined) {
        await writeTable(arrayTable({ mean, lower, upper, median }), out, { signal: effects.signal });
      }
      const summary = { run, data, family: predictor.family, target: predictor.target, rows, ...scores };
      effects.out(args.flag("json") ? `${JSON.stringify(summary, null, 2)}\n` : predictionText(summary));
      if (out !== undefined && !args.flag("quiet")) effects.err(`Written to ${out}\n`);
      if (out === undefined && !scores && !args.flag("quiet")) {
        effects.err(
          `There is no "${predictor.target}" to score against; --out FILE writes the predictions.\n`,
        );
      }
    } finally {
      table.close?.();
    }
  },
};

function readPredictor(run: string): Predictor {
  if (!existsSync(run)) throw new SparrowError(`There is no run folder ${run}; check the path.`);
  const path = join(run, "model.json");
  if (!existsSync(path)) {
    throw new SparrowError(
      `${run} is not a run that can predict: it has no model.json, which sparrow fit --out writes.`,
    );
  }
  let predictor: Predictor;
  try {
    predictor = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    throw new SparrowError(`${path} is damaged: it is not JSON; fit again.`);
  }
  if (predictor.format !== "sparrow-predictor" || predictor.version !== 1) {
    throw new SparrowError(`${path} is not a model of this version of Sparrow; fit again.`);
  }
  return predictor;
}
