import { join } from "node:path";
import type { Command } from "../command.js";
import { checkNew } from "../outputs.js";
import { readRun } from "../run-files.js";
import { writeWhole } from "../write-whole.js";

export const reportCommand: Command = {
  name: "report",
  summary: "Write a run as one HTML page that can be read anywhere, without a network.",
  positionals: ["RUN"],
  options: {
    out: {
      kind: "text",
      value: "FILE",
      help: "the file to write; report.html in the run folder unless told",
    },
    open: { kind: "flag", help: "show it in the browser" },
    quiet: { kind: "flag", help: "no messages" },
  },
  examples: ["sparrow report run1", "sparrow report run1 --out crime.html --open"],
  async run(args, effects) {
    const [folder] = args.positionals;
    const asked = args.text("out");
    if (asked !== undefined) checkNew(asked);
    const file = asked ?? join(folder, "report.html");
    const run = await readRun(folder);
    // Plots and a document to draw them in take a while to load: no other command should wait for them.
    const [{ parseHTML }, { htmlReport }] = await Promise.all([
      import("linkedom"),
      import("../../report/page/page.js"),
    ]);
    const { document } = parseHTML("<html><body></body></html>");
    writeWhole(file, htmlReport(run, document));
    if (!args.flag("quiet")) effects.err(`Written to ${file}\n`);
    if (args.flag("open")) effects.open(file);
  },
};
