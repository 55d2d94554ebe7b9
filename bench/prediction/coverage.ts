/**
 * How often intervals for new observations hold them on rows that were held out, and whether predicted probabilities are
 * calibrated: `npm run build && node --import tsx bench/prediction/coverage.ts [SETS]`. Of small counts, of which whole
 * numbers cannot cut off 2.5%, it says also what the intervals claim to hold, and how many rows lie in the middle 95% once
 * the probability of the count itself is split at random (Czado, Gneiting and Held 2009), which is 95% where the law is
 * right.
 */

import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { poisson } from "../../src/math/variates.js";
import { type Predictor, predict, run } from "../../src/node.js";

const sets = Number(process.argv[2] ?? 100);
const [ROWS, NEW, COLUMNS] = [300, 200, 10];

interface Target {
  readonly family: "gaussian" | "binomial" | "poisson";
  draw(rng: Rng, eta: number): number;
  /** Whether its law is added up count by count. */
  readonly few?: true;
}

const TARGETS: Readonly<Record<string, Target>> = {
  measurements: { family: "gaussian", draw: (rng, eta) => eta + normal(rng) },
  classes: { family: "binomial", draw: (rng, eta) => Number(rng.uniform() < 1 / (1 + Math.exp(-eta))) },
  "counts, mean about 3": {
    family: "poisson",
    draw: (rng, eta) => poisson(rng, Math.exp(0.5 * eta + 1)),
    few: true,
  },
  "counts, mean about 400": { family: "poisson", draw: (rng, eta) => poisson(rng, Math.exp(0.5 * eta + 6)) },
};

/** Probabilities of counts 0, 1, …, by a mixture over models of Poisson laws with a log-normal mean. */
function countLaw({ variables, centre, average }: Predictor, of: (name: string) => number): number[] {
  const law = new Array<number>(400).fill(0);
  const z = Array.from({ length: 17 }, (_, i) => (i - 8) / 2);
  const density = z.map((at) => Math.exp(-0.5 * at * at));
  const total = density.reduce((sum, value) => sum + value, 0);
  for (const { probability, members, intercept, interceptVariance, mean, covariance } of average) {
    if (probability < 1e-4) continue;
    const d = members.map((k) => of(variables[k]) - centre[k]);
    const eta = d.reduce((sum, value, i) => sum + mean[i] * value, intercept);
    const variance = d.reduce(
      (sum, one, i) => d.reduce((inner, other, j) => inner + one * other * covariance[i * d.length + j], sum),
      interceptVariance,
    );
    z.forEach((at, node) => {
      const lambda = Math.exp(eta + Math.sqrt(variance) * at);
      let p = ((probability * density[node]) / total) * Math.exp(-lambda);
      for (let k = 0; k < law.length; k++) {
        law[k] += p;
        p *= lambda / (k + 1);
      }
    });
  }
  const sum = law.reduce((all, p) => all + p, 0);
  return law.map((p) => p / sum);
}

for (const [name, { family, draw, few }] of Object.entries(TARGETS)) {
  let [held, rows, outside, claimed, middle] = [0, 0, 0, 0, 0];
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
    const fresh: Record<string, number[]> & { y: number[] } = table(NEW);
    const predictor = fitted.details.predictor();
    const told = await predict(predictor, fresh);
    const { observationLower: low, observationUpper: high } = told;
    fresh.y.forEach((y, i) => {
      rows += 1;
      if (low && high) {
        held += Number(low[i] <= y && y <= high[i]);
        outside += Number(y < low[i]);
      }
      if (few && low && high) {
        const law = countLaw(predictor, (column) => fresh[column][i]);
        const upTo = (k: number) => law.slice(0, k + 1).reduce((sum, p) => sum + p, 0);
        claimed += upTo(high[i]) - upTo(low[i] - 1);
        const split = upTo(y - 1) + rng.uniform() * (law[y] ?? 0);
        middle += Number(split >= 0.025 && split <= 0.975);
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
    console.log(`${name}, ${sets} sets, said → seen: ${cells.join("; ")}`);
    continue;
  }
  const discrete = few ? `; ${percent(claimed)} claimed, ${percent(middle)} by the randomised law` : "";
  console.log(
    `${name}, ${sets} sets: ${percent(held)} of ${rows} held, ${percent(outside)} below${discrete}`,
  );
}
