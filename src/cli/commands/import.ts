import { importData } from "../../node/other-data.js";
import { importOptions } from "../../options/import.js";
import { entries } from "../../options/option.js";
import { outputs } from "../../options/outputs.js";
import { asFlag } from "../../wording.js";
import type { Command } from "../command.js";
import { progressBar } from "../progress.js";

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
  async run(args, effects) {
    const out = args.required("out");
    const { out: _, quiet = false, ...given } = args.options;
    const bar = progressBar(effects, quiet);
    const asked = { ...given, signal: effects.signal, onProgress: bar.show };
    const record = await importData(args.data(), out, asked, asFlag).finally(bar.done);
    if (quiet) return;
    for (const note of record.notes) effects.err(`${note}\n`);
    effects.err(`Written to ${out}\n`);
  },
};
