/**
 * Writes docs/options.md from the tables of options: `npm run options`. A test compares the page with what this gives,
 * so that it cannot go stale.
 */

import { writeFileSync } from "node:fs";
import type { Command } from "../src/cli/command.js";
import { commands } from "../src/cli/run.js";
import { usualText, valueText } from "../src/options/described.js";
import { mixedRelations } from "../src/options/mixed.js";
import type { Option } from "../src/options/option.js";
import { outputs } from "../src/options/outputs.js";
import { fitRelations } from "../src/options/relations.js";
import { asFlag, spelt } from "../src/wording.js";

/** Where a command is a function of the library, and what must hold between its options. */
const LIBRARY: Readonly<Record<string, { call: string; rules: readonly string[] }>> = {
  fit: { call: "`fit(data, options)` and `run`", rules: fitRelations.map(({ rule }) => rule) },
  import: { call: "`importFiles(source, path, options)`", rules: [] },
  compare: { call: "`compare(data, options)`", rules: [] },
  mixed: { call: "`mixed(path, options)`", rules: mixedRelations.map(({ rule }) => rule) },
};

export function optionsPage(): string {
  return [
    "# Options",
    "",
    "Made by `npm run options` from the tables in `src/options/`; change them, not this page.",
    "",
    "An option has one name: `--step-size` on the command line is `stepSize` in the library. Sizes such as `2GB` are numbers of bytes in the library, and lists such as `a,b` are arrays. A listener (`onProgress`, `onMessage`, `onMethod`) and a `signal` that stops the work exist in the library alone.",
    "",
    ...commands.flatMap(section),
  ].join("\n");
}

function section(command: Command): string[] {
  const { name, positionals, summary, options, here } = command;
  const library = LIBRARY[name];
  const rows = Object.entries(options).map(([option, entry]) => row(option, entry, here?.[option] ?? ""));
  const rules = library?.rules ?? [];
  return [
    `## sparrow ${[name, ...positionals].join(" ")}`,
    "",
    `${summary}${library ? ` In the library: ${library.call}.` : ""}`,
    "",
    "| option | value | what it is | unless told |",
    "| --- | --- | --- | --- |",
    ...rows.map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`),
    "",
    ...(rules.length > 0 ? ["What must hold between them:", ""] : []),
    ...rules.map((rule) => `- ${spelt(rule, (option, value) => `\`${asFlag(option, value)}\``)}`),
    ...(rules.length > 0 ? [""] : []),
  ];
}

function row(name: string, option: Option, here: string): string[] {
  const { kind } = option;
  const value = valueText(option);
  const own = Object.hasOwn(outputs, name) ? "" : kind.name;
  const shown = kind.choices ? kind.choices.map((each) => `\`${each}\``).join(", ") : own;
  return [
    `\`${asFlag(name)}${kind.choices || !value ? "" : ` ${value}`}\``,
    shown,
    `${option.words}${here}`,
    usualText(option) ?? "",
  ];
}

if (import.meta.filename === process.argv[1]) {
  writeFileSync(new URL("../docs/options.md", import.meta.url), optionsPage());
}
