/**
 * Do chains that start at the truth stay there? `node --import tsx bench/clusters/from-truth.ts SWEEPS DESIGN…`. For each
 * design a chain of sweeps from the mode next to the true labels and two from modes of their own: the log likelihood and
 * the log posterior mass of the mode, its adjusted Rand index, that of the most probable clusters over the chain, its
 * 5%, 50% and 95% quantiles over single draws, and the share of draws in which a cluster has less than one row.
 */

import { exactClusters } from "../../src/clustering/chains/cluster-chain.js";
import { gibbsChain } from "../../src/clustering/exact/gibbs-chain.js";
import { mixtureSweep, ofGroups } from "../../src/clustering/exact/mixture-exact.js";
import { mixtureMode, mixtureRefined } from "../../src/clustering/exact/mixture-mode.js";
import type { Mode } from "../../src/clustering/exact/mode.js";
import { resolution } from "../../src/clustering/exact/resolution.js";
import { exchangeableClusters } from "../../src/clustering/names/exchangeable.js";
import { relabelled } from "../../src/clustering/names/relabel.js";
import { standardised } from "../../src/clustering/standardised.js";
import { Rng } from "../../src/math/rng.js";
import { adjustedRand, design, emFromTruth } from "./designs.js";

const [sweeps, ...seeds] = process.argv.slice(2).map(Number);
const KEPT = 400;

function result(steps: Generator<undefined, Mode, void>): Mode {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

for (const seed of seeds) {
  const data = design(seed);
  const { columns, count, labels } = data;
  const { values } = standardised(data.values, columns);
  const rows = { rows: data.rows, columns, weight: 1, values };
  const exact = exactClusters({
    columns,
    components: count,
    covariance: "full",
    floor: [...resolution(values, columns)],
  });
  const all = exchangeableClusters(exact.model, rows);

  const indexOf = (claims: Float64Array): number =>
    adjustedRand(
      labels.map((_, i) => {
        const own = claims.subarray(i * count, (i + 1) * count);
        return own.indexOf(Math.max(...own));
      }),
      labels,
    );

  console.log(
    `design ${seed}: ${rows.rows} × ${columns}, ${count} clusters; EM from the truth ${adjustedRand(emFromTruth(data, false), labels).toFixed(3)}`,
  );
  for (const [c, start] of ["the truth", "its own", "its own"].entries()) {
    const rng = Rng.seeded(501 + c);
    const mode = result(
      c === 0
        ? mixtureRefined(exact, rows, ofGroups(exact, rows, labels))
        : mixtureMode(rng.split(1), exact, rows),
    );
    const draws: Float64Array[] = [];
    for (const { t, theta } of gibbsChain(mixtureSweep(exact, rows), rng.split(2), sweeps, mode)) {
      if (t > sweeps / 3 && t % Math.ceil((sweeps * 2) / 3 / KEPT) === 0) draws.push(theta.slice());
    }
    const mean = new Float64Array(rows.rows * count);
    for (const draw of relabelled(all, draws, mode.theta)) {
      all.claims(draw).forEach((claim, i) => {
        mean[i] += claim;
      });
    }
    const indices = draws.map((draw) => indexOf(all.claims(draw))).sort((a, b) => a - b);
    const empty = draws.filter((draw) => {
      const claims = all.claims(draw);
      const held = new Float64Array(count);
      claims.forEach((claim, i) => {
        held[i % count] += claim;
      });
      return Math.min(...held) < 1;
    }).length;
    const quantile = (p: number): string => indices[Math.floor(p * indices.length)].toFixed(2);
    console.log(
      `  from ${start}: log likelihood ${mode.logLikelihood.toFixed(1)}, log mass ${mode.value.toFixed(1)}, index of the mode ${indexOf(all.claims(mode.theta)).toFixed(2)}, of the chain ${indexOf(mean).toFixed(2)}, of its draws ${quantile(0.05)} ${quantile(0.5)} ${quantile(0.95)}, empty in ${((100 * empty) / draws.length).toFixed(0)}%`,
    );
  }
}
