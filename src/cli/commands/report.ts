import { join } from "node:path";
import { entries } from "../../options/option.js";
import { outputs } from "../../options/outputs.js";
import { mixedHtml } from "../../report/page/mixed.js";
import type { Command } from "../command.js";
import { isMixedRun, readMixedRun } from "../mixed-files.js";
import { checkNew } from "../outputs.js";
import { readRun } from "../run-files.js";
import { writeWhole } from "../write-whole.js";

const table = entries(outputs, ["out", "open", "quiet"]);

export const reportCommand: Command<typeof table> = {
  name: "report",
  summary: "Write a run as one HTML page that can be read anywhere, without a network.",
  positionals: ["RUN"],
  options: table,
  here: { out: ": a file; without it report.html in the run folder, which is written again" },
  examples: ["sparrow report run1", "sparrow report run1 --out crime.html --open"],
  async run(args, effects) {
    const [folder] = args.positionals;
    const { out, open = false, quiet = false } = args.options;
    if (out !== undefined) checkNew(out);
    const file = out ?? join(folder, "report.html");
    writeWhole(file, isMixedRun(folder) ? mixedHtml(await readMixedRun(folder)) : await fitPage(folder));
    if (!quiet) effects.err(`Written to ${file}\n`);
    if (open) effects.open(file);
  },
};

async function fitPage(folder: string): Promise<string> {
  const run = await readRun(folder);
  // Plots and a document to draw them in take a while to load: no other command should wait for them.
  const [{ parseHTML }, { htmlReport }] = await Promise.all([
    import("linkedom"),
    import("../../report/page/page.js"),
  ]);
  const { document } = parseHTML("<html><body></body></html>");
  return htmlReport(run, document);
}
