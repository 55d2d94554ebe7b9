import { writeWhole } from "../../files/whole.js";
import { COMPARE_METHODS } from "../../options/choices.js";
import { compareOptions } from "../../options/compare.js";
import { entries } from "../../options/option.js";
import { outputs } from "../../options/outputs.js";
import { spokenCompare } from "../../report/spoken.js";
import { asFlag } from "../../wording.js";
import type { Command } from "../command.js";
import { savedAndShown, writingTo } from "../outputs.js";
import { clearing, progressBar } from "../progress.js";
import { keepingState } from "../unfinished.js";

const table = { ...compareOptions, ...entries(outputs, ["out", "json", "quiet"]) };

export const compareCommand: Command<typeof table> = {
  name: "compare",
  summary: "Run several selection methods side by side on the same data.",
  positionals: ["DATA..."],
  options: table,
  here: {
    methods: `: any of ${COMPARE_METHODS.join(", ")}`,
    out: ": the comparison as one HTML page, besides what is printed",
  },
  examples: [
    "sparrow compare examples/crime.csv --target y",
    "sparrow compare data.parquet --target y --methods esgld,lasso,mcp --json",
    "sparrow compare rcv1.libsvm --methods esgld,lasso --out methods.html",
  ],
  async run(args, effects, resumed = false) {
    const { compareData } = await import("../../node/compare-data.js");
    const { comparisonText } = await import("../../report/text/comparison.js");
    const { out, json = false, quiet = false, ...given } = args.options;
    const bar = progressBar(effects, quiet);
    const methods: readonly string[] = given.methods ?? COMPARE_METHODS;
    const onMethod = (method: string) => {
      bar.done();
      const place = methods.indexOf(method) + 1;
      if (!quiet) effects.err(`${method} … (${place} of ${methods.length})\n`);
      // Every method reads the data for itself: another bar, not the same one again.
      bar.whose(method);
    };
    const how = { ...given, signal: effects.signal, onProgress: bar.show, onMethod };
    const asked = { command: "compare", positionals: args.positionals, options: args.options };
    await writingTo(out, {}, (claimed) =>
      keepingState(asked, { resumed, signal: effects.signal }, async (journal) => {
        const compared = await clearing(bar, compareData(args.data(), how, journal));
        bar.done();
        const comparison = spokenCompare(compared, asFlag);
        await savedAndShown(
          async () => {
            if (!claimed) return;
            const { comparisonPage } = await import("../../node/pages.js");
            writeWhole(claimed, await comparisonPage(comparison));
            if (!quiet) effects.err(`Written to ${out}\n`);
          },
          () => effects.out(json ? `${JSON.stringify(comparison, null, 2)}\n` : comparisonText(comparison)),
        );
        return { whole: true };
      }),
    );
  },
};
