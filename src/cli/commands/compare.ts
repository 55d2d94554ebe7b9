import { compare } from "../../node.js";
import { COMPARE_METHODS } from "../../peers/compare.js";
import { comparisonHtml } from "../../report/page/comparison.js";
import { comparisonText } from "../../report/text/comparison.js";
import { type Command, present } from "../command.js";
import { checkNew } from "../outputs.js";
import { writeWhole } from "../write-whole.js";

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
    missing: {
      kind: "choice",
      choices: ["error", "drop", "mean"],
      help: "missing values: refuse, leave rows out, or use the mean",
    },
    holdout: { kind: "number", value: "SHARE", help: "share of the rows to measure errors on (0.2)" },
    threads: { kind: "integer", value: "K", help: "threads to use; the answer does not depend on it" },
    seed: { kind: "integer", value: "s", help: "seed of the random numbers" },
    out: { kind: "text", value: "FILE.html", help: "write the comparison as one HTML page as well" },
    json: { kind: "flag", help: "print one JSON object instead of the tables" },
    quiet: { kind: "flag", help: "no progress" },
  },
  examples: [
    "sparrow compare examples/crime.csv --target y",
    "sparrow compare data.parquet --target y --methods esgld,lasso,mcp --json",
    "sparrow compare rcv1.libsvm --methods esgld,lasso --out methods.html",
  ],
  async run(args, effects) {
    const given = {
      target: args.text("target"),
      family: args.choice<"auto">("family"),
      methods: args.list("methods"),
      exclude: args.list("exclude"),
      missing: args.choice<"error" | "drop" | "mean">("missing"),
      holdout: args.number("holdout"),
      threads: args.count("threads"),
      seed: args.seed(),
    };
    const [data] = args.positionals;
    const out = args.text("out");
    if (out !== undefined) checkNew(out);
    const quiet = args.flag("quiet");
    const comparison = await compare(data, {
      ...present(given),
      signal: effects.signal,
      onMethod: (method) => {
        if (!quiet) effects.err(`${method} …\n`);
      },
    });
    if (out !== undefined) {
      writeWhole(out, comparisonHtml(comparison));
      if (!quiet) effects.err(`Written to ${out}\n`);
    }
    effects.out(args.flag("json") ? `${JSON.stringify(comparison, null, 2)}\n` : comparisonText(comparison));
  },
};
