import { SparrowError } from "../../errors.js";
import { runData } from "../../node/run-data.js";
import { entries } from "../../options/option.js";
import { outputs } from "../../options/outputs.js";
import { options } from "../../options/table.js";
import { spokenRun } from "../../report/spoken.js";
import { resultText } from "../../report/text/result.js";
import { asFlag, option } from "../../wording.js";
import type { Command } from "../command.js";
import { savedAndShown, writingTo } from "../outputs.js";
import { progressBar } from "../progress.js";
import { runFiles } from "../run-files.js";
import { runFolder, saveRun } from "../run-folder.js";
import { keepingState } from "../unfinished.js";

const table = { ...options, ...entries(outputs, ["out", "imputedAs", "json", "quiet"]) };

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
  async run(args, effects, resumed = false) {
    const { out, imputedAs, json = false, quiet = false, target, ...given } = args.options;
    if (given.imputations !== undefined && out === undefined) {
      throw new SparrowError(
        `${option("imputations")} needs ${option("out")}, the folder that they go to.`,
        "option",
      );
    }
    const asked = { command: "fit", positionals: args.positionals, options: args.options };
    const { unfinished } = await writingTo(out, runFolder(out, resumed), (claimed) =>
      keepingState(asked, { resumed, signal: effects.signal }, async (journal) => {
        const bar = progressBar(effects, quiet);
        const how = { ...given, target, signal: effects.signal, onProgress: bar.show };
        const fitted = spokenRun(await runData(args.data(), how, journal).finally(bar.done), asFlag);
        const { result } = fitted;
        await savedAndShown(
          () => claimed && saveRun(claimed, runFiles(fitted, { ...given, target: result.target }, imputedAs)),
          () =>
            effects.out(json ? `${JSON.stringify(result, null, 2)}\n` : resultText(result, effects.screen)),
        );
        return { whole: result.partial !== true };
      }),
    );
    if (out === undefined || quiet) return;
    effects.err(`Written to ${out}; sparrow report ${out} makes a page of it\n`);
    if (unfinished) effects.err(`sparrow resume ${out} goes on where it was stopped\n`);
  },
};
