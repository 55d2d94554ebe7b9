/** Penalised paths do not depend on where the columns are: in memory or on disk, spelt out or as entries. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { kernelMemory, wasmKernels } from "../../../src/kernels/wasm.js";
import { Rng } from "../../../src/math/rng.js";
import { gramSource } from "../../../src/peers/gram-source.js";
import { binomialPath } from "../../../src/peers/penalized/binomial.js";
import { crossValidate, gaussianValidator } from "../../../src/peers/penalized/cross-validation.js";
import { gaussianPath } from "../../../src/peers/penalized/gaussian.js";
import { denseCoefficients, type Path } from "../../../src/peers/penalized/path.js";
import { elasticNet, lasso, mcp, type Penalty, scad } from "../../../src/peers/penalized/penalty.js";
import { readImported } from "../../../src/selection/data/read.js";
import { targetOf } from "../../../src/selection/data/target.js";
import { layOut } from "../../../src/store/build/lay-out.js";
import { openStoreFile, writeImported } from "../../../src/store/open/disk.js";
import type { Store } from "../../../src/store/store.js";
import { arrayTable } from "../../../src/tables/readers/arrays.js";
import type { ColumnTable, EntryTable, Table } from "../../../src/tables/table.js";
import { localPool } from "../../../src/workers/pool.js";

const ROWS = 603;
const COLUMNS = 24;
const SCRATCH = 2 ** 23;

// Column j is zero but in every (j % 8 + 1)th row or so; short numbers, so that every store keeps them exactly.
const rng = Rng.seeded(31);
const x = Array.from({ length: COLUMNS }, (_, j) =>
  Float64Array.from({ length: ROWS }, () => (rng.below((j % 8) + 1) === 0 ? rng.below(64) / 8 - 2 : 0)),
);
const signal = Float64Array.from(
  { length: ROWS },
  (_, i) => x[0][i] - 2 * x[5][i] + x[12][i] + rng.below(100) / 32 - 1.5,
);
const classes = signal.map((value) => (value > 0 ? 1 : 0));

const denseTable = (y: Float64Array): ColumnTable =>
  arrayTable(Object.fromEntries([...x.map((column, j) => [String(j + 1), column]), ["label", y]]));
const sparseTable = (y: Float64Array): EntryTable => ({
  by: "entries",
  name: "the rows",
  target: "label",
  *chunks() {
    const starts = new Uint32Array(ROWS + 1);
    const entries: { j: number; value: number }[] = [];
    for (let i = 0; i < ROWS; i++) {
      for (let j = 0; j < COLUMNS; j++) if (x[j][i] !== 0) entries.push({ j, value: x[j][i] });
      starts[i + 1] = entries.length;
    }
    yield {
      ...{ rows: ROWS, starts, target: y },
      columns: Uint32Array.from(entries, ({ j }) => j),
      values: Float64Array.from(entries, ({ value }) => value),
    };
  },
});

let folder = "";
let files = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sparrow-paths-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function make(table: Table, onDisk: boolean): Promise<Store> {
  const kernels = (bytes: number) => wasmKernels(kernelMemory(bytes, true));
  const options = { target: "label", seed: 2 };
  const { imported, close } = await readImported(table, options, () => 50, undefined, 1e9);
  try {
    if (!onDisk) return await layOut(imported, kernels, SCRATCH);
    const path = join(folder, `${files++}.sparrow`);
    await writeImported(imported, path, {});
    return await openStoreFile(path, { kernels, threads: 1, scratch: SCRATCH, memory: 1 });
  } finally {
    close();
  }
}

type Fit = (store: Store) => Promise<Path>;
const gaussian =
  (penalty: Penalty): Fit =>
  async (store) =>
    gaussianPath(await gramSource(store, localPool(store)), { penalty, count: 20, tolerance: 1e-18 });
const binomial =
  (penalty: Penalty): Fit =>
  async (store) => {
    const pool = localPool(store);
    const { folds } = await gramSource(store, pool);
    const target = targetOf(store, "binomial").scaling;
    return binomialPath(
      { store, pool, folds, target },
      { penalty, count: 5, minRatio: 0.1, tolerance: 1e-16 },
    );
  };
const validated: Fit = async (store) => {
  const { path, best, error } = await crossValidate(
    gaussianValidator(await gramSource(store, localPool(store), { folds: 5 })),
    { penalty: lasso, count: 20, tolerance: 1e-18 },
  );
  expect(error[best]).toBeLessThan(error[0] / 3);
  return { points: [path.points[best]], rounds: 0 };
};

const FITS: Readonly<Record<string, { y: Float64Array; fit: Fit }>> = {
  "a Gaussian Lasso": { y: signal, fit: gaussian(lasso) },
  "a Gaussian MCP": { y: signal, fit: gaussian(mcp()) },
  "a cross-validated Lasso": { y: signal, fit: validated },
  "a binomial elastic net": { y: classes, fit: binomial(elasticNet(0.5)) },
  "a binomial SCAD": { y: classes, fit: binomial(scad(3.7, 1 / 4)) },
};

for (const [name, { y, fit }] of Object.entries(FITS)) {
  describe(`the path of ${name}`, () => {
    let dense: Path;
    beforeAll(async () => {
      dense = await fit(await make(denseTable(y), false));
    });

    for (const [kind, sparse, onDisk] of [
      ["dense and on disk", false, true],
      ["sparse and resident", true, false],
      ["sparse and on disk", true, true],
    ] as const) {
      it(`is the same from a store that is ${kind}`, async () => {
        const store = await make(sparse ? sparseTable(y) : denseTable(y), onDisk);
        try {
          expect(store.handle.kind === "file").toBe(onDisk);
          const hasEntries = x.some((_, j) => store.entries(0, j) !== undefined);
          expect(hasEntries).toBe(sparse);
          const { points } = await fit(store);
          expect(points.length).toBe(dense.points.length);
          points.forEach((point, i) => {
            expect(point.lambda / dense.points[i].lambda).toBeCloseTo(1, 6);
            expect(point.intercept).toBeCloseTo(dense.points[i].intercept, 6);
            const others = denseCoefficients(dense.points[i], COLUMNS);
            denseCoefficients(point, COLUMNS).forEach((b, j) => {
              expect(Math.abs(b - others[j])).toBeLessThan(1e-7);
            });
          });
          expect(dense.points.at(-1)!.variables.length).toBeGreaterThan(2);
        } finally {
          store.close?.();
        }
      });
    }
  });
}
