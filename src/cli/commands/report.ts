import { join } from "node:path";
import { claiming } from "../../files/claim.js";
import { writeWhole } from "../../files/whole.js";
import { entries } from "../../options/option.js";
import { outputs } from "../../options/outputs.js";
import type { Command } from "../command.js";

const table = entries(outputs, ["out", "open", "quiet"]);

export const reportCommand: Command<typeof table> = {
  name: "report",
  summary: "Write a run as one HTML page that can be read anywhere, without a network.",
  positionals: ["RUN"],
  options: table,
  here: { out: ": a file; without it report.html in the run folder, which is written again" },
  examples: ["sparrow report run1", "sparrow report run1 --out crime.html --open"],
  async run(args, effects) {
    const { runPage } = await import("../../node/pages.js");
    const [folder] = args.positionals;
    const { out, open = false, quiet = false } = args.options;
    const file = out ?? join(folder, "report.html");
    if (out === undefined) {
      const content = await runPage(folder);
      await claiming(file, { replace: true }, async (claimed) => writeWhole(claimed, content));
    } else await claiming(file, {}, async (claimed) => writeWhole(claimed, await runPage(folder)));
    if (!quiet) effects.err(`Written to ${file}\n`);
    if (open) effects.open(file);
  },
};
