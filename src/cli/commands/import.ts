import { claiming } from "../../files/claim.js";
import { importOptions } from "../../options/import.js";
import { entries } from "../../options/option.js";
import { outputs } from "../../options/outputs.js";
import { asFlag } from "../../wording.js";
import type { Command } from "../command.js";
import { progressBar } from "../progress.js";
import { keepingState } from "../unfinished.js";

const table = { ...importOptions, ...entries(outputs, ["out", "quiet"]) };

export const importCommand: Command<typeof table> = {
  name: "import",
  summary: "Read data once and write them as a store, which sparrow fit opens at once.",
  positionals: ["DATA..."],
  options: table,
  here: { out: ": the store, a file" },
  examples: [
    "sparrow import data.csv --target y --out data.sparrow",
    "sparrow import 'parts/*.parquet' --target y --out data.sparrow --memory 1GB",
    "sparrow fit data.sparrow",
  ],
  async run(args, effects, resumed = false) {
    const out = args.required("out");
    const { importTo } = await import("../../node/import-data.js");
    const { out: _, quiet = false, ...given } = args.options;
    const bar = progressBar(effects, quiet);
    const { signal } = effects;
    const how = { ...given, signal, onProgress: bar.show };
    const asked = { command: "import", positionals: args.positionals, options: args.options };
    let notes: readonly string[] = [];
    await claiming(out, {}, (claimed) =>
      keepingState(asked, { resumed, signal }, async (journal) => {
        notes = (await importTo(claimed, args.data(), how, asFlag, journal).finally(bar.done)).notes;
        return { whole: true };
      }),
    );
    if (quiet) return;
    for (const note of notes) effects.err(`${note}\n`);
    effects.err(`Written to ${out}\n`);
  },
};
