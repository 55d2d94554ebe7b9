import { SparrowError } from "../../errors.js";
import { entries } from "../../options/option.js";
import { outputs } from "../../options/outputs.js";
import { options } from "../../options/table.js";
import { span } from "../../profile.js";
import { spokenRun } from "../../report/spoken.js";
import { asFlag, option } from "../../wording.js";
import type { Command } from "../command.js";
import { savedAndShown, writingTo } from "../outputs.js";
import { profileProcess, profileText } from "../profile-text.js";
import { clearing, progressBar } from "../progress.js";
import { runFolder, saveRun } from "../run-folder.js";
import { keepingState } from "../unfinished.js";

const table = {
  ...options,
  ...entries(outputs, ["out", "imputedAs", "json", "quiet", "explain", "profile"]),
};

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
    "sparrow fit data.parquet --target y --exclude id,date --engine duckdb",
  ],
  async run(args, effects, resumed = false) {
    const { profile = false, ...options } = args.options;
    const { out, imputedAs, json = false, quiet = false, explain = false, target, ...given } = options;
    const profiled = profile ? profileProcess() : undefined;
    if (explain) {
      const { explainData, explainedText } = await import("../../node/asked-data.js");
      const plan = await explainData(args.data(), { ...given, target, signal: effects.signal });
      effects.out(json ? `${JSON.stringify(plan, null, 2)}\n` : explainedText(plan));
      return;
    }
    if (given.imputations !== undefined && out === undefined) {
      throw new SparrowError(
        `${option("imputations")} needs ${option("out")}, the folder that they go to.`,
        "option",
      );
    }
    const { runData, resultText, runFiles } = await span("loading the program", async () => ({
      ...(await import("../../node/run-data.js")),
      ...(await import("../../report/text/result.js")),
      ...(await import("../run-files.js")),
    }));
    const asked = { command: "fit", positionals: args.positionals, options: args.options };
    const { unfinished } = await writingTo(out, runFolder(out, resumed), (claimed) =>
      keepingState(asked, { resumed, signal: effects.signal }, async (journal) => {
        const bar = progressBar(effects, quiet);
        const how = { ...given, target, signal: effects.signal, onProgress: bar.show };
        const fitted = spokenRun(await clearing(bar, runData(args.data(), how, journal)), asFlag);
        const { result, questions, planned } = fitted;
        const save = () => {
          if (!claimed) return;
          bar.show({ stage: "save", done: 0, total: 0 });
          const files = runFiles(fitted, { ...given, target: result.target }, imputedAs);
          return saveRun(claimed, files, (done, total) => bar.show({ stage: "save", done, total }));
        };
        const show = () =>
          effects.out(json ? `${JSON.stringify(result, null, 2)}\n` : resultText(result, effects.screen));
        await span("writing", () => savedAndShown(save, show, bar));
        if (questions && !quiet) {
          const { askedText } = await import("../../node/asked-data.js");
          effects.err(askedText(questions, planned));
        }
        return { whole: result.partial !== true };
      }),
    );
    if (profiled) effects.err(profileText(profiled()));
    if (out === undefined || quiet) return;
    effects.err(`Written to ${out}; sparrow report ${out} makes a page of it\n`);
    if (unfinished) effects.err(`sparrow resume ${out} goes on where it was stopped\n`);
  },
};
