import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { expect, test } from "vitest";
import { dist } from "./page.js";

const text = (name: string): string => readFileSync(join(dist, name), "utf8");
const compressed = (name: string): number =>
  brotliCompressSync(text(name), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length;

/** A file with all that it imports at once, not what it imports when that is needed. */
function loaded(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  const folder = name.includes("/") ? `${name.split("/")[0]}/` : "";
  for (const [, from] of text(name).matchAll(/(?:from|import)"(\.[^"]+)"/g)) {
    loaded(join(folder, from), found);
  }
  return found;
}

test("the first load stays below 500 kB, compressed, worker and thread included", () => {
  const first = ["main.js", "worker.js", "thread.js"].flatMap((name) => [...loaded(name)]);
  const bytes = ["index.html", "main.css", ...new Set(first)].reduce(
    (sum, name) => sum + compressed(name),
    0,
  );
  expect(bytes).toBeLessThan(500_000);
  expect(bytes).toBeGreaterThan(100_000);
});

test("readers and plots are loaded when they are needed", () => {
  const first = [...loaded("main.js"), ...loaded("worker.js")].map(text).join("");
  expect(readdirSync(join(dist, "parts")).length).toBeGreaterThan(10);
  expect(first).not.toContain("RecordBatchReader");
  expect(first).not.toContain("labelArrow");
});

test("the page may send nothing anywhere", () => {
  expect(text("index.html")).toMatch(/default-src 'none'[^"]*connect-src 'none'/);
  expect(text("index.html")).not.toMatch(/https?:\/\/(?!www\.w3\.org)/);
});
