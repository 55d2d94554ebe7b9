/** A store that another process finishes: the same bytes, and what was there is not written again. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claiming } from "../../src/files/claim.js";
import { Rng } from "../../src/math/rng.js";
import { importTo } from "../../src/node/import-data.js";
import { type JournalFile, journalFile } from "../../src/node/journal-file.js";
import type { Progress } from "../../src/options/fit.js";
import { readImported } from "../../src/selection/data/read.js";
import type { Blocks } from "../../src/store/build/blocks.js";
import { writeStore } from "../../src/store/build/write-store.js";
import { arrayTable } from "../../src/tables/readers/arrays.js";
import { asFlag } from "../../src/wording.js";

let folder = "";
const at = (...names: string[]) => join(folder, ...names);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "resumed-store-"));
  const rng = Rng.seeded(3);
  const lines = (row: () => string) => `${Array.from({ length: 3000 }, row).join("\n")}\n`;
  const number = () => (rng.uniform() * 8 - 4).toFixed(3);
  const cells = () => `${number()},${number()},${number()},${"abcdef"[rng.below(6)]},${number()}`;
  writeFileSync(at("columns.csv"), `u,v,w,g,y\n${lines(cells)}`);
  const entry = (j: number) => (rng.uniform() < 0.7 ? ` ${j}:${number()}` : "");
  writeFileSync(
    at("entries.svm"),
    lines(() => `${number()}${entry(1)}${entry(2)}${entry(7)}`),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Keeps how far it has come at every block, whatever the clock says. */
function keeping(name: string): JournalFile {
  const clock = { value: 0 };
  const now = () => {
    clock.value += 10;
    return clock.value;
  };
  return journalFile({ folder: at(`${name}.unfinished`), command: {}, interval: 1, now });
}

interface Told {
  /** Stops when so many rows have been written. */
  readonly stopAt?: number;
  readonly journal?: JournalFile;
}

function importing(data: string, name: string, { stopAt, journal }: Told = {}): Promise<unknown> {
  const stop = new AbortController();
  const onProgress = ({ stage, done }: Progress) => {
    if (stage === "write" && done >= (stopAt ?? Number.POSITIVE_INFINITY)) stop.abort(new Error("stopped"));
  };
  const target = data.endsWith("csv") ? { target: "y" } : {};
  const asked = { ...target, seed: 5, blockRows: 200, signal: stop.signal, onProgress };
  return claiming(at(name), {}, (claimed) => importTo(claimed, at(data), asked, asFlag, journal));
}

describe.each(["columns.csv", "entries.svm"])("a store of %s that is stopped while it is written", (data) => {
  it("is finished by another process with the bytes of one that was not", async () => {
    await importing(data, `whole ${data}`);
    const cut = `cut ${data}`;
    await expect(importing(data, cut, { stopAt: 1700, journal: keeping(cut) })).rejects.toThrow("stopped");
    const begun = at(`${cut}.unfinished`, "store");
    const kept = readFileSync(begun);
    // A block that the disk has lost is written again.
    kept.fill(0, 4096, 8192);
    writeFileSync(begun, kept);
    await importing(data, cut, { journal: keeping(cut) });
    expect(readFileSync(at(cut)).equals(readFileSync(at(`whole ${data}`)))).toBe(true);
  });

  it("is begun anew where the data have changed", async () => {
    const [name, other] = [`changed ${data}`, data.replace(".", "-changed.")];
    const text = readFileSync(at(data), "utf8");
    writeFileSync(at(other), text);
    await expect(importing(other, name, { stopAt: 1700, journal: keeping(name) })).rejects.toThrow("stopped");
    const changed = text.replace(/(?<=\n)-?\d\.\d+/, "3.999");
    expect(changed).not.toBe(text);
    writeFileSync(at(other), changed);
    await importing(other, name, { journal: keeping(name) });
    await importing(other, `whole ${other}`);
    expect(readFileSync(at(name)).equals(readFileSync(at(`whole ${other}`)))).toBe(true);
  });
});

it("only what is not there is put together again", async () => {
  const table = arrayTable({
    x: Float64Array.from({ length: 90 }, (_, i) => i % 7),
    y: new Float64Array(90).map((_, i) => i),
  });
  const { imported } = await readImported(table, { target: "y" }, () => 10, undefined, 1e9);
  const asked = new Set<number>();
  const { blocks } = imported;
  const run: Blocks["run"] = (block, ...rest) => {
    asked.add(block);
    blocks.run(block, ...rest);
  };
  const watched = { ...imported, blocks: { ...blocks, run } };
  const stop = new AbortController();
  let saved: unknown;
  const keep = (state: () => unknown) => {
    saved = structuredClone(state());
  };
  const onProgress = (rows: number) => {
    if (rows >= 50) stop.abort(new Error("stopped"));
  };
  const path = at("parts.sparrow");
  const first = writeStore(watched, path, { keeping: { saved, keep }, signal: stop.signal, onProgress });
  await expect(first).rejects.toThrow("stopped");
  expect([...asked]).toEqual([0, 1, 2, 3, 4]);
  asked.clear();
  await writeStore(watched, path, { keeping: { saved, keep } });
  expect([...asked]).toEqual([5, 6, 7, 8]);
});

it("what was begun is never written through a link", async () => {
  const journal = keeping("linked");
  await expect(importing("columns.csv", "linked", { stopAt: 1700, journal })).rejects.toThrow("stopped");
  mkdirSync(at("elsewhere"));
  writeFileSync(at("elsewhere", "mine"), "mine");
  rmSync(at("linked.unfinished", "store"));
  symlinkSync(at("elsewhere", "mine"), at("linked.unfinished", "store"));
  await expect(importing("columns.csv", "linked", { journal: keeping("linked") })).rejects.toThrow();
  expect(readFileSync(at("elsewhere", "mine"), "utf8")).toBe("mine");
});
