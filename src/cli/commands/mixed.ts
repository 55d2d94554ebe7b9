import type { MixedFit } from "../../mixed/fit.js";
import type { GroupEffects } from "../../mixed/group-effects.js";
import type { MixedOptions } from "../../mixed/options.js";
import { mixed } from "../../node.js";
import { mixedHtml } from "../../report/page/mixed.js";
import { mixedText } from "../../report/text/mixed.js";
import { type Arguments, type Command, present } from "../command.js";
import { progressBar } from "../progress.js";
import { checkRunFolder, saveRun } from "../run-folder.js";

export const mixedCommand: Command = {
  name: "mixed",
  summary: "How effects differ between groups: a mixed model of rows in groups, however many.",
  positionals: ["DATA"],
  options: {
    target: { kind: "text", value: "COLUMN", help: "the column to explain" },
    group: { kind: "text", value: "COLUMN", help: "the column that says which group a row belongs to" },
    fixed: { kind: "list", value: "COLUMN,...", help: "columns with a common effect (all numbers), or none" },
    random: { kind: "list", value: "COLUMN,...", help: "columns whose effect differs between groups" },
    preset: {
      kind: "choice",
      choices: ["auto", "paper"],
      help: "auto, or the settings of Song et al. (2020)",
    },
    method: {
      kind: "choice",
      choices: ["auto", "esgld", "gibbs"],
      help: "mini-batches, or all groups every time",
    },
    chains: { kind: "integer", value: "K", help: "independent chains" },
    iterations: { kind: "integer", value: "T", help: "iterations of each chain" },
    "burn-in": { kind: "integer", value: "B", help: "iterations to discard at the start" },
    batch: { kind: "integer", value: "n", help: "groups in a mini-batch" },
    imputations: { kind: "integer", value: "m", help: "draws of the random effects per iteration" },
    "step-size": { kind: "number", value: "ε", help: "step of the Langevin dynamics" },
    temperature: { kind: "number", value: "τ", help: "1 targets the posterior, 0 switches the noise off" },
    memory: { kind: "text", value: "SIZE", help: "memory for reading, such as 1GB; beyond it disk is used" },
    seed: {
      kind: "integer",
      value: "s",
      help: "seed of the random numbers; the same seed gives the same answer",
    },
    out: { kind: "text", value: "DIR", help: "folder to write the run to, with draws and group effects" },
    json: { kind: "flag", help: "print one JSON object instead of the tables" },
    quiet: { kind: "flag", help: "no progress" },
  },
  examples: [
    "sparrow mixed sleep.csv --target reaction --group subject --fixed days --random days",
    "sparrow mixed ml-10M100K --target rating --group userId --out run1",
  ],
  async run(args, effects) {
    const out = args.text("out");
    if (out !== undefined) checkRunFolder(out);
    const quiet = args.flag("quiet");
    const bar = progressBar(effects, quiet);
    const fit = await mixed(args.positionals[0], {
      ...mixedOptions(args),
      signal: effects.signal,
      onProgress: (progress) => bar.show(progress),
      onMessage: (message) => {
        bar.done();
        if (!quiet) effects.err(`${message}\n`);
      },
    }).finally(() => bar.done());
    const json = `${JSON.stringify(fit.result, null, 2)}\n`;
    if (out !== undefined) {
      const groups = fit.effects();
      await saveRun(out, {
        "summary.json": json,
        "report.html": mixedHtml(fit, groups),
        "draws.csv": drawsCsv(fit),
        "groups.csv": groupsCsv(groups, fit.result.random.names),
      });
    }
    effects.out(args.flag("json") ? json : mixedText(fit.result));
    if (out !== undefined && !quiet) effects.err(`Written to ${out}\n`);
  },
};

function mixedOptions(args: Arguments): Partial<MixedOptions> {
  const fixed = args.list("fixed");
  const given = {
    target: args.text("target"),
    group: args.text("group"),
    fixed: fixed?.length === 1 && fixed[0] === "none" ? [] : fixed,
    random: args.list("random"),
    preset: args.choice<"auto" | "paper">("preset"),
    method: args.choice<"auto" | "esgld" | "gibbs">("method"),
    chains: args.number("chains"),
    iterations: args.number("iterations"),
    burnIn: args.number("burn-in"),
    batch: args.number("batch"),
    imputations: args.number("imputations"),
    stepSize: args.number("step-size"),
    temperature: args.number("temperature"),
    memory: args.bytes("memory"),
    seed: args.number("seed"),
  };
  return present(given);
}

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
