import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const library = pathToFileURL(join(root, "src/index.ts")).href;
const folder = mkdtempSync(join(tmpdir(), "sparrow-docs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const page = readFileSync(join(root, "docs/clustering-and-states.md"), "utf8");
const examples = [...page.matchAll(/```ts\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g)];

it("the page on clusters and hidden states has an example of each", () => {
  expect(examples.length).toBe(2);
});

it.each(examples.map(([, code, printed], i) => [i + 1, code, printed] as const))(
  "example %i on it prints what it says",
  (i, code, printed) => {
    const file = join(folder, `example-${i}.mts`);
    writeFileSync(file, code.replaceAll('"sparrow-bayes"', JSON.stringify(library)));
    const ran = spawnSync(process.execPath, ["--import", "tsx", file], { cwd: root, encoding: "utf8" });
    expect(ran.stderr).toBe("");
    expect(ran.stdout).toBe(printed);
  },
  60_000,
);
