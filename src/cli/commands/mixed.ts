import { mixedData } from "../../node/other-data.js";
import { mixedOptions } from "../../options/mixed.js";
import { entries } from "../../options/option.js";
import { outputs } from "../../options/outputs.js";
import { hearing, spokenMixed } from "../../report/spoken.js";
import { mixedText } from "../../report/text/mixed.js";
import { asFlag } from "../../wording.js";
import type { Command } from "../command.js";
import { mixedFiles } from "../mixed-files.js";
import { savedAndShown, writingTo } from "../outputs.js";
import { progressBar } from "../progress.js";
import { RUN_FOLDER, saveRun } from "../run-folder.js";

const table = { ...mixedOptions, ...entries(outputs, ["out", "json", "quiet"]) };

export const mixedCommand: Command<typeof table> = {
  name: "mixed",
  summary: "How effects differ between groups: a mixed model of rows in groups, however many.",
  positionals: ["DATA"],
  options: table,
  here: { out: ": a folder for the run, with draws and group effects" },
  examples: [
    "sparrow mixed sleep.csv --target reaction --group subject --fixed days --random days",
    "sparrow mixed ml-10M100K --target rating --group userId --out run1",
  ],
  async run(args, effects) {
    const { out, json = false, quiet = false, ...given } = args.options;
    const bar = progressBar(effects, quiet);
    const onMessage = (message: string) => {
      bar.done();
      if (!quiet) effects.err(`${message}\n`);
    };
    const asked = { ...given, signal: effects.signal, onProgress: bar.show, onMessage };
    await writingTo(out, RUN_FOLDER, async (claimed) => {
      const marked = await mixedData(args.positionals[0], hearing(asked, asFlag)).finally(bar.done);
      const fitted = spokenMixed(marked, asFlag);
      const { result } = fitted;
      const { target, group } = result;
      await savedAndShown(
        () => claimed && saveRun(claimed, mixedFiles(fitted, { ...given, target, group })),
        () => effects.out(json ? `${JSON.stringify(result, null, 2)}\n` : mixedText(result)),
      );
    });
    if (out !== undefined && !quiet) effects.err(`Written to ${out}\n`);
  },
};
