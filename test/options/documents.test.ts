import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { optionsPage } from "../../scripts/options-page.js";
import { compareOwn } from "../../src/options/compare.js";
import { commentText } from "../../src/options/described.js";
import { experiments } from "../../src/options/experiments.js";
import { importOwn } from "../../src/options/import.js";
import { mixedOwn } from "../../src/options/mixed.js";
import type { OptionTable } from "../../src/options/option.js";
import { outputs } from "../../src/options/outputs.js";
import { options } from "../../src/options/table.js";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

it("the page of options is what the tables say: npm run options writes it", () => {
  expect(read("docs/options.md")).toBe(optionsPage());
});

const tables: Readonly<Record<string, OptionTable>> = {
  table: options,
  import: importOwn,
  compare: compareOwn,
  mixed: mixedOwn,
  experiments,
  outputs,
};

/** The comments of properties in a declaration file, without stars and line ends. */
function comments(file: string): Map<string, string> {
  const found = read(`dist/options/${file}.d.ts`).matchAll(
    /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:readonly )?(\w+)\??:/g,
  );
  return new Map(
    [...found].map(([, text, name]) => [
      name,
      text
        .replace(/\n\s*\*/g, " ")
        .replace(/\s+/g, " ")
        .trim(),
    ]),
  );
}

describe("what an editor shows of an option is what the option says", () => {
  const entries = Object.entries(tables).flatMap(([file, table]) => {
    const shown = comments(file);
    return Object.entries(table).map(([name, option]) => ({ file, name, option, shown: shown.get(name) }));
  });

  it.each(entries)("$name in $file", ({ option, shown }) => {
    expect(shown).toBe(commentText(option));
  });
});

describe("every property of the library's options has a comment in the declarations", () => {
  it.each([
    ["options/fit", "FitOptions", ["signal", "onProgress"]],
    ["options/import", "ImportOptions", ["signal", "onProgress"]],
    ["options/compare", "CompareOptions", ["signal", "onMethod"]],
    ["mixed/options", "MixedOptions", ["priors", "signal", "onProgress", "onMessage"]],
  ])("beside the table of %s", (file, type, names) => {
    const [, body] = new RegExp(`interface ${type} extends [^{]*\\{([\\s\\S]*?)\\n\\}`).exec(
      read(`dist/${file}.d.ts`),
    )!;
    for (const name of names) expect(body).toMatch(new RegExp(`\\*/\\s*readonly ${name}\\?:`));
    expect(body.match(/\breadonly \w+\?:/g)!.length).toBeGreaterThanOrEqual(names.length);
  });
});
