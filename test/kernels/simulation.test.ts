import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { decimalText } from "../../src/kernels/reference/decimals.js";
import { simulationRoom } from "../../src/kernels/simulation.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import type { Chunk } from "../../src/tables/table.js";
import { writeTable } from "../../src/tables/write.js";

/** The numbers as the kernel writes them, one a line. */
function written(values: Float32Array): string[] {
  const { kernels, powers, free, buffer } = simulationRoom();
  const text = free + 4 * values.length;
  const memory = buffer(24 * values.length + 64);
  new Float32Array(memory, free, values.length).set(values);
  const end = kernels.writeLines(text, free, values.length, 1, powers);
  return new TextDecoder()
    .decode(new Uint8Array(memory, text, end - text))
    .trimEnd()
    .split("\n");
}

const ofBits = (bits: Uint32Array): Float32Array => new Float32Array(bits.buffer);

test("the kernel draws the normals of the generator, bit for bit, and leaves it where it would stand", () => {
  const { kernels, edges, free, buffer } = simulationRoom();
  // A million draws come to the tail some 250 times.
  const [rows, columns] = [1000, 1000];
  const rng = Rng.seeded(5).split(3);
  const [shared, out] = [free + 64, free + 64 + 8 * rows];
  const memory = buffer(64 + 8 * rows + 4 * rows * columns);
  new Int32Array(memory, free, 4).set(rng.save().state);
  new Float64Array(memory, shared, rows).fill(0.25);
  kernels.drawColumns(out, 4 * rows, columns, shared, free, edges, Math.SQRT1_2, rows);
  const expected = Float32Array.from({ length: rows * columns }, () => 0.25 + Math.SQRT1_2 * normal(rng));
  expect(Buffer.from(memory, out, 4 * rows * columns).equals(Buffer.from(expected.buffer))).toBe(true);
  expect([...new Int32Array(memory, free, 4)]).toEqual(rng.save().state);
});

test("every kind of number is written as the readable form says", () => {
  const rng = Rng.seeded(9);
  const random = ofBits(Uint32Array.from({ length: 50_000 }, () => rng.uint32()));
  const powers = ofBits(Uint32Array.from({ length: 510 }, (_, i) => ((i >> 1) << 23) | ((i & 1) << 31)));
  const least = ofBits(Uint32Array.from({ length: 300 }, (_, i) => i));
  const short = Float32Array.from({ length: 20_000 }, (_, i) => (i - 10_000) / 1000);
  const halves = Float32Array.from(
    { length: 20_000 },
    () => (rng.below(2 ** 24) - 2 ** 23) / 2 ** rng.below(20),
  );
  const odd = Float32Array.of(Number.NaN, Infinity, -Infinity, 0, -0, 3.4028234663852886e38);
  for (const values of [random, powers, least, short, halves, odd]) {
    expect(written(values)).toEqual(Array.from(values, decimalText));
  }
});

test("simulated numbers are written as DuckDB writes them", async () => {
  const rng = Rng.seeded(11);
  // Every 64th is a short binary fraction: there alone two decimals can be as close.
  const values = Float32Array.from({ length: 200_000 }, (_, i) => {
    const value = normal(rng) * 10 ** -rng.below(4);
    return i % 64 === 0 ? Math.round(value * 4096) / 4096 : value;
  });
  const folder = mkdtempSync(join(tmpdir(), "decimals-"));
  try {
    const path = join(folder, "duckdb.csv");
    const chunks = function* (): Iterable<Chunk> {
      yield { rows: values.length, columns: [values] };
    };
    await writeTable({ by: "columns", name: "numbers", columns: [{ name: "x" }], chunks }, path);
    expect(written(values)).toEqual(readFileSync(path, "utf8").trimEnd().split("\n").slice(1));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("rows are turned, whatever part of them is asked for", () => {
  const { kernels, free, buffer } = simulationRoom();
  const [rows, columns, width] = [37, 5, 7];
  const memory = buffer(4 * rows * columns + 4 * rows * width);
  const from = new Float32Array(memory, free, rows * columns).map((_, i) => i);
  new Float32Array(memory, free, rows * columns).set(from);
  const out = free + 4 * rows * columns;
  new Float32Array(memory, out, rows * width).fill(-1);
  kernels.turnRows(out + 4, 4 * width, free, 4 * rows, columns, 3, 30);
  const expected = Array.from({ length: rows * width }, (_, i) => {
    const [row, column] = [Math.floor(i / width), (i % width) - 1];
    return row < 30 && column >= 0 && column < columns ? column * rows + row + 3 : -1;
  });
  expect([...new Float32Array(memory, out, rows * width)]).toEqual(expected);
});
