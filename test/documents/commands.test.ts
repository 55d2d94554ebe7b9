import { spawnSync } from "node:child_process";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commands } from "../../src/cli/run.js";
import { sparrowWith } from "../cli/fake-effects.js";
import { type Block, blocksOf, documents, kindOf, place, printedBy, read, root, wordsOf } from "./blocks.js";
import { notRunHere, smaller, sparrowWords, startScript } from "./commands.js";
import { exampleFolder } from "./example-files.js";

let folder: string;
beforeAll(async () => {
  folder = await exampleFolder();
  process.chdir(folder);
});
afterAll(() => {
  process.chdir(root);
  rmSync(folder, { recursive: true, force: true });
});

const reasons: string[] = [];
afterAll(() => console.log(`Commands that were run smaller, or not at all:\n${reasons.join("\n")}`));

/** Where an example writes what another one has written, the reader would choose another name. */
async function runs(line: readonly string[], where: string): Promise<string> {
  // What the shell would write to a file is printed here.
  const words = line.slice(0, line.findIndex((word) => word.startsWith(">")) >>> 0);
  const { line: asked, added } = smaller(words.join(" "));
  if (added.length > 0) reasons.push(`  ${where}: sparrow ${asked}: with ${added.join(" ")}`);
  const out = words.indexOf("--out");
  if (out >= 0) rmSync(words[out + 1], { recursive: true, force: true });
  // The page is served until Ctrl-C, which here comes at once.
  const world = words[0] === "studio" ? { signal: AbortSignal.abort() } : {};
  const ran = await sparrowWith(world, [...words, ...added]);
  expect(ran.status, ran.err).toBe(0);
  return ran.out;
}

async function runLine(line: string, block: Block): Promise<string | undefined> {
  const words = wordsOf(line);
  const ours = sparrowWords(words);
  if (ours) return runs(ours, place(block));
  if (words.join(" ") === "npm start") {
    const { status, stdout } = spawnSync(process.execPath, startScript(), { cwd: root, encoding: "utf8" });
    expect(status).toBe(0);
    return stdout;
  }
  const why = notRunHere(words);
  expect(why, `${line}: no such thing, or nobody knows how to run it`).toBeDefined();
  reasons.push(`  ${place(block)}: ${words.join(" ")}: not run, ${why}`);
  return undefined;
}

const blocks = documents.flatMap((document) => blocksOf(document));
const shell = blocks.filter((block) => kindOf(block) === "commands");

describe("commands in the documents", () => {
  it("are found", () => {
    expect(new Set(shell.map(({ document }) => document)).size).toBeGreaterThan(4);
  });

  it.each(shell.map((block) => [place(block), block] as const))("%s", async (where, block) => {
    if (block.marks["not run"]) {
      reasons.push(`  ${where}: not run, ${block.marks["not run"]}`);
      return;
    }
    let printed: string | undefined;
    for (const line of block.text.trimEnd().split("\n")) printed = await runLine(line, block);
    const promised = printedBy(
      block,
      blocks.filter(({ document }) => document === block.document),
    );
    if (promised) expect(promised.text).toBe(printed);
  });
});

it("npx sparrow is the command that was built", () => {
  const { bin } = JSON.parse(read("package.json"));
  expect(Object.keys(bin)).toEqual(["sparrow", "sparrow-bayes"]);
  for (const path of Object.values<string>(bin)) {
    expect(read(path)).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(statSync(join(root, path)).mode & 0o111).not.toBe(0);
  }
});

describe("examples of --help", () => {
  const examples = commands.flatMap(({ name, examples }) => examples.map((line) => [name, line] as const));
  it.each(examples)("sparrow %s --help: %s", async (name, line) => {
    await runs(sparrowWords(wordsOf(line))!, `sparrow ${name} --help`);
  });
});
