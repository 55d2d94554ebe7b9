import { runData } from "../../node/run-data.js";
import { entries } from "../../options/option.js";
import { outputs } from "../../options/outputs.js";
import { options } from "../../options/table.js";
import { spokenRun } from "../../report/spoken.js";
import { resultText } from "../../report/text/result.js";
import { asFlag } from "../../wording.js";
import type { Command } from "../command.js";
import { progressBar } from "../progress.js";
import { runFiles } from "../run-files.js";
import { checkRunFolder, saveRun } from "../run-folder.js";

const table = { ...options, ...entries(outputs, ["out", "json", "quiet"]) };

export const fitCommand: Command<typeof table> = {
  name: "fit",
  summary: "Which columns of a table explain the target, how much, and how sure that is.",
  positionals: ["DATA..."],
  options: table,
  here: { out: ": a folder for the run" },
  examples: [
    "sparrow fit examples/crime.csv --target y",
    "sparrow fit data.parquet --target y --exclude id,date --out run1",
    "sparrow fit data.csv --target y --preset paper --moves 5 --json",
  ],
  async run(args, effects) {
    const { out, json = false, quiet = false, target, ...given } = args.options;
    if (out !== undefined) checkRunFolder(out);
    const bar = progressBar(effects, quiet);
    const asked = { ...given, target, signal: effects.signal, onProgress: bar.show };
    const fitted = spokenRun(await runData(args.data(), asked).finally(bar.done), asFlag);
    const { result } = fitted;
    if (out !== undefined) await saveRun(out, runFiles(fitted, { ...given, target: result.target }));
    effects.out(json ? `${JSON.stringify(result, null, 2)}\n` : resultText(result, effects.screen));
    if (out !== undefined && !quiet) {
      effects.err(`Written to ${out}; sparrow report ${out} makes a page of it\n`);
    }
  },
};
