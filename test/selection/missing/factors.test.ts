import { describe, expect, it } from "vitest";
import { kernelMemory, wasmKernels } from "../../../src/kernels/wasm.js";
import { missingEntries } from "../../../src/latent/missing.js";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { weakShrinkage } from "../../../src/models/shrinkage.js";
import { readStore } from "../../../src/selection/data/read.js";
import { runTable } from "../../../src/selection/fit-table.js";
import { takeHoles } from "../../../src/selection/missing/holes.js";
import { drawLaw } from "../../../src/selection/missing/law.js";
import { view } from "../../../src/store/batch/arena.js";
import { rowsIn } from "../../../src/store/layout/layout.js";
import type { Store } from "../../../src/store/store.js";
import { arrayTable } from "../../../src/tables/readers/arrays.js";
import { localPool } from "../../../src/workers/pool.js";

const rows = 800;

/** A category that moves x and y, a truth value that x moves, and holes in both. */
function mixedData(seed: number) {
  const rng = Rng.seeded(seed);
  const shift: Record<string, number> = { low: -1, middle: 0, high: 1.5 };
  const names = Object.keys(shift);
  const whole = Array.from({ length: rows }, () => {
    const level = names[Math.floor(rng.uniform() * 3)];
    const x = shift[level] + normal(rng);
    const flag = rng.uniform() < 1 / (1 + Math.exp(-x));
    const z = normal(rng);
    const y = 0.5 * x + (level === "high" ? 1 : 0) - (flag ? 1 : 0) + 0.7 * normal(rng);
    return { level, x, flag, z, y };
  });
  const open = <T>(value: T, share: number): T | null => (rng.uniform() < share ? null : value);
  return {
    level: whole.map(({ level }) => open(level, 0.2)),
    flag: whole.map(({ flag }) => open(flag, 0.2)),
    x: whole.map(({ x }) => open(x, 0.1)),
    z: whole.map(({ z }) => z),
    y: Float64Array.from(whole, ({ y }) => y),
  };
}

describe("categories and truth values with holes", () => {
  it("are listed as factors, their levels as columns that are not sparse", async () => {
    const { level, flag, x, z, y } = mixedData(1);
    const two = x.map((value) => (value === null ? null : value > 0 ? 7 : 3));
    const { store } = await readStore(
      arrayTable({ level, flag, two, x, z, y }),
      { target: "y", missing: "impute" },
      () => 200,
      { kernels: (bytes) => wasmKernels(kernelMemory(bytes, false)), threads: 1, scratch: 2 ** 20 },
    );
    const holes = takeHoles(store)!;
    const missing = (values: readonly unknown[]) => values.filter((value) => value === null).length;
    expect(store.names.slice(0, 4)).toEqual(expect.arrayContaining(["flag", "two"]));
    expect(Array.from(holes.missing)).toEqual([
      ...[missing(level), missing(level), missing(flag), missing(two), missing(x), 0],
    ]);
    const [category, truth, numbers] = holes.factors;
    expect(category).toEqual({ columns: [0, 1], low: [0, 0], high: [1, 1] });
    expect(truth.columns).toEqual([2]);
    const shift = store.shift[3];
    expect(numbers).toEqual({ columns: [3], low: [3 - shift], high: [7 - shift] });
    expect(holes.factors).toHaveLength(3);
  });

  it("are filled with levels and with 0 or 1, never with anything between, and tell on the target", async () => {
    /** Columns of the completed data at the end of the fit, in the units of the data. */
    const completed = new Map<string, number[]>();
    const { result } = await runTable(
      arrayTable(mixedData(2)),
      { target: "y", iterations: 60 },
      {
        kernels: (bytes) => wasmKernels(kernelMemory(bytes, false)),
        threads: 1,
        async pool(store) {
          const close = async () => {
            if (store.layout.rows < rows) return;
            store.names.forEach((name, j) => {
              completed.set(name, columnOf(store, j));
            });
          };
          return { ...localPool(store), close };
        },
      },
    );
    const levels = [...completed.keys()].filter((name) => name.startsWith("level="));
    for (const name of [...levels, "flag"]) {
      expect(completed.get(name)).toHaveLength(rows);
      for (const value of completed.get(name)!)
        expect(Math.min(Math.abs(value), Math.abs(value - 1))).toBe(0);
    }
    const [one, other] = levels.map((name) => completed.get(name)!);
    for (let i = 0; i < rows; i++) expect(one[i] + other[i]).toBeLessThanOrEqual(1);

    expect(result.missing!.model).toBe("joint gaussian, categories by linear discriminants");
    const selected = result.variables.filter((v) => v.selected).map(({ name }) => name);
    expect(selected.sort()).toEqual(["flag", "level=high", "x"]);
    for (const [name, truth] of [
      ["x", 0.5],
      ["level=high", 1],
      ["flag", -1],
    ] as const) {
      const { mean, sd } = result.variables.find((v) => v.name === name)!;
      // Three effects within 3.5 posterior sds: a false alarm in 700 seeds; this is one.
      expect(Math.abs(mean - truth)).toBeLessThan(3.5 * sd);
    }
  });

  it("have the probabilities of linear discriminants, for rare levels too", () => {
    // A level of probability 0.05 moves the number z by 1.5 of its standard deviations.
    const [share, effect] = [0.05, 1.5];
    const count = 1_000_000;
    const spread = share * (1 - share);
    const squares = [spread, effect * spread, effect * spread, 1 + effect ** 2 * spread].map(
      (v) => v * count,
    );
    const rng = Rng.seeded(6);
    const factors = [{ columns: [0], low: [0], high: [1] }];
    const law = drawLaw(
      rng,
      { rows: count, mean: [share, effect * share], squares: Float64Array.from(squares) },
      weakShrinkage([spread, 1]),
      factors,
    );
    const nothing = {
      family: "gaussian",
      intercept: 0,
      coefficients: new Float64Array(2),
      noiseVariance: 1,
    } as const;
    const entries = missingEntries(law.joint, nothing, { factors, ...law });
    const draws = 20_000;
    for (const z of [-0.5, 0.5, 1.5, 2.5]) {
      const density = (level: number) => Math.exp(-0.5 * (z - effect * level) ** 2);
      const exact = (share * density(1)) / (share * density(1) + (1 - share) * density(0));
      let high = 0;
      const x = Float64Array.of(0, z);
      for (let d = 0; d < draws; d++) {
        entries.draw(rng, x, 0, [0], 0, 1);
        high += x[0];
      }
      // Five standard errors on four numbers, and a hundredth of the odds for the law, itself a draw from 10⁶ rows.
      const error = 5 * Math.sqrt((exact * (1 - exact)) / draws) + 0.01 * exact;
      expect(Math.abs(high / draws - exact)).toBeLessThan(error);
    }
  });
});

function columnOf(store: Store, j: number): number[] {
  const { layout, kernels, shift } = store;
  return Array.from({ length: layout.blocks }, (_, b) => {
    const run = { pointer: store.run(b, j), length: rowsIn(layout, b) };
    return Array.from(view(kernels.memory, run), (value) => value + shift[j]);
  }).flat();
}
