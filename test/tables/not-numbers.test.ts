import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Table, tableToIPC, vectorFromArray } from "apache-arrow";
import { afterAll, describe, expect, it } from "vitest";
import { fit } from "../../src/node.js";
import { database } from "../../src/tables/duckdb/database.js";

const folder = mkdtempSync(join(tmpdir(), "sparrow-nan-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Twenty rows in which the fourth value of "a" is the given one: NaN, or null for a missing value. */
const columnA = (value: number | null) =>
  Array.from({ length: 20 }, (_, i) => (i === 3 ? value : Math.cos(3 * i)));
const columnY = Array.from({ length: 20 }, (_, i) => Math.sin(i));

const writers: Record<string, (path: string, value: number | null) => Promise<void> | void> = {
  csv(path, value) {
    const rows = columnA(value).map((a, i) => `${a === null ? "" : a},${columnY[i]}`);
    writeFileSync(path, `a,y\n${rows.join("\n")}\n`);
  },
  async parquet(path, value) {
    const { connection, close } = await database({});
    const at = value === null ? "NULL" : "'nan'::DOUBLE";
    await connection.run(
      `COPY (SELECT CASE WHEN i = 3 THEN ${at} ELSE cos(3 * i) END AS a, sin(i) AS y FROM range(20) AS t(i)) TO '${path}'`,
    );
    close();
  },
  arrow(path, value) {
    const table = new Table({ a: vectorFromArray(columnA(value)), y: vectorFromArray(columnY) });
    writeFileSync(path, tableToIPC(table, "file"));
  },
};

describe.each(Object.keys(writers))("NaN in a %s file", (format) => {
  it("is refused by a fit that was not told what to do with it", async () => {
    const path = join(folder, `nan.${format}`);
    await writers[format](path, Number.NaN);
    await expect(fit(path, { target: "y", threads: 1 })).rejects.toMatchObject({
      commandLine: `${path} holds NaN in "a"; if that means a missing value, use --missing impute, drop or mean, otherwise repair the data or leave the columns out with --exclude.`,
    });
    const told = await fit(path, { target: "y", threads: 1, missing: "impute" });
    expect(told.missing?.entries).toBe(1);
  });

  it("is not what a missing value is taken for", async () => {
    const path = join(folder, `null.${format}`);
    await writers[format](path, null);
    const result = await fit(path, { target: "y", threads: 1 });
    expect(result.missing?.entries).toBe(1);
  });
});
