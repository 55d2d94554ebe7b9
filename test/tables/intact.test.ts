import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { open } from "../../src/tables/open.js";
import { checkWhole } from "../../src/tables/packed/intact.js";
import type { ColumnTable } from "../../src/tables/table.js";

let folder = "";
const at = (name: string) => join(folder, name);
const csv = `a,y\n${Array.from({ length: 60_000 }, (_, i) => `${i},${(i * 7919) % 13}\n`).join("")}`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "sparrow-intact-"));
  writeFileSync(at("good.csv"), csv);
  writeFileSync(at("good.csv.gz"), gzipSync(csv));
  const half = csv.indexOf("\n", csv.length / 2) + 1;
  writeFileSync(
    at("members.csv.gz"),
    Buffer.concat([csv.slice(0, half), csv.slice(half)].map((part) => gzipSync(part))),
  );
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(
    `COPY (FROM read_csv('${at("good.csv")}')) TO '${at("good.csv.zst")}' (FORMAT csv, HEADER, COMPRESSION zstd)`,
  );
  connection.closeSync();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function rowsOf(path: string): Promise<number> {
  const table = (await open(path)) as ColumnTable;
  let rows = 0;
  try {
    for await (const chunk of table.chunks([0, 1])) rows += chunk.rows;
  } finally {
    table.close?.();
  }
  return rows;
}

it.each(["good.csv.gz", "members.csv.gz", "good.csv.zst"])("%s is read whole", async (name) => {
  expect(await rowsOf(at(name))).toBe(60_000);
});

describe.each(["good.csv.gz", "members.csv.gz", "good.csv.zst"])("of %s", (name) => {
  it.each([1, 4, 8, 1000, 0.5])("a piece that lacks its end (%d) is refused", async (cut) => {
    const bytes = readFileSync(at(name));
    const path = at(`cut-${cut}-${name}`);
    writeFileSync(path, bytes.subarray(0, cut < 1 ? cut * bytes.length : bytes.length - cut));
    await expect(rowsOf(path)).rejects.toThrow(`${path} is damaged or was cut short; make or copy it again.`);
  });
});

it("a flipped bit of a gz file is found by its checksum", async () => {
  const bytes = readFileSync(at("good.csv.gz"));
  bytes[bytes.length - 6] ^= 1;
  writeFileSync(at("flipped.csv.gz"), bytes);
  await expect(checkWhole([at("flipped.csv.gz")])).rejects.toThrow("is damaged or was cut short");
});

it("a zst file may have several frames, and frames that are to be skipped", async () => {
  const bytes = readFileSync(at("good.csv.zst"));
  const skipped = Buffer.from([0x51, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
  writeFileSync(at("frames.csv.zst"), Buffer.concat([bytes, skipped, bytes]));
  await checkWhole([at("frames.csv.zst")]);
  writeFileSync(at("frames-cut.csv.zst"), Buffer.concat([bytes, skipped.subarray(0, 9)]));
  await expect(checkWhole([at("frames-cut.csv.zst")])).rejects.toThrow("is damaged or was cut short");
});
