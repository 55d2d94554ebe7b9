import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const pack = JSON.parse(
  execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }),
);
const [{ files, unpackedSize }]: { files: { path: string; size: number }[]; unpackedSize: number }[] = pack;
const paths = new Set(files.map(({ path }) => path));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Files of dist/ that a file reaches: by imports, static or not, and as programs of threads. */
function reached(...from: string[]): Set<string> {
  const all = new Set(from);
  for (const file of all) {
    const text = readFileSync(join(root, file), "utf8");
    for (const [, imported] of text.matchAll(/(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g)) {
      all.add(normalize(join(dirname(file), imported)));
    }
    for (const [, program] of text.matchAll(/threadProgram\("([^"]+)"/g)) all.add(`dist/${program}`);
    for (const [, script] of text.matchAll(/new URL\("([^"]+\.cjs)"/g)) all.add(join(dirname(file), script));
  }
  return all;
}

const entries: string[] = [
  ...Object.values<{ types: string; default: string }>(manifest.exports).flatMap((each) => [
    each.default,
    each.types,
  ]),
  ...Object.values<string>(manifest.bin),
].map((path) => normalize(path));

test("the package holds every entry and all that the entries reach", () => {
  const needed = reached(...entries.filter((path) => path.endsWith(".js")));
  expect(needed.size).toBeGreaterThan(200);
  const programs = ["cli/start.cjs", "worker.cjs", "worker.script.cjs", "store/open/read-ahead-worker.js"];
  for (const program of programs) expect(needed).toContain(`dist/${program}`);
  expect([...needed, ...entries].filter((path) => !paths.has(path))).toEqual([]);
});

test("the package holds nothing that is large, private, or for those who work on it", () => {
  const top = new Set([...paths].map((path) => path.split("/")[0]));
  const expected = ["CHANGELOG.md", "LICENSE", "README.md", "dist", "docs", "examples", "package.json"];
  expect([...top].sort()).toEqual(expected);
  expect(
    [...paths].filter((path) => /(^|\/)(\.|(test|bench|scripts|node_modules)\/)|\.(map|env|log)$/.test(path)),
  ).toEqual([]);
  // The command is one script; what was compiled of it is of no use to another version of Node.
  expect(files.filter(({ size }) => size > 600_000).map(({ path }) => path)).toEqual(["dist/cli/start.cjs"]);
  expect([...paths].filter((path) => path.endsWith(".compiled"))).toEqual([]);
  expect(unpackedSize).toBeLessThan(7_200_000);
});

test("both names of the command start the same program, which Node can run", () => {
  expect(manifest.bin["sparrow-bayes"]).toBe(manifest.bin.sparrow);
  const program = join(root, manifest.bin["sparrow-bayes"]);
  expect(readFileSync(program, "utf8")).toMatch(/^#!\/usr\/bin\/env node/);
  const version = execFileSync(process.execPath, [program, "--version"], { encoding: "utf8" });
  expect(version.trim()).toBe(manifest.version);
});
