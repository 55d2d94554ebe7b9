import { importFiles } from "../../node.js";
import { type Command, present } from "../command.js";
import { checkNew } from "../outputs.js";
import { progressBar } from "../progress.js";

export const importCommand: Command = {
  name: "import",
  summary: "Read data once and write them as a store, which sparrow fit opens at once.",
  positionals: ["DATA"],
  options: {
    target: { kind: "text", value: "COLUMN", help: "the column to explain" },
    out: { kind: "text", value: "STORE", help: "the file to write" },
    columns: { kind: "list", value: "COLUMN,...", help: "columns to consider; * and ? stand for any text" },
    exclude: { kind: "list", value: "COLUMN,...", help: "columns to leave out" },
    missing: {
      kind: "choice",
      choices: ["error", "drop", "mean"],
      help: "missing values: refuse, leave rows out, or use the mean",
    },
    "block-rows": { kind: "integer", value: "n", help: "rows of a block, the smallest mini-batch" },
    memory: { kind: "text", value: "SIZE", help: "memory to use, like 2GB" },
    seed: { kind: "integer", value: "s", help: "seed of the shuffle" },
    quiet: { kind: "flag", help: "no progress" },
  },
  examples: [
    "sparrow import data.csv --target y --out data.sparrow",
    "sparrow import 'parts/*.parquet' --target y --out data.sparrow --memory 1GB",
    "sparrow fit data.sparrow",
  ],
  async run(args, effects) {
    const out = args.required("out");
    checkNew(out);
    const given = {
      target: args.text("target"),
      columns: args.list("columns"),
      exclude: args.list("exclude"),
      missing: args.choice<"error" | "drop" | "mean">("missing"),
      blockRows: args.count("block-rows"),
      memory: args.bytes("memory"),
      seed: args.seed(),
    };
    const bar = progressBar(effects, args.flag("quiet"));
    const record = await importFiles(args.positionals[0], out, {
      ...present(given),
      signal: effects.signal,
      onProgress: (progress) => bar.show(progress),
    }).finally(() => bar.done());
    if (args.flag("quiet")) return;
    for (const note of record.notes) effects.err(`${note}\n`);
    effects.err(`Written to ${out}\n`);
  },
};
