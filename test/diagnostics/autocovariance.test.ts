import { expect, test } from "vitest";
import { autocovariance } from "../../src/diagnostics/autocovariance.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";

test.each([1, 7, 64, 200])("short and long lags of %d draws are the defining sums", (n) => {
  const rng = Rng.seeded(n);
  const draws = Float64Array.from({ length: n }, () => 3 + normal(rng));
  const centre = draws.reduce((sum, x) => sum + x, 0) / n;
  const ours = autocovariance(draws);
  for (let t = 0; t < n; t++) {
    let sum = 0;
    for (let i = 0; i + t < n; i++) sum += (draws[i] - centre) * (draws[i + t] - centre);
    expect(ours(t)).toBeCloseTo(sum / n, 12);
  }
});
