import { expect, it } from "vitest";
import { gramSource } from "../../src/peers/gram-source.js";
import { innerProducts } from "../../src/peers/inner-products.js";
import { inDataUnits, scalingOf } from "../../src/peers/prepared.js";
import { Arena, view } from "../../src/store/batch/arena.js";
import { rowsIn } from "../../src/store/layout/layout.js";
import { DATA_START } from "../../src/store/store.js";
import reference from "../reference/glmnet.json" with { type: "json" };
import { storeOf } from "./store-of.js";

const { x, y } = reference.tall;

for (const standard of [true, false]) {
  it(`products of columns are those of the ${standard ? "standardised" : "raw"} data, intercept included`, async () => {
    const { store, pool } = await storeOf(x, y, 7);
    const gram = await gramSource(store, pool);
    const scaling = scalingOf({ store, gram }, standard);
    const { memory } = store.kernels;
    const arena = new Arena(memory, DATA_START + store.layout.bytes, memory.buffer.byteLength);
    const products = innerProducts(store, arena, scaling, gram.total);
    const p = x.length;
    const column = (j: number, slope: number, offset: number): number[] => {
      const values: number[] = [];
      for (let b = 0; b < store.layout.blocks; b++) {
        const run = { pointer: j < 0 ? store.run(b, p) : store.run(b, j), length: rowsIn(store.layout, b) };
        values.push(...Array.from(view(memory, run), (u) => slope * u + offset));
      }
      return values;
    };
    const response = column(-1, scaling.target.slope, scaling.target.offset);
    const seen = Array.from({ length: p + 1 }, (_, j) =>
      j === p ? response.map(() => 1) : column(j, scaling.slope[j], scaling.offset[j]),
    );
    const dot = (a: number[], b: number[]) => a.reduce((sum, value, i) => sum + value * b[i], 0);
    const close = (ours: number, a: number[], b: number[]) =>
      expect(Math.abs(ours - dot(a, b))).toBeLessThan(1e-6 * (Math.sqrt(dot(a, a) * dot(b, b)) + 1));
    close(products.targetSquares, response, response);
    for (let i = 0; i <= p; i++) {
      close(products.target(i), seen[i], response);
      for (let j = 0; j <= p; j++) close(products.pair(i, j), seen[i], seen[j]);
    }
  });
}

it("coefficients go back to the units of the data", async () => {
  const { store, pool } = await storeOf(x, y, 7);
  const gram = await gramSource(store, pool);
  const scaling = scalingOf({ store, gram }, true);
  const beta = Float64Array.from(x, (_, j) => Math.cos(j));
  const { coefficients, intercept } = inDataUnits(beta, scaling, store.shift);
  const row = x.map((column) => column[3]);
  const inside = row.reduce((eta, value, j) => {
    const stored = value - store.shift[j];
    return eta + beta[j] * (scaling.slope[j] * stored + scaling.offset[j]);
  }, 0);
  const fitted = (inside - scaling.target.offset) / scaling.target.slope + store.shift[x.length];
  expect(row.reduce((sum, value, j) => sum + coefficients[j] * value, intercept)).toBeCloseTo(fitted, 8);
});
