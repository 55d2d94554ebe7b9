import { runData } from "../../node/run-data.js";
import { entries } from "../../options/option.js";
import { outputs } from "../../options/outputs.js";
import { options } from "../../options/table.js";
import { spokenRun } from "../../report/spoken.js";
import { resultText } from "../../report/text/result.js";
import { asFlag } from "../../wording.js";
import type { Command } from "../command.js";
import { savedAndShown, writingTo } from "../outputs.js";
import { progressBar } from "../progress.js";
import { runFiles } from "../run-files.js";
import { RUN_FOLDER, saveRun } from "../run-folder.js";

const table = { ...options, ...entries(outputs, ["out", "json", "quiet"]) };

export const fitCommand: Command<typeof table> = {
  name: "fit",
  summary: "Which columns of a table explain the target, how much, and how sure that is.",
  positionals: ["DATA"],
  options: table,
  here: { out: ": a folder for the run" },
  examples: [
    "sparrow fit examples/crime.csv --target y",
    "sparrow fit data.parquet --target y --exclude id,date --out run1",
    "sparrow fit data.csv --target y --preset paper --moves 5 --json",
  ],
  async run(args, effects) {
    const { out, json = false, quiet = false, target, ...given } = args.options;
    await writingTo(out, RUN_FOLDER, async (claimed) => {
      const bar = progressBar(effects, quiet);
      const asked = { ...given, target, signal: effects.signal, onProgress: bar.show };
      const fitted = spokenRun(await runData(args.positionals[0], asked).finally(bar.done), asFlag);
      const { result } = fitted;
      await savedAndShown(
        () => claimed && saveRun(claimed, runFiles(fitted, { ...given, target: result.target })),
        () => effects.out(json ? `${JSON.stringify(result, null, 2)}\n` : resultText(result)),
      );
    });
    if (out !== undefined && !quiet) {
      effects.err(`Written to ${out}; sparrow report ${out} makes a page of it\n`);
    }
  },
};
