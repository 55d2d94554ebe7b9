import { describe, expect, it } from "vitest";
import { referenceKernels } from "../../src/kernels/reference.js";
import { kernelMemory, wasmKernels } from "../../src/kernels/wasm.js";
import { Rng } from "../../src/math/rng.js";
import { shuffle } from "../../src/math/shuffle.js";
import { type OrderPiece, ordering } from "../../src/store/build/placed/order-job.js";
import { firstRow, layout, rowsIn, runOffset } from "../../src/store/layout/layout.js";
import { DATA_START } from "../../src/store/store.js";

/** Some columns in the order of arrival, with the order they are to have and rooms for so many hands behind them. */
function waitingColumns(rows: number, columns: number, hands: number, memory: WebAssembly.Memory) {
  const plan = layout(rows, columns, 300);
  const numbers = new Float32Array(memory.buffer);
  const place = (row: number, run: number): number => {
    const b = Math.max(...Array.from({ length: plan.blocks }, (_, k) => (firstRow(plan, k) <= row ? k : 0)));
    return (DATA_START + runOffset(plan, b, run)) / 4 + row - firstRow(plan, b);
  };
  for (let run = 0; run <= columns; run++) {
    for (let row = 0; row < rows; row++) numbers[place(row, run)] = 10_000 * run + row;
  }
  const order = Uint32Array.from({ length: rows }, (_, i) => i);
  shuffle(Rng.seeded(5), order);
  const next = 64 * Math.ceil((DATA_START + plan.bytes) / 64);
  const told = next + 64;
  new Uint32Array(memory.buffer, told, rows).set(order);
  const room = told + 4 * rows;
  const pieces = Array.from({ length: hands }, (_, slot): OrderPiece => {
    return { memory, layout: plan, order: told, next, room: room + 4 * rows * slot };
  });
  const column = (run: number): number[] =>
    Array.from({ length: plan.blocks }, (_, b) => [
      ...numbers.subarray(place(firstRow(plan, b), run), place(firstRow(plan, b), run) + rowsIn(plan, b)),
    ]).flat();
  return { order, pieces, column };
}

describe.each(["wasm", "plain"])("columns that wait, with %s kernels", (kind) => {
  it.each([1, 3])(
    "come into their order, each once, whoever of %i takes them, and the target stays",
    async (hands) => {
      const memory = kernelMemory(1 << 20, true);
      const kernels = kind === "wasm" ? await wasmKernels(memory) : referenceKernels(memory);
      const [rows, columns] = [1013, 7];
      const { order, pieces, column } = waitingColumns(rows, columns, hands, memory);
      const works = pieces.map((piece) => ordering(piece, kernels));
      let busy = works;
      while (busy.length > 0) busy = busy.filter((work) => work.next());
      expect(works.reduce((sum, { done }) => sum + done, 0)).toBe(columns);
      for (let run = 0; run < columns; run++) {
        expect(column(run)).toEqual([...order].map((row) => 10_000 * run + row));
      }
      expect(column(columns)).toEqual(Array.from({ length: rows }, (_, row) => 10_000 * columns + row));
    },
  );
});
