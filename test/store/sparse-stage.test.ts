import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { Rng } from "../../src/math/rng.js";
import { fit, importFiles } from "../../src/node.js";
import { spillingSparseStage } from "../../src/store/build/sparse-spill.js";
import {
  memorySparseStage,
  type ShuffledRows,
  type SparseStage,
} from "../../src/store/build/sparse-stage.js";
import type { SparseChunk } from "../../src/tables/table.js";

const folder = mkdtempSync(join(tmpdir(), "sparrow-sparse-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Rows of 0 to 39 entries, and one that is longer than what waits for a label. */
function chunks(rows: number, size: number): SparseChunk[] {
  const rng = Rng.seeded(1);
  const all = Array.from({ length: rows }, (_, i) => {
    const length = i === 77 ? 20_000 : rng.below(40);
    return { y: i, columns: Uint32Array.from({ length }, (__, k) => 3 * k + rng.below(3)) };
  });
  return Array.from({ length: Math.ceil(rows / size) }, (_, c) => {
    const part = all.slice(c * size, (c + 1) * size);
    const starts = new Uint32Array(part.length + 1);
    part.forEach(({ columns }, i) => {
      starts[i + 1] = starts[i] + columns.length;
    });
    const columns = Uint32Array.from(part.flatMap((row) => [...row.columns]));
    return {
      rows: part.length,
      target: Float64Array.from(part, ({ y }) => y),
      starts,
      columns,
      values: Float64Array.from(columns, (column, e) => column + e / 7),
    };
  });
}

function filled(stage: SparseStage, size: number): ShuffledRows {
  for (const chunk of chunks(20_000, size)) stage.append(chunk);
  return stage.seal();
}

function rowAt(rows: ShuffledRows, place: number) {
  const { chunk, row } = rows.find(place);
  const [from, to] = [chunk.starts[row], chunk.starts[row + 1]];
  return {
    y: chunk.target[row],
    columns: chunk.columns.slice(from, to),
    values: chunk.values.slice(from, to),
  };
}

it("on disk gives back the same rows in the same order as one in memory", () => {
  const memory = filled(memorySparseStage(3), 999);
  for (const limit of [1000, 2e6]) {
    const stage = spillingSparseStage(3, limit, folder);
    const disk = filled(stage, 999);
    expect(stage.spilled).toBe(true);
    expect(disk.rows).toBe(memory.rows);
    for (let place = 0; place < memory.rows; place++) {
      const [ours, theirs] = [rowAt(disk, place), rowAt(memory, place)];
      if (ours.y !== theirs.y || Buffer.compare(bytesOf(ours), bytesOf(theirs)) !== 0)
        expect(ours, `place ${place}`).toEqual(theirs);
    }
    stage.close();
  }
  expect(readdirSync(folder)).toEqual([]);
});

function bytesOf({ columns, values }: { columns: Uint32Array; values: Float64Array }): Uint8Array {
  return Buffer.concat([new Uint8Array(columns.buffer), new Uint8Array(values.buffer)]);
}

it("stays in memory while the rows fit", () => {
  const stage = spillingSparseStage(3, 1e9, folder);
  filled(stage, 4096);
  expect(stage.spilled).toBe(false);
  stage.close();
});

it("makes no difference to a LIBSVM file that is larger than memory: same store, same fit", async () => {
  const rng = Rng.seeded(2);
  const lines = Array.from({ length: 3000 }, () => {
    const pairs: string[] = [];
    let y = rng.below(100) / 50;
    // Column 1 is in every row and so dense, 2 to 400 are sparse.
    for (let j = 1; j <= 400; j += 1 + (j === 1 ? rng.below(20) : rng.below(40))) {
      const value = 1 + rng.below(9);
      pairs.push(`${j}:${value}`);
      if (j < 12) y += value;
    }
    return `${y} ${pairs.join(" ")}`;
  });
  const path = join(folder, "data.svm");
  writeFileSync(path, `${lines.join("\n")}\n`);
  const store = async (memory: number) => {
    const out = join(folder, `${memory}.sparrow`);
    await importFiles(path, out, { target: "label", memory, blockRows: 300 });
    return readFileSync(out);
  };
  expect(Buffer.compare(await store(1e9), await store(1e5))).toBe(0);
  const options = { target: "label", threads: 1, seed: 4, chains: 1, iterations: 300, burnIn: 100 } as const;
  const answer = async (memory: number) => {
    const { variables, modelSize } = await fit(path, { ...options, memory });
    return JSON.stringify({ variables, modelSize });
  };
  expect(await answer(1e5)).toBe(await answer(1e9));
});
