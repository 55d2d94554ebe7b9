import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { commands } from "../../src/cli/run.js";
import * as anywhere from "../../src/index.js";
import * as onNode from "../../src/node.js";
import { dashed } from "../../src/wording.js";
import { documents, read, root, wordsOf } from "./blocks.js";
import { sparrowWords } from "./commands.js";

/** What stands between backquotes in running text. */
const spans = (text: string): string[] =>
  [...text.replace(/^```[\s\S]*?^```/gm, "").matchAll(/`([^`\n]+)`/g)].map(([, span]) => span);

const FOLDERS = "src|docs|bench|test|examples|scripts|kernels";
/** In running text a path begins with a folder of the repository. */
const PATH = new RegExp(`(?<![\\w./-])(?:${FOLDERS})/[\\w./-]*\\w(?:/(?!\\w))?`, "g");
/** Between backquotes it may begin in src/, beside the document, or in a folder that the document has named. */
const CODE = /^[\w.-]+(?:\/[\w.-]+)*\.(?:ts|mjs|md|R|py)$|^[\w-]+(?:\/[\w-]+)*\/$/;

function pathsIn(text: string): string[] {
  return [...new Set([...(text.match(PATH) ?? []), ...spans(text).filter((span) => CODE.test(span))])];
}

function missingFrom(document: string): string[] {
  const paths = pathsIn(read(document));
  const within = ["", "src", dirname(document)];
  const found = (path: string, folders: readonly string[]) =>
    folders.map((folder) => join(folder, path)).find((each) => existsSync(join(root, each)));
  const places = paths.flatMap((path) => found(path, within) ?? []);
  const named = places.flatMap((path) => [path, dirname(path)]);
  return paths.filter((path) => !found(path, [...within, ...named]));
}

const texts = [...documents, "ARCHITECTURE.md"];

describe("what the documents name is there", () => {
  it.each(texts)("files and folders in %s", (document) => {
    expect(missingFrom(document)).toEqual([]);
  });

  it.each(texts)("links in %s", (document) => {
    const links = [...read(document).matchAll(/\]\(([^)#\s]+)[^)\s]*\)/g)].map(([, link]) => link);
    const local = links.filter((link) => !/^https?:/.test(link));
    expect(local.filter((link) => !existsSync(join(root, dirname(document), link)))).toEqual([]);
  });

  it("benchmarks in the README", () => {
    const rows = (document: string): string[] =>
      read(document)
        .split("\n")
        .filter((line) => line.startsWith("| ") && line.includes(" × "))
        .map((line) => line.replace(/\[(\w+)\]\(#\w+\)/, "$1").replace(/ +/g, " "));
    expect(rows("README.md").length).toBeGreaterThan(2);
    expect(rows("docs/benchmarks.md")).toEqual(expect.arrayContaining(rows("README.md")));
  });

  it("documents that the code names", () => {
    const files = ["src", "bench", "test", "examples", "scripts"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => /\.(ts|mjs|R|py)$/.test(name))
        .map((name) => join(folder, name)),
    );
    const named = files.flatMap((file) => read(file).match(/\bdocs\/[\w-]+\.md/g) ?? []);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  const options = new Map(
    commands.map(({ name, options }) => [name, [...Object.keys(options).map(dashed), "help"]]),
  );
  const all = [...options.values(), "version"].flat();

  it.each(texts)("commands and options in %s", (document) => {
    const wrong = spans(read(document)).filter((span) => {
      if (/^(npm|node) /.test(span)) return false;
      const [command] = sparrowWords(wordsOf(span)) ?? [];
      const known = command === undefined || command.startsWith("-") ? all : options.get(command);
      const given = [...span.matchAll(/(?<![\w-])--([\w-]+)/g)].map(([, option]) => option);
      return known === undefined || given.some((option) => !known.includes(option));
    });
    expect(wrong).toEqual([]);
  });

  it("functions in the README's part on the library", () => {
    const [, part] = /## As a library\n([\s\S]*?)\n## /.exec(read("README.md"))!;
    const functions = spans(part).filter((span) => /^[a-z]\w*$/i.test(span));
    expect(functions.length).toBeGreaterThan(4);
    expect(functions.filter((name) => !(name in anywhere || name in onNode))).toEqual([]);
  });
});
