/**
 * Whether the grid of posterior-grid.ts says what `mixed` says: the same data of uneven groups to both, with the default
 * prior. One line a data set; `node --import tsx bench/mixed/grid-check.ts [sets]`. Columns: groups, truth over the noise,
 * lower end, median and upper end by `mixed` and by the grid, and the largest difference over the posterior sd.
 */

import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { fitMixed } from "../../src/mixed/fit.js";
import { addRow, emptyCrossProducts } from "../../src/mixed/model/crossproducts.js";
import { addGroup, designOf, edgesOf, type Grouped, masses, summary } from "./posterior-grid.js";
import { spikeAndSlab } from "./spike-and-slab.js";

const sets = Number(process.argv[2] ?? 3);

/** The same rows as cross-products and as what the grid needs. */
function twice(rng: Rng, groups: number, truth: number) {
  const products = emptyCrossProducts(
    ["(intercept)"],
    "y",
    Array.from({ length: groups }, (_, i) => String(i)),
  );
  const sizes = Array.from({ length: 46 }, (_, i) => ({ rows: 5 + i, count: 0, sum: 0, squares: 0 }));
  let [within, freedom] = [0, -groups];
  for (let i = 0; i < groups; i++) {
    const size = sizes[Math.floor(46 * rng.uniform())];
    const effect = truth * normal(rng);
    const values = Array.from({ length: size.rows }, () => effect + normal(rng));
    for (const value of values) addRow(products, i, [1, value]);
    const mean = values.reduce((sum, value) => sum + value, 0) / size.rows;
    addGroup(size, mean);
    within += values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    freedom += size.rows;
  }
  const grouped: Grouped = { sizes: sizes.filter(({ count }) => count > 0), within, freedom };
  return { products, grouped };
}

for (const groups of [30, 100]) {
  for (const truth of [0.05, 0.2, 1]) {
    for (let set = 0; set < sets; set++) {
      const { products, grouped } = twice(
        Rng.seeded(set).split(groups + Math.round(100 * truth)),
        groups,
        truth,
      );
      const edges = edgesOf(groups, designOf(grouped), truth);
      const grid = summary(masses(grouped, edges, [spikeAndSlab])[0], edges);
      const options = { target: "y", group: "g", iterations: 5000, seed: set + 1 };
      const { result } = await fitMixed(products, options);
      const [sd] = result.random.sd;
      const ours = [sd.lower, sd.median, sd.upper];
      const theirs = [grid.lower, grid.median, grid.upper];
      const far = Math.max(...ours.map((value, j) => Math.abs(value - theirs[j]))) / grid.sd;
      console.log(
        `${groups}, ${truth}`.padEnd(10),
        ...[...ours, ...theirs].map((value) => value.toFixed(3)),
        far.toFixed(3),
      );
    }
  }
}
