import { mixedOptions } from "../../options/mixed.js";
import { entries } from "../../options/option.js";
import { outputs } from "../../options/outputs.js";
import { hearing, spokenMixed } from "../../report/spoken.js";
import { asFlag } from "../../wording.js";
import type { Command } from "../command.js";
import { savedAndShown, writingTo } from "../outputs.js";
import { clearing, progressBar } from "../progress.js";
import { runFolder, saveRun } from "../run-folder.js";
import { keepingState } from "../unfinished.js";

const table = { ...mixedOptions, ...entries(outputs, ["out", "json", "quiet"]) };

export const mixedCommand: Command<typeof table> = {
  name: "mixed",
  summary: "How effects differ between groups: a mixed model, by columns or by a formula.",
  positionals: ["DATA..."],
  options: table,
  here: { out: ": a folder for the run, with draws and group effects" },
  examples: [
    "sparrow mixed sleep.csv --target reaction --group subject --fixed days --random days",
    'sparrow mixed sleep.csv --formula "reaction ~ days + (days || subject)"',
    "sparrow mixed ml-10M100K --target rating --group userId --out run1",
  ],
  async run(args, effects, resumed = false) {
    const { mixedData } = await import("../../node/mixed-data.js");
    const { mixedText } = await import("../../report/text/mixed.js");
    const { mixedFiles } = await import("../mixed-files.js");
    const { out, json = false, quiet = false, ...given } = args.options;
    const bar = progressBar(effects, quiet);
    const onMessage = (message: string) => {
      bar.done();
      if (!quiet) effects.err(`${message}\n`);
    };
    const how = hearing({ ...given, signal: effects.signal, onProgress: bar.show, onMessage }, asFlag);
    const asked = { command: "mixed", positionals: args.positionals, options: args.options };
    const { unfinished } = await writingTo(out, runFolder(out, resumed), (claimed) =>
      keepingState(asked, { resumed, signal: effects.signal }, async (journal) => {
        const marked = await clearing(bar, mixedData(args.data(), how, journal));
        const fitted = spokenMixed(marked, asFlag);
        const { result } = fitted;
        const { target, group } = result;
        await savedAndShown(
          () => {
            if (!claimed) return;
            bar.show({ stage: "save", done: 0, total: 0 });
            const files = mixedFiles(fitted, { ...given, target, group });
            return saveRun(claimed, files, (done, total) => bar.show({ stage: "save", done, total }));
          },
          () => effects.out(json ? `${JSON.stringify(result, null, 2)}\n` : mixedText(result)),
          bar,
        );
        return { whole: result.partial !== true };
      }),
    );
    if (out === undefined || quiet) return;
    effects.err(`Written to ${out}\n`);
    if (unfinished) effects.err(`sparrow resume ${out} goes on where it was stopped\n`);
  },
};
