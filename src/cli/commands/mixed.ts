import type { MixedFit } from "../../mixed/fit.js";
import type { GroupEffects } from "../../mixed/group-effects.js";
import { mixed } from "../../node.js";
import { mixedOptions } from "../../options/mixed.js";
import { entries } from "../../options/option.js";
import { outputs } from "../../options/outputs.js";
import { mixedHtml } from "../../report/page/mixed.js";
import { mixedText } from "../../report/text/mixed.js";
import { asFlag } from "../../wording.js";
import type { Command } from "../command.js";
import { progressBar } from "../progress.js";
import { checkRunFolder, saveRun } from "../run-folder.js";

const table = { ...mixedOptions, ...entries(outputs, ["out", "json", "quiet"]) };

export const mixedCommand: Command<typeof table> = {
  name: "mixed",
  summary: "How effects differ between groups: a mixed model of rows in groups, however many.",
  positionals: ["DATA"],
  options: table,
  here: { out: ": a folder for the run, with draws and group effects" },
  examples: [
    "sparrow mixed sleep.csv --target reaction --group subject --fixed days --random days",
    "sparrow mixed ml-10M100K --target rating --group userId --out run1",
  ],
  async run(args, effects) {
    const { out, json = false, quiet = false, ...given } = args.options;
    if (out !== undefined) checkRunFolder(out);
    const bar = progressBar(effects, quiet);
    const onMessage = (message: string) => {
      bar.done();
      if (!quiet) effects.err(`${message}\n`);
    };
    const asked = { ...given, signal: effects.signal, onProgress: bar.show, onMessage };
    const fit = await mixed(args.positionals[0], asked, asFlag).finally(bar.done);
    const summary = `${JSON.stringify(fit.result, null, 2)}\n`;
    if (out !== undefined) {
      const groups = fit.effects();
      await saveRun(out, {
        "summary.json": summary,
        "report.html": mixedHtml(fit, groups),
        "draws.csv": drawsCsv(fit),
        "groups.csv": groupsCsv(groups, fit.result.random.names),
      });
    }
    effects.out(json ? summary : mixedText(fit.result));
    if (out !== undefined && !quiet) effects.err(`Written to ${out}\n`);
  },
};

const quoted = (name: string): string => (/[",\n\r]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);

function drawsCsv({ names, draws }: MixedFit): string {
  const lines = [["chain", ...names].map(quoted).join(",")];
  for (const [chain, path] of draws.entries()) {
    for (const draw of path) lines.push([chain + 1, ...draw].join(","));
  }
  return `${lines.join("\n")}\n`;
}

function groupsCsv({ groups, mean, sd }: GroupEffects, names: readonly string[]): string {
  const q = names.length;
  const lines = [["group", ...names.flatMap((name) => [name, `sd(${name})`])].map(quoted).join(",")];
  for (const [i, group] of groups.entries()) {
    const numbers = names.flatMap((_, j) => [mean[i * q + j], sd[i * q + j]].map((x) => x.toPrecision(6)));
    lines.push([quoted(group), ...numbers].join(","));
  }
  return `${lines.join("\n")}\n`;
}
