import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeSimulated } from "../../src/experiments/simulate/write-simulated.js";
import { claiming } from "../../src/files/claim.js";
import { crew } from "../../src/node/threads.js";
import { fit, importFiles } from "../../src/node.js";
import { columnRows } from "../../src/store/build/column-rows.js";
import { spillingStage } from "../../src/store/build/spilling-stage.js";
import { open } from "../../src/tables/open.js";
import { arrayTable } from "../../src/tables/readers/arrays.js";
import { writeTable } from "../../src/tables/write.js";
import { numbers } from "../tables/tables.js";

/** A disk of one megabyte, where the system lets us have one. */
function smallDisk(): { readonly path: string; remove(): void } | string {
  const path = mkdtempSync(join(tmpdir(), "sparrow-full-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", path], { stdio: "pipe" });
  } catch (error) {
    rmSync(path, { recursive: true });
    return (error as Error).message.split("\n")[0];
  }
  const remove = () => {
    execFileSync("umount", [path]);
    rmSync(path, { recursive: true });
  };
  return { path, remove };
}

const small = smallDisk();
if (typeof small === "string")
  console.warn(`No small disk could be made, so full ones are not tested: ${small}`);

describe.skipIf(typeof small === "string")("on a full disk", () => {
  const { path: mounted, remove } = small as Exclude<typeof small, string>;
  const before = process.env.TMPDIR;
  let source = "";
  const table = numbers(3000, 150);
  beforeAll(async () => {
    source = mkdtempSync(join(tmpdir(), "sparrow-source-"));
    await writeTable(arrayTable(table), join(source, "data.parquet"));
  });
  afterAll(() => {
    rmSync(source, { recursive: true, force: true });
    remove();
  });

  async function said(action: () => unknown): Promise<string> {
    try {
      await action();
    } catch (error) {
      expect((error as Error).name).toBe("SparrowError");
      return (error as Error).message.replaceAll(mounted, "FULL");
    }
    return "(nothing)";
  }
  /** With temporary files on the small disk. */
  async function saidOfTemporary(action: () => unknown): Promise<string> {
    process.env.TMPDIR = mounted;
    try {
      return await said(action);
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
  }
  const temporary =
    "The folder for temporary files, FULL, could not be written: the disk is full; make room there, or set TMPDIR to another folder.";

  it("an import says so and leaves nothing that could be taken for a store", async () => {
    const out = join(mounted, "data.sparrow");
    expect(await said(() => importFiles(join(source, "data.parquet"), out, { target: "y" }))).toBe(
      "FULL/data.sparrow could not be written: the disk is full (it needs 1.8 MB, and 1.0 MB are left).",
    );
    expect(readdirSync(mounted)).toEqual([]);
  });

  it("an import does not touch what was there before", async () => {
    writeFileSync(join(mounted, "other"), "kept");
    const out = join(mounted, "data.sparrow");
    await said(() => importFiles(join(source, "data.parquet"), out, { target: "y" }));
    expect(readdirSync(mounted)).toEqual(["other"]);
    rmSync(join(mounted, "other"));
  });

  it("rows that do not fit into memory have nowhere to go", async () => {
    const stage = spillingStage(columnRows(200), 1, 1000, mounted);
    const fill = () => {
      for (let i = 0; i < 1000; i++) stage.append({ rows: 2000, write() {} });
    };
    expect(await said(fill)).toBe(temporary);
    stage.close();
    expect(readdirSync(mounted)).toEqual([]);
  });

  it("a fit of data larger than memory says where room is needed", async () => {
    const options = { target: "y", threads: 1, memory: 1e6 } as const;
    expect(await saidOfTemporary(() => fit(join(source, "data.parquet"), options))).toBe(temporary);
    expect(readdirSync(mounted)).toEqual([]);
  });

  it("standard input cannot wait there", async () => {
    const input = Readable.from(
      (function* () {
        yield "a,y\n";
        for (let i = 0; i < 100; i++) yield "1234567890,1234567890\n".repeat(1000);
      })(),
    );
    expect(await saidOfTemporary(() => open("-", { input: input }))).toBe(temporary);
    expect(readdirSync(mounted)).toEqual([]);
  });

  it("simulated data are not written by half", async () => {
    expect(await said(() => writeTable(arrayTable(table), join(mounted, "data.csv")))).toBe(
      "FULL/data.csv could not be written: the disk is full.",
    );
    expect(readdirSync(mounted)).toEqual([]);
  });

  it.each([
    // How long the lines will be is not known beforehand: the disk is full while they are written, by any thread.
    ["csv", "the disk is full."],
    ["parquet", /the disk is full \(it needs 3\.2 MB, and 1\.0 MB are left\)\./],
    ["sparrow", /the disk is full \(it needs 3\.2 MB, and 1\.0 MB are left\)\./],
  ])("nor are they as %s, by threads", async (ending, words) => {
    const path = join(mounted, `simulated.${ending}`);
    const simulate = () =>
      claiming(path, {}, async (claimed) => {
        const pool = await crew.pool(2);
        const threads = { threads: 2, pool: async () => pool, alone: () => pool };
        await writeSimulated({ kind: "linear", rows: 10_000, columns: 80, seed: 1 }, claimed, threads);
      });
    expect(await said(simulate)).toMatch(words);
    expect(readdirSync(mounted)).toEqual([]);
  });
});
