import { describe, expect, it } from "vitest";
import { referenceKernels } from "../../src/kernels/reference.js";
import { kernelMemory, wasmKernels, wasmKernelsAtOnce } from "../../src/kernels/wasm.js";
import { Rng } from "../../src/math/rng.js";
import { columnLanes, newLanes } from "../../src/tables/checksum.js";
import { arena, implementations } from "./implementations.js";

describe.each(implementations)("settling a column (%s)", (_, make) => {
  it.each(["floats", "doubles"] as const)("shifts, adds up and hashes %s, where they lie", async (kind) => {
    const rng = Rng.seeded(9);
    for (const n of [0, 1, 2, 7, 513]) {
      const drawn = Float64Array.from({ length: n }, () => 1e3 * (rng.uniform() - 0.3));
      const values = kind === "floats" ? drawn.map(Math.fround) : drawn;
      if (n > 2) values[1] = -0;
      const k = await make(1 << 17);
      const place = arena(k.memory);
      const x = kind === "floats" ? place.float32(values) : place.float64(values);
      const state = place.float64([0.5, 0]);
      new Int32Array(k.memory.buffer, state + 8, 2).set(newLanes());
      (kind === "floats" ? k.settleFloats : k.settleDoubles)(x, x, 12.25, n, state);
      const stored = new Float32Array(k.memory.buffer, x, n);
      expect([...stored]).toEqual([...values].map((value) => Math.fround(value - 12.25)));
      expect(new Float64Array(k.memory.buffer, state, 1)[0]).toBe(stored.reduce((a, b) => a + b, 0.5));
      expect(new Int32Array(k.memory.buffer, state + 8, 2).slice()).toEqual(columnLanes(values));
    }
  });

  it("gives 0 for both zeros and leaves what is missing missing", async () => {
    const k = await make(1 << 16);
    const place = arena(k.memory);
    const x = place.float32([-0, 0, Number.NaN, 1]);
    const state = place.float64([0, 0]);
    k.settleFloats(x, x, 0, 4, state);
    expect([...new Float32Array(k.memory.buffer, x, 4)]).toEqual([0, 0, Number.NaN, 1]);
    expect(new Float64Array(k.memory.buffer, state, 1)[0]).toBeNaN();
  });
});

it("kernels that are there at once are those that are waited for", async () => {
  const names = (kernels: object) => Object.keys(kernels).sort();
  const waited = await wasmKernels(kernelMemory(1 << 16, true));
  expect(names(wasmKernelsAtOnce(kernelMemory(1 << 16, true)))).toEqual(names(waited));
  expect(names(waited)).toEqual(
    expect.arrayContaining(names(referenceKernels(kernelMemory(1 << 16, false)))),
  );
});
