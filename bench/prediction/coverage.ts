/**
 * How often intervals for new observations hold them on rows that were held out, and whether predicted probabilities are
 * calibrated: `npm run build && node --import tsx bench/prediction/coverage.ts [SETS]`.
 */

import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { poisson } from "../../src/math/variates.js";
import { predict, run } from "../../src/node.js";

const sets = Number(process.argv[2] ?? 100);
const [ROWS, NEW, COLUMNS] = [300, 200, 10];

type Draw = (rng: Rng, eta: number) => number;
const TARGETS: Readonly<Record<"gaussian" | "binomial" | "poisson", Draw>> = {
  gaussian: (rng, eta) => eta + normal(rng),
  binomial: (rng, eta) => Number(rng.uniform() < 1 / (1 + Math.exp(-eta))),
  poisson: (rng, eta) => poisson(rng, Math.exp(0.5 * eta + 1)),
};

for (const [family, draw] of Object.entries(TARGETS) as ["gaussian" | "binomial" | "poisson", Draw][]) {
  let [held, rows, outside] = [0, 0, 0];
  const bins = Array.from({ length: 5 }, () => ({ said: 0, seen: 0, rows: 0 }));
  for (let set = 1; set <= sets; set++) {
    const rng = Rng.seeded(104_729 * set);
    const beta = Array.from({ length: COLUMNS }, (_, j) => (j < 3 ? normal(rng) : 0));
    const table = (n: number) => {
      const x = beta.map(() => Array.from({ length: n }, () => normal(rng)));
      const y = x[0].map((_, i) =>
        draw(
          rng,
          beta.reduce((sum, b, j) => sum + b * x[j][i], 0),
        ),
      );
      return { ...Object.fromEntries(x.map((values, j) => [`x${j}`, values])), y };
    };
    const fitted = await run(table(ROWS), { target: "y", family, threads: 1 });
    const fresh = table(NEW);
    const told = await predict(fitted.details.predictor(), fresh);
    const { observationLower: low, observationUpper: high } = told;
    fresh.y.forEach((y, i) => {
      rows += 1;
      if (low && high) {
        held += Number(low[i] <= y && y <= high[i]);
        outside += Number(y < low[i]);
      }
      const bin = bins[Math.min(4, Math.floor(5 * told.mean[i]))];
      if (!bin || family !== "binomial") return;
      bin.said += told.mean[i];
      bin.seen += y;
      bin.rows += 1;
    });
  }
  const percent = (part: number) => `${((100 * part) / rows).toFixed(1)}%`;
  if (family === "binomial") {
    const cells = bins.map(
      ({ said, seen, rows: n }) =>
        `${((100 * said) / n).toFixed(1)}% → ${((100 * seen) / n).toFixed(1)}% of ${n}`,
    );
    console.log(`binomial, ${sets} sets, said → seen: ${cells.join("; ")}`);
  } else console.log(`${family}, ${sets} sets: ${percent(held)} of ${rows} held, ${percent(outside)} below`);
}
