import { expect, test } from "vitest";
import { fft } from "../../src/math/fft.js";
import { Rng } from "../../src/math/rng.js";

test.each([1, 2, 8, 64])("the transform of %d numbers is its defining sum", (n) => {
  const rng = Rng.seeded(n);
  const re = Float64Array.from({ length: n }, () => rng.uniform() - 0.5);
  const im = Float64Array.from({ length: n }, () => rng.uniform() - 0.5);
  const [a, b] = [re.slice(), im.slice()];
  fft(a, b);
  for (let k = 0; k < n; k++) {
    let [x, y] = [0, 0];
    for (let i = 0; i < n; i++) {
      const angle = (-2 * Math.PI * k * i) / n;
      x += re[i] * Math.cos(angle) - im[i] * Math.sin(angle);
      y += re[i] * Math.sin(angle) + im[i] * Math.cos(angle);
    }
    expect(a[k]).toBeCloseTo(x, 12);
    expect(b[k]).toBeCloseTo(y, 12);
  }
});
