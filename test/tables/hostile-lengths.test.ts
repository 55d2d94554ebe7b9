import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tableFromArrays, tableToIPC } from "apache-arrow";
import { afterAll, expect, it } from "vitest";
import { open } from "../../src/node.js";
import type { ColumnTable } from "../../src/tables/table.js";
import { workbook } from "../messy/workbook.js";

const folder = mkdtempSync(join(tmpdir(), "lengths-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function numbersOf(name: string, bytes: Uint8Array): Promise<string> {
  writeFileSync(join(folder, name), bytes);
  const table = (await open(join(folder, name))) as ColumnTable;
  const found: unknown[] = [table.columns.map((column) => column.name)];
  for await (const chunk of table.chunks([...table.columns.keys()]))
    found.push(chunk.columns.map((values) => Array.from(values)));
  return JSON.stringify(found);
}

const a = Float64Array.from({ length: 20 }, (_, i) => i / 7);
const c = Array.from({ length: 20 }, (_, i) => "xyz"[i % 3]);

it.each(["file", "stream"] as const)(
  "an Arrow %s whose lengths and places are anything is refused, or has values for all of its rows",
  async (kind) => {
    const whole = Buffer.from(tableToIPC(tableFromArrays({ a, c }), kind));
    // Lengths and places are numbers of four or eight bytes: each in turn becomes a very large one.
    for (let at = 0; at + 4 <= whole.length; at += 12) {
      const bytes = Buffer.from(whole);
      bytes.writeInt32LE(0x30000000, at);
      const found = await numbersOf("changed.arrow", bytes).catch((error: Error) => error.message);
      expect(found).toMatch(
        /is damaged or was cut short|has a header but no rows|^\[\[|two columns called|rows of data/,
      );
      if (!found.startsWith("[[")) continue;
      const [, ...chunks] = JSON.parse(found) as [string[], ...(number | null)[][][]];
      for (const columns of chunks) expect(new Set(columns.map(({ length }) => length)).size).toBeLessThan(2);
    }
  },
);

it("a workbook in which any byte was changed gives the same numbers or none", async () => {
  const whole = workbook({ Data: { a: [...a], c } });
  const right = await numbersOf("whole.xlsx", whole);
  for (let at = 0; at < whole.length; at += 41) {
    const bytes = Buffer.from(whole);
    bytes[at] ^= 1 << (at % 8);
    const found = await numbersOf("changed.xlsx", bytes).catch((error: Error) => error.message);
    expect([
      right,
      `${join(folder, "changed.xlsx")} is damaged or was cut short; make or copy it again.`,
    ]).toContain(found);
  }
});
