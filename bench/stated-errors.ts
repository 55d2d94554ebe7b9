/**
 * Stated errors of inclusion probabilities beside their spread over seeds, where models are sampled, for every family,
 * under the default priors and under fixed ones: `node --import tsx bench/stated-errors.ts [seeds] [rows] [columns]`.
 */

import type { FamilyName } from "../src/families/register.js";
import { normal } from "../src/math/normal.js";
import { Rng } from "../src/math/rng.js";
import { poisson } from "../src/math/variates.js";
import { fitRegression, variable } from "../test/selection/fit-arrays.js";

const seeds = Number(process.argv[2] ?? 20);
const rows = Number(process.argv[3] ?? 400);
const columns = Number(process.argv[4] ?? 30);

type Kind = FamilyName | "rare";
const DRAW: Readonly<Record<FamilyName, (rng: Rng, eta: number) => number>> = {
  gaussian: (rng, eta) => eta + 2.5 * normal(rng),
  binomial: (rng, eta) => Number(rng.uniform() < 1 / (1 + Math.exp(-eta))),
  poisson: (rng, eta) => poisson(rng, Math.exp(eta)),
};
const PRIORS = { "default priors": {}, "fixed priors": { priorInclusion: 0.15, slabVariance: 1 } };

for (const kind of ["gaussian", "binomial", "poisson", "rare"] as const) {
  const family = kind === "rare" ? "binomial" : kind;
  const data = problem(kind, family);
  for (const [name, priors] of Object.entries(PRIORS)) {
    const results = [];
    for (let seed = 1; seed <= seeds; seed++) {
      results.push(await fitRegression(data, { family, seed, ...priors }));
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
      `${kind}, ${name}: ${open} open questions, stated ${a.toFixed(5)}, seen ${b.toFixed(5)}, ratio ${(a / b).toFixed(2)}`,
    );
  }
}

/** Six effects among normal columns, or among indicators of 1% ones and more. */
function problem(kind: Kind, family: FamilyName): { columns: number[][]; y: number[] } {
  const rng = Rng.seeded(3);
  const x = Array.from({ length: columns }, (_, j) =>
    Array.from({ length: rows }, () =>
      kind === "rare" ? Number(rng.uniform() < 0.01 + 0.01 * j) : normal(rng),
    ),
  );
  const y = Array.from({ length: rows }, (_, i) =>
    DRAW[family](
      rng,
      x.slice(0, 6).reduce((sum, column, j) => sum + (0.45 - 0.05 * j) * column[i], -1),
    ),
  );
  return { columns: x, y };
}
