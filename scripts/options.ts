/**
 * Writes what follows from the tables of options, `npm run options`: the types of the library (src/options/asked.ts)
 * and the page docs/options.md. A test compares both with what this gives, so that they cannot go stale.
 */

import { writeFileSync } from "node:fs";
import type { Command } from "../src/cli/command.js";
import { asHere } from "../src/cli/help.js";
import { commands } from "../src/cli/run.js";
import { compareOptions } from "../src/options/compare.js";
import { describeOptions } from "../src/options/describe.js";
import { commentText, usualText, valueText } from "../src/options/described.js";
import { importOptions } from "../src/options/import.js";
import { mixedOptions, mixedRelations } from "../src/options/mixed.js";
import type { Option, OptionTable } from "../src/options/option.js";
import { outputs } from "../src/options/outputs.js";
import { predictOptions } from "../src/options/predict.js";
import { readingOptions } from "../src/options/reading.js";
import { fitRelations } from "../src/options/relations.js";
import { options } from "../src/options/table.js";
import { wrapped } from "../src/report/text/lines.js";
import { asFlag, spelt } from "../src/wording.js";

const WIDTH = 110;
/** Lists of names that grow have a type of their own. */
const TYPES: Readonly<Record<string, string>> = {
  family: '"auto" | FamilyName',
  integrator: "IntegratorName",
};

export function askedTypes(): string {
  return [
    "/** Made by `npm run options` from the tables beside this file; change them, not it. */",
    "",
    'import type { FamilyName } from "../families/register.js";',
    'import type { IntegratorName } from "../integrators/named.js";',
    'import type { StepSizes } from "../sampling/schedule.js";',
    "",
    "/** How files and values are read. */",
    ...interfaceOf("ReadAsked", readingOptions, ""),
    ...interfaceOf("FitAsked", options),
    ...interfaceOf("ImportAsked", importOptions),
    ...interfaceOf("CompareAsked", compareOptions),
    ...interfaceOf("MixedAsked", mixedOptions),
    ...interfaceOf("PredictAsked", predictOptions),
    ...interfaceOf("DescribeAsked", describeOptions),
  ]
    .join("\n")
    .replace(/\n+$/, "\n");
}

function interfaceOf(name: string, table: OptionTable, base = "ReadAsked"): string[] {
  const own = Object.entries(table).filter(([property]) => base === "" || !isReading(property));
  const properties = own.flatMap(([property, option]) => [
    ...comment(commentText(option)),
    `  readonly ${property}${option.required ? "" : "?"}: ${TYPES[property] ?? option.kind.type};`,
  ]);
  return [`export interface ${name}${base && ` extends ${base}`} {`, ...properties, "}", ""];
}

const isReading = (property: string): boolean => Object.hasOwn(readingOptions, property);

function comment(text: string): string[] {
  const line = `  /** ${text} */`;
  if (line.length <= WIDTH) return [line];
  return ["  /**", ...wrapped(text, WIDTH - "   * ".length).map((part) => `   * ${part}`), "   */"];
}

/** Where a command is a function of the library, and what must hold between its options. */
const LIBRARY: Readonly<Record<string, { call: string; rules: readonly string[] }>> = {
  fit: { call: "`fit(data, options)` and `run`", rules: fitRelations.map(({ rule }) => rule) },
  import: { call: "`importFiles(data, path, options)`", rules: [] },
  compare: { call: "`compare(data, options)`", rules: [] },
  describe: { call: "`describe(data, options)`", rules: [] },
  predict: { call: "`predict(run, data, options)`", rules: [] },
  mixed: { call: "`mixed(data, options)`", rules: mixedRelations.map(({ rule }) => rule) },
};

export function optionsPage(): string {
  return [
    "# Options",
    "",
    "Made by `npm run options` from the tables in `src/options/`; change them, not this page.",
    "",
    "An option has one name: `--step-size` on the command line is `stepSize` in the library. Sizes such as `2GB` are numbers of bytes in the library, and lists such as `a,b` are arrays. A listener (`onProgress`, `onMessage`, `onMethod`) and a `signal` that stops the work exist in the library alone.",
    "",
    "## Reading data",
    "",
    "Every command that reads data takes these as well ([data.md](data.md) says what happens without them).",
    "",
    ...HEAD,
    ...Object.entries(readingOptions).map(([option, entry]) => tableRow(row(option, entry, ""))),
    "",
    ...commands.flatMap(section),
  ].join("\n");
}

function section(command: Command): string[] {
  const { name, positionals, summary, options, here } = command;
  const library = LIBRARY[name];
  const own = Object.entries(options).filter(([option]) => !isReading(option));
  const reads = own.length < Object.keys(options).length;
  const rows = own.map(([option, entry]) =>
    row(option, asHere(command, option, entry), here?.[option] ?? ""),
  );
  const rules = library?.rules ?? [];
  return [
    `## sparrow ${[name, ...positionals].join(" ")}`,
    "",
    `${summary}${library ? ` In the library: ${library.call}.` : ""}`,
    "",
    ...HEAD,
    ...rows.map(tableRow),
    "",
    ...(reads ? ["Besides, those of [reading data](#reading-data).", ""] : []),
    ...(rules.length > 0 ? ["What must hold between them:", ""] : []),
    ...rules.map((rule) => `- ${spelt(rule, (option, value) => `\`${asFlag(option, value)}\``)}`),
    ...(rules.length > 0 ? [""] : []),
  ];
}

const HEAD = ["| option | value | what it is | unless told |", "| --- | --- | --- | --- |"];
const tableRow = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;

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
  writeFileSync(new URL("../src/options/asked.ts", import.meta.url), askedTypes());
}
