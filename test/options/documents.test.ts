import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, expectTypeOf, it } from "vitest";
import { askedTypes, optionsPage } from "../../scripts/options.js";
import type {
  CompareAsked,
  DescribeAsked,
  FitAsked,
  ImportAsked,
  MixedAsked,
  PredictAsked,
} from "../../src/options/asked.js";
import { compareOptions } from "../../src/options/compare.js";
import { describeOptions } from "../../src/options/describe.js";
import { commentText } from "../../src/options/described.js";
import { importOptions } from "../../src/options/import.js";
import { mixedOptions } from "../../src/options/mixed.js";
import type { Given, OptionTable } from "../../src/options/option.js";
import { predictOptions } from "../../src/options/predict.js";
import { options } from "../../src/options/table.js";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

describe("what npm run options writes is what the tables say", () => {
  it("the page of options", () => {
    expect(read("docs/options.md")).toBe(optionsPage());
  });

  it("the types of the library", () => {
    expect(read("src/options/asked.ts")).toBe(askedTypes());
  });

  it("and the types are those of the kinds, to the compiler", () => {
    expectTypeOf<Partial<FitAsked>>().toEqualTypeOf<Given<typeof options>>();
    expectTypeOf<Partial<ImportAsked>>().toEqualTypeOf<Given<typeof importOptions>>();
    expectTypeOf<Partial<CompareAsked>>().toEqualTypeOf<Given<typeof compareOptions>>();
    expectTypeOf<Partial<MixedAsked>>().toEqualTypeOf<Given<typeof mixedOptions>>();
    expectTypeOf<Partial<DescribeAsked>>().toEqualTypeOf<Given<typeof describeOptions>>();
    expectTypeOf<Partial<PredictAsked>>().toEqualTypeOf<Given<typeof predictOptions>>();
  });
});

/** The properties of an interface in a declaration file, each with its comment, without stars and line ends. */
function comments(file: string, type: string): Record<string, string> {
  const [, body] = new RegExp(`interface ${type}[^{]*\\{([\\s\\S]*?)\\n\\}`).exec(read(`dist/${file}.d.ts`))!;
  const properties = body.matchAll(/(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?\breadonly (\w+)\??:/g);
  return Object.fromEntries(
    [...properties].map(([, text = "", name]) => [
      name,
      text
        .replace(/\n\s*\*/g, " ")
        .replace(/\s+/g, " ")
        .trim(),
    ]),
  );
}

describe("every option has a comment in the declarations, for editors to show", () => {
  it.each<[string, OptionTable]>([
    ["FitAsked", options],
    ["ImportAsked", importOptions],
    ["CompareAsked", compareOptions],
    ["MixedAsked", mixedOptions],
    ["PredictAsked", predictOptions],
    ["DescribeAsked", describeOptions],
  ])("%s", (type, table) => {
    const expected = Object.entries(table).map(([name, option]) => [name, commentText(option)]);
    const found = { ...comments("options/asked", "ReadAsked"), ...comments("options/asked", type) };
    expect(found).toEqual(Object.fromEntries(expected));
  });

  it.each([
    ["options/fit", "FitOptions", ["signal", "onProgress"]],
    ["options/import", "ImportOptions", ["signal", "onProgress"]],
    ["options/predict", "PredictOptions", ["signal", "onProgress"]],
    ["options/describe", "DescribeOptions", ["signal", "onProgress"]],
    ["options/compare", "CompareOptions", ["signal", "onProgress", "onMethod"]],
    ["mixed/options", "MixedOptions", ["priors", "signal", "onProgress", "onMessage"]],
  ])("and what stands beside the table, in %s", (file, type, names) => {
    const found = comments(file, type);
    expect(Object.keys(found)).toEqual(names);
    for (const name of names) expect(found[name], name).not.toBe("");
  });
});
