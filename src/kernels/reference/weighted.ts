import type { Kernels } from "../interface.js";

/** Sums with weights and extremes in plain TypeScript. */
export function referenceWeightedKernels(
  memory: WebAssembly.Memory,
): Pick<
  Kernels,
  "weightedSums" | "informationSums" | "informationRoom" | "weightedCube" | "least" | "largest"
> {
  const f32 = (pointer: number, n: number) => new Float32Array(memory.buffer, pointer, n);
  const sum = (n: number, term: (i: number) => number): number => {
    let total = 0;
    for (let i = 0; i < n; i++) total += term(i);
    return total;
  };
  return {
    weightedSums(out, block, columns, stride, centers, w, r, n) {
      const [o, ms, ws, rs] = [
        new Float64Array(memory.buffer, out, 3 * columns),
        f32(centers, columns),
        f32(w, n),
        f32(r, n),
      ];
      for (let c = 0; c < columns; c++) {
        const xs = f32(block + 4 * c * stride, n);
        o[3 * c] += sum(n, (i) => (xs[i] - ms[c]) * rs[i]);
        o[3 * c + 1] += sum(n, (i) => (xs[i] - ms[c]) * ws[i]);
        o[3 * c + 2] += sum(n, (i) => (xs[i] - ms[c]) ** 2 * ws[i]);
      }
    },
    informationSums(out, panel, stride, k, w, r, n) {
      const o = new Float64Array(memory.buffer, out, k + k * k);
      const [ws, rs] = [f32(w, n), f32(r, n)];
      const xs = Array.from({ length: k }, (_, c) => f32(panel + 4 * c * stride, n));
      for (let c = 0; c < k; c++) {
        o[c] += sum(n, (i) => xs[c][i] * rs[i]);
        for (let d = c; d < k; d++) o[k + c * k + d] += sum(n, (i) => xs[c][i] * xs[d][i] * ws[i]);
      }
    },
    informationRoom: () => 0,
    weightedCube(x, w, n) {
      const [xs, ws] = [f32(x, n), f32(w, n)];
      return sum(n, (i) => ws[i] * Math.abs(xs[i]) ** 3);
    },
    least: (x, n) => (n > 0 ? f32(x, n).reduce((a, b) => Math.min(a, b)) : 0),
    largest: (x, n) => (n > 0 ? f32(x, n).reduce((a, b) => Math.max(a, b)) : 0),
  };
}
