import { join } from "node:path";
import { claiming } from "../../files/claim.js";
import { damagedRun } from "../../files/manifest.js";
import { writeWhole } from "../../files/whole.js";
import { entries } from "../../options/option.js";
import { outputs } from "../../options/outputs.js";
import { groupingHtml } from "../../report/page/clusters.js";
import { mixedHtml } from "../../report/page/mixed.js";
import type { StoredRun } from "../../report/stored-run.js";
import type { Command } from "../command.js";
import { type AnyStored, readAnyRun } from "../read-run.js";

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
    const file = out ?? join(folder, "report.html");
    const page = async () => pageOf(folder, await readAnyRun(folder));
    if (out === undefined) {
      const content = await page();
      await claiming(file, { replace: true }, async (claimed) => writeWhole(claimed, content));
    } else await claiming(file, {}, async (claimed) => writeWhole(claimed, await page()));
    if (!quiet) effects.err(`Written to ${file}\n`);
    if (open) effects.open(file);
  },
};

async function pageOf(folder: string, stored: AnyStored): Promise<string> {
  try {
    if (stored.kind === "fit") return await fitPage(stored.run);
    return stored.kind === "mixed" ? mixedHtml(stored.run) : groupingHtml(stored.run);
  } catch (error) {
    // What has the right checksums and shapes and still makes no page was made by somebody else.
    if (error instanceof TypeError || error instanceof RangeError) {
      throw damagedRun(folder, "its files do not fit together");
    }
    throw error;
  }
}

async function fitPage(run: StoredRun): Promise<string> {
  // Plots and a document to draw them in take a while to load: no other command should wait for them.
  const [{ parseHTML }, { htmlReport }] = await Promise.all([
    import("linkedom"),
    import("../../report/page/page.js"),
  ]);
  const { document } = parseHTML("<html><body></body></html>");
  return htmlReport(run, document);
}
