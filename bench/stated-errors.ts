/**
 * Stated errors of inclusion probabilities of classes and counts beside their spread over seeds, where models are
 * sampled: `node --import tsx bench/stated-errors.ts [seeds] [rows] [columns]`.
 */

import { normal } from "../src/math/normal.js";
import { Rng } from "../src/math/rng.js";
import { poisson } from "../src/math/variates.js";
import { fitRegression, variable } from "../test/selection/fit-arrays.js";

const seeds = Number(process.argv[2] ?? 20);
const rows = Number(process.argv[3] ?? 400);
const columns = Number(process.argv[4] ?? 30);

for (const kind of ["binomial", "poisson", "rare"] as const) {
  const rng = Rng.seeded(3);
  const family = kind === "rare" ? "binomial" : kind;
  const x = Array.from({ length: columns }, (_, j) =>
    Array.from({ length: rows }, () =>
      kind === "rare" ? (rng.uniform() < 0.01 + 0.01 * j ? 1 : 0) : normal(rng),
    ),
  );
  const y = Array.from({ length: rows }, (_, i) => {
    const eta = x.slice(0, 6).reduce((sum, column, j) => sum + (0.45 - 0.05 * j) * column[i], -1);
    return family === "poisson"
      ? poisson(rng, Math.exp(eta))
      : rng.uniform() < 1 / (1 + Math.exp(-eta))
        ? 1
        : 0;
  });
  const results = [];
  for (let seed = 1; seed <= seeds; seed++) {
    results.push(
      await fitRegression({ columns: x, y }, { family, seed, priorInclusion: 0.15, slabVariance: 1 }),
    );
  }
  let [seen, stated, open] = [0, 0, 0];
  for (let j = 0; j < columns; j++) {
    const ours = results.map((result) => variable(result, `x${j}`));
    const mean = ours.reduce((sum, { pip }) => sum + pip, 0) / seeds;
    if (mean < 0.02 || mean > 0.98) continue;
    open += 1;
    seen += ours.reduce((sum, { pip }) => sum + (pip - mean) ** 2, 0) / (seeds - 1);
    stated += ours.reduce((sum, { pipError }) => sum + pipError ** 2, 0) / seeds;
  }
  const [a, b] = [Math.sqrt(stated / open), Math.sqrt(seen / open)];
  console.log(
    `${kind}: ${open} open questions, stated ${a.toFixed(5)}, seen ${b.toFixed(5)}, ratio ${(a / b).toFixed(2)}`,
  );
}
