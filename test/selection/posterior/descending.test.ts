import { expect, it } from "vitest";
import { Rng } from "../../../src/math/rng.js";
import { descendingOrder } from "../../../src/selection/posterior/enumeration/descending.js";

const usual = (values: Float64Array) =>
  Uint32Array.from(values.keys()).sort((a, b) => values[b] - values[a] || a - b);

it.each([
  ["of all sizes", (rng: Rng) => Math.exp(40 * (rng.uniform() - 0.5))],
  ["with equal ones among them", (rng: Rng) => Math.ceil(20 * rng.uniform())],
  ["closer than the digits that are kept", (rng: Rng) => 1 + 1e-12 * Math.ceil(50 * rng.uniform())],
])("numbers %s come largest first, equal ones in their order", (_, draw) => {
  const rng = Rng.seeded(4);
  for (const count of [0, 1, 2, 3000]) {
    const values = Float64Array.from({ length: count }, () => draw(rng));
    expect(descendingOrder(values)).toEqual(usual(values));
  }
});
