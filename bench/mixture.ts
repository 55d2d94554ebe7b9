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
  const before = process.cpuUsage();
  const fit = await clusters(values, { columns, components: 3, covariance });
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1e6;
  console.log(
    `${covariance}: ${rows} rows × ${columns} columns, 3 components: ${seconds.toFixed(1)} s of CPU`,
  );
  console.log(" ", fit.verdict, fit.diagnostics);
  // Were the labels known, the sds would be these; they hide little here.
  fit.clusters.forEach(({ weight, mean, covariance: spread }, k) => {
    const w = weights[k];
    const [sdOfWeight, sdOfMean] = [Math.sqrt((w * (1 - w)) / rows), (1 + 0.5 * k) / Math.sqrt(w * rows)];
    const error = mean.map((m, j) => (m.mean - 3 * k * (j % 2 === 0 ? 1 : -1)) / m.sd);
    const ratio = mean.map((m) => (m.sd / sdOfMean).toFixed(2));
    console.log(
      `  weight ${weight.mean.toFixed(4)} (sd ${weight.sd.toFixed(5)}, ${(weight.sd / sdOfWeight).toFixed(2)} of that with known labels; true ${w}), means off by ${error.map((z) => z.toFixed(1)).join(", ")} sds (${ratio.join(", ")} of those), variance ${spread[0][0].mean.toFixed(3)} ± ${spread[0][0].sd.toFixed(3)} (true ${((1 + 0.5 * k) ** 2).toFixed(3)})`,
    );
  });
}
