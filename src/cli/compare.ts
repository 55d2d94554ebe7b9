import { COMPARE_METHODS, compareTable } from "../compare.js";
import { threads } from "../node.js";
import { comparisonText } from "../report/comparison.js";
import { denseTable } from "../sources/files.js";
import { type Command, present } from "./command.js";

export const compareCommand: Command = {
  name: "compare",
  summary: "Run several selection methods side by side on the same data.",
  positionals: ["DATA"],
  options: {
    target: { kind: "text", value: "COLUMN", help: "the column to explain" },
    family: {
      kind: "choice",
      choices: ["auto", "gaussian", "binomial", "poisson"],
      help: "the kind of target",
    },
    methods: {
      kind: "list",
      value: "NAME,...",
      help: `any of ${COMPARE_METHODS.join(", ")} (all that fit the target)`,
    },
    exclude: { kind: "list", value: "COLUMN,...", help: "columns to leave out" },
    holdout: { kind: "number", value: "SHARE", help: "share of the rows to measure errors on (0.2)" },
    threads: { kind: "integer", value: "K", help: "threads to use; the answer does not depend on it" },
    seed: { kind: "integer", value: "s", help: "seed of the random numbers" },
    json: { kind: "flag", help: "print one JSON object instead of the tables" },
    quiet: { kind: "flag", help: "no progress" },
  },
  examples: [
    "sparrow compare examples/crime.csv --target y",
    "sparrow compare data.parquet --target y --methods esgld,lasso,mcp --json",
  ],
  async run(args, effects) {
    const given = {
      family: args.choice<"auto">("family"),
      methods: args.list("methods"),
      exclude: args.list("exclude"),
      holdout: args.number("holdout"),
      threads: args.count("threads"),
      seed: args.seed(),
    };
    const target = args.required("target");
    const table = await denseTable(args.positionals[0]);
    try {
      const comparison = await compareTable(
        table,
        {
          ...present(given),
          target,
          signal: effects.signal,
          memory: () => process.memoryUsage().rss,
          onMethod: (method) => {
            if (!args.flag("quiet")) effects.err(`${method} …\n`);
          },
        },
        threads,
      );
      effects.out(
        args.flag("json") ? `${JSON.stringify(comparison, null, 2)}\n` : comparisonText(comparison),
      );
    } finally {
      table.close?.();
    }
  },
};
