/** A Gaussian mixture of three clusters on a million rows: `node --import tsx bench/mixture.ts [rows] [columns]`. */

import { clusters } from "../src/clustering/clusters.js";
import { normal } from "../src/math/normal.js";
import { Rng } from "../src/math/rng.js";

const rows = Number(process.argv[2] ?? 1e6);
const columns = Number(process.argv[3] ?? 4);
const weights = [0.5, 0.3, 0.2];

/** Correlation 0.5 inside the clusters where the model allows it. */
function simulate(correlation: number): Float32Array {
  const rng = Rng.seeded(1);
  const values = new Float32Array(rows * columns);
  for (let i = 0; i < rows; i++) {
    const u = rng.uniform();
    const k = u < weights[0] ? 0 : u < weights[0] + weights[1] ? 1 : 2;
    const common = normal(rng);
    for (let j = 0; j < columns; j++) {
      const noise = Math.sqrt(correlation) * common + Math.sqrt(1 - correlation) * normal(rng);
      values[i * columns + j] = 3 * k * (j % 2 === 0 ? 1 : -1) + (1 + 0.5 * k) * noise;
    }
  }
  return values;
}

for (const covariance of ["diagonal", "full"] as const) {
  const values = simulate(covariance === "full" ? 0.5 : 0);
  const started = performance.now();
  const fit = clusters(values, { columns, components: 3, covariance });
  const seconds = (performance.now() - started) / 1000;
  console.log(`${covariance}: ${rows} rows × ${columns} columns, 3 components: ${seconds.toFixed(1)} s`);
  console.log(" ", fit.verdict, fit.diagnostics);
  fit.clusters.forEach((cluster, k) => {
    const { weight, mean } = cluster;
    const error = mean.map((m, j) => (m.mean - 3 * k * (j % 2 === 0 ? 1 : -1)) / m.sd);
    console.log(
      `  weight ${weight.mean.toFixed(4)} (sd ${weight.sd.toFixed(5)}; true ${weights[k]}), means off by ${error.map((z) => z.toFixed(1)).join(", ")} sds, variance ${cluster.covariance[0][0].mean.toFixed(3)} (true ${((1 + 0.5 * k) ** 2).toFixed(3)})`,
    );
  });
}
