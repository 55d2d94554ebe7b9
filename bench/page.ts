/**
 * How fast a page reads beside Node, on the same file: node --import tsx bench/page.ts [megabytes]. Both take turns,
 * and the best of three is compared, by the clock: DuckDB reads with all cores, a page with one thread. Needs Chromium
 * (CHROMIUM, or /usr/bin/chromium).
 */

import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type * as reading from "../src/browser/with-table.js";
import { Rng } from "../src/math/rng.js";
import { withTable } from "../src/node/open.js";
import type { Table } from "../src/tables/table.js";
import { launched, scripts, served } from "../test/browser/served.js";

const megabytes = Number(process.argv[2] ?? 100);
const folder = mkdtempSync(join(tmpdir(), "sparrow-bench-"));
const TOWNS = ["Köln", "London", "Paris", "New York", "Oslo"];

/** Lines of numbers with up to five decimals, and of towns and dates. */
function* lines(numbers: number, texts: number): Generator<string> {
  const rng = Rng.seeded(1);
  const names = [
    ...Array.from({ length: numbers }, (_, j) => `x${j + 1}`),
    ...Array.from({ length: texts }, (_, j) => `t${j + 1}`),
  ];
  yield `${names.join(",")},y\n`;
  for (let written = 0; written < 1e6 * megabytes; ) {
    const cells = Array.from({ length: numbers }, (_, j) => (200 * rng.uniform() - 100).toFixed(j % 6));
    for (let j = 0; j < texts; j++)
      cells.push(j % 2 === 0 ? TOWNS[rng.below(5)] : `2024-0${1 + rng.below(9)}-1${rng.below(9)}`);
    const line = `${cells.join(",")},${rng.uniform().toFixed(3)}\n`;
    written += line.length;
    yield line;
  }
}

async function readThrough(table: Table): Promise<void> {
  const all = table.by === "columns" ? [...table.columns.keys()] : [];
  for await (const _ of table.chunks(all));
}

const files = await scripts("browser/with-table.ts");
const browser = await launched();
try {
  for (const [name, numbers, texts] of [
    ["numbers.csv", 20, 0],
    ["towns-and-dates.csv", 8, 6],
  ] as const) {
    const path = join(folder, name);
    await pipeline(Readable.from(lines(numbers, texts)), createWriteStream(path));
    files.set(`/${name}`, readFileSync(path));
    const server = await served(files, true);
    const page = await browser.newPage();
    await page.goto(server.address);
    await page.waitForFunction("globalThis.sparrow");
    const times = { node: [] as number[], page: [] as number[] };
    for (let round = 0; round < 3; round++) {
      const start = performance.now();
      await withTable(path, {}, readThrough);
      times.node.push((performance.now() - start) / 1000);
      times.page.push(
        await page.evaluate(async (name) => {
          const { withTable }: typeof reading = await import(`${location.origin}/browser/with-table.js`);
          const file = new File([await (await fetch(`/${name}`)).blob()], name);
          const start = performance.now();
          await withTable(file, {}, async (table) => {
            const all = table.by === "columns" ? [...table.columns.keys()] : [];
            for await (const _ of table.chunks(all));
          });
          return (performance.now() - start) / 1000;
        }, name),
      );
    }
    const [node, there] = [Math.min(...times.node), Math.min(...times.page)];
    const size = statSync(path).size / 1e6;
    console.log(
      `${name}, ${size.toFixed(0)} MB: Node ${node.toFixed(2)} s (${(size / node).toFixed(0)} MB/s), page ${there.toFixed(2)} s (${(size / there).toFixed(0)} MB/s), speed of Node's ${(node / there).toFixed(2)}; wanted 0.5 or more`,
    );
    await page.close();
    server.close();
    files.delete(`/${name}`);
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
