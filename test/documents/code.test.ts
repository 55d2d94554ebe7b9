import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sparrow } from "../cli/fake-effects.js";
import { blocksOf, documents, kindOf, place, printedBy, root } from "./blocks.js";
import { type Compiled, compile, moduleName, type Ran, runAll } from "./code.js";
import { exampleFolder } from "./example-files.js";

const blocks = documents.flatMap((document) => blocksOf(document));
const kept = blocks.filter(({ marks }) => marks["not run"] === undefined);
const code = kept.filter((block) => kindOf(block) === "code");

let folder: string;
let compiled: Compiled;
let ran: Readonly<Record<string, Ran>>;
beforeAll(async () => {
  folder = await exampleFolder();
  compiled = compile(code, folder);
  ran = runAll(code, folder);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  for (const block of blocks) {
    const why = block.marks["not run"];
    if (why !== undefined && kindOf(block) !== "commands") console.log(`${place(block)}: not run, ${why}`);
  }
});

describe("code in the documents, beside an installed package", () => {
  it("is found", () => {
    expect(new Set(code.map(({ document }) => document)).size).toBeGreaterThan(2);
  });

  it.each(code.map((block) => [place(block), block] as const))("%s compiles, runs and prints", (_, block) => {
    expect(compiled.complaints[moduleName(block)]).toBeUndefined();
    const { output, error } = ran[moduleName(block)];
    expect(error).toBeUndefined();
    const promised = printedBy(
      block,
      blocks.filter(({ document }) => document === block.document),
    );
    if (promised) expect(promised.text).toBe(output);
  });

  it("compiles with all that it imports", () => {
    expect(compiled.complaints).toEqual({});
  });

  it("finds the variable that matters, in the README", () => {
    const [block] = code.filter(({ document }) => document === "README.md");
    const lines = ran[moduleName(block)].output.trim().split("\n");
    expect(lines[0]).toMatch(/^x1 1\.000 [12]\.\d+ \[/);
    expect(lines[1]).toMatch(/^x2 [01]\./);
    expect(lines).toHaveLength(2);
  });
});

/** How to run a text, and how its own lines ask for packages. */
const LANGUAGES = {
  r: { name: "R", program: "Rscript", run: "-e", packages: /library\((\w+)\)|\b(\w+)::/g, ask: "library" },
  python: { name: "Python", program: "python3", run: "-c", packages: /^import (.+)$/gm, ask: "import" },
} as const;

/** What a block imports; pandas reads Parquet by way of another package. */
function packagesOf(kind: keyof typeof LANGUAGES, text: string): string[] {
  const found = [...text.matchAll(LANGUAGES[kind].packages)].map(([, first, second]) => first ?? second);
  const plain = found.flatMap((each) => each.split(", ")).map((each) => each.replace(/ as .*/, ""));
  return [...plain, ...(text.includes("pd.read_parquet") ? ["pyarrow"] : [])];
}

describe("code in other languages", () => {
  const foreign = kept.flatMap((block) => {
    const kind = kindOf(block);
    return kind === "r" || kind === "python" ? [{ block, kind, where: place(block) }] : [];
  });

  it.for(foreign)("$where runs where its language is installed", ({ block, kind, where }, context) => {
    const { name, program, run, ask } = LANGUAGES[kind];
    const env = { ...process.env, PATH: `${commandFolder(folder)}:${process.env.PATH}` };
    const speak = (text: string) => spawnSync(program, [run, text], { cwd: folder, encoding: "utf8", env });
    const packages = packagesOf(kind, block.text);
    const needs = packages.map((each) => (ask === "library" ? `library(${each})` : `import ${each}`));
    if (speak(needs.join("\n")).status !== 0) {
      const absent = `${name} with ${packages.join(", ")}`;
      console.log(`${where}: not run, ${absent} is not installed here`);
      context.skip(`${absent} is not installed here`);
    }
    const { status, stdout, stderr } = speak(block.text);
    expect(status, stderr).toBe(0);
    if (block.text.includes("verdict")) expect(stdout).toContain("No problems found.");
  });
});

/** A folder with the command as an installation has it. */
function commandFolder(within: string): string {
  const bin = join(within, "bin");
  mkdirSync(bin, { recursive: true });
  const program = join(root, "dist/cli/main.js");
  writeFileSync(join(bin, "sparrow"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, {
    mode: 0o755,
  });
  return bin;
}

describe("the description of a store", () => {
  const [shown] = blocks.filter((block) => kindOf(block) === "json");

  it("has the fields that docs/store-format.md shows, read as it says", async () => {
    const path = join(folder, "data.sparrow");
    writeFileSync(join(folder, "two.csv"), "x1,region,y\n1,south,2\n2,south,1\n4,north,5\n3,east,2\n");
    expect((await sparrow("import", join(folder, "two.csv"), "--target", "y", "--out", path)).status).toBe(0);
    const bytes = readFileSync(path);
    const length = Number(bytes.readBigUInt64LE(16));
    const written = JSON.parse(bytes.toString("utf8", 64, 64 + length));
    expect(shape(JSON.parse(shown.text))).toEqual(shape(written));
  });
});

/** The names of the fields and the kinds of their values; a list is what its parts have in them. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((each) => JSON.stringify(shape(each))))].sort();
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shape(each)]));
}
