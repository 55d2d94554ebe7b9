/**
 * The discrete Fourier transform in place, X_k = Σ_n x_n e^{−2πikn/N}, for N a power of two
 * (Cooley and Tukey 1965: bit reversal, then butterflies of doubling width).
 */
export function fft(re: Float64Array, im: Float64Array): void {
  const n = re.length;
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j], re[i]];
      [im[i], im[j]] = [im[j], im[i]];
    }
  }
  const { cos, sin } = rootsOfUnity(n);
  for (let width = 2; width <= n; width *= 2) {
    const half = width >> 1;
    const stride = n / width;
    for (let start = 0; start < n; start += width) {
      for (let k = 0; k < half; k++) {
        const a = start + k;
        const b = a + half;
        const c = cos[k * stride];
        const s = sin[k * stride];
        const x = re[b] * c - im[b] * s;
        const y = re[b] * s + im[b] * c;
        re[b] = re[a] - x;
        im[b] = im[a] - y;
        re[a] += x;
        im[a] += y;
      }
    }
  }
}

const tables = new Map<number, { cos: Float64Array; sin: Float64Array }>();

/** e^{−2πik/n} for k < n/2, each computed directly (repeated multiplication would lose digits) and kept. */
function rootsOfUnity(n: number): { cos: Float64Array; sin: Float64Array } {
  let table = tables.get(n);
  if (table === undefined) {
    const angles = Float64Array.from({ length: n >> 1 }, (_, k) => (-2 * Math.PI * k) / n);
    table = { cos: angles.map(Math.cos), sin: angles.map(Math.sin) };
    tables.set(n, table);
  }
  return table;
}
