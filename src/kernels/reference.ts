import type { Kernels } from "./interface.js";
import { referenceColumnKernels } from "./reference/columns.js";
import { referenceEntryKernels } from "./reference/entries.js";
import { referenceGlmKernels } from "./reference/glm.js";
import { referencePlaceKernels } from "./reference/places.js";
import { referenceSketchKernels } from "./reference/sketches.js";
import { referenceWeightedKernels } from "./reference/weighted.js";

/** The kernels in plain TypeScript: the definition of correct. Sums run in float64 throughout. */
export function referenceKernels(memory: WebAssembly.Memory): Kernels {
  const f32 = (pointer: number, n: number) => new Float32Array(memory.buffer, pointer, n);
  const f64 = (pointer: number, n: number) => new Float64Array(memory.buffer, pointer, n);
  const sum = (n: number, term: (i: number) => number): number => {
    let total = 0;
    for (let i = 0; i < n; i++) total += term(i);
    return total;
  };

  const blockSums: Kernels["blockSums"] = (out, block, columns, stride, y, n) => {
    const [o, ys] = [f64(out, 3 * columns), f32(y, n)];
    for (let c = 0; c < columns; c++) {
      const xs = f32(block + 4 * c * stride, n);
      o[3 * c] += sum(n, (i) => xs[i]);
      o[3 * c + 1] += sum(n, (i) => xs[i] * xs[i]);
      o[3 * c + 2] += sum(n, (i) => xs[i] * ys[i]);
    }
  };

  function panelDots(out: number, x: number, panel: number, stride: number, k: number, n: number): void {
    const [o, xs] = [f64(out, k), f32(x, n)];
    for (let c = 0; c < k; c++) {
      const column = f32(panel + 4 * c * stride, n);
      o[c] += sum(n, (i) => xs[i] * column[i]);
    }
  }

  return {
    memory,
    ...referenceGlmKernels(memory),
    ...referenceSketchKernels(memory),
    ...referenceColumnKernels(memory),
    ...referenceEntryKernels(memory),
    ...referenceWeightedKernels(memory),
    ...referencePlaceKernels(memory),
    fill: (out, value, n) => void f32(out, n).fill(value),
    copy: (out, x, n) => f32(out, n).set(f32(x, n)),
    affine(out, a, b, x, n) {
      const [o, xs] = [f32(out, n), f32(x, n)];
      for (let i = 0; i < n; i++) o[i] = Math.fround(a) * xs[i] + Math.fround(b);
    },
    affineAxpy(out, a, b, x, n) {
      const [o, xs] = [f32(out, n), f32(x, n)];
      for (let i = 0; i < n; i++) o[i] += Math.fround(a) * xs[i] + Math.fround(b);
    },
    affineDot(a, b, x, r, n) {
      const [xs, rs] = [f32(x, n), f32(r, n)];
      return a * sum(n, (i) => xs[i] * rs[i]) + b * sum(n, (i) => rs[i]);
    },
    residual(out, y, eta, n) {
      const [o, ys, etas] = [f32(out, n), f32(y, n), f32(eta, n)];
      for (let i = 0; i < n; i++) o[i] = ys[i] - etas[i];
    },
    squaredError(eta, y, n) {
      const [etas, ys] = [f32(eta, n), f32(y, n)];
      return sum(n, (i) => (ys[i] - etas[i]) ** 2);
    },
    gaussianChange(d, eta, y, n) {
      const [ds, etas, ys] = [f32(d, n), f32(eta, n), f32(y, n)];
      return sum(n, (i) => ds[i] * (ys[i] - etas[i] - 0.5 * ds[i]));
    },
    columnSums: (out, x, y, n) => blockSums(out, x, 1, n, y, n),
    blockSums,
    readSum(x, n) {
      const xs = f32(x, n);
      return sum(n, (i) => xs[i]);
    },
    panelDots,
    tileDots(out, x, y, panel, stride, k, n) {
      panelDots(out, x, panel, stride, k, n);
      panelDots(out + 8 * k, y, panel, stride, k, n);
    },
    blockDots(out, block, columns, stride, panel, k, n) {
      for (let j = 0; j < columns; j++)
        panelDots(out + 8 * k * j, block + 4 * stride * j, panel, stride, k, n);
    },
    exactDots: panelDots,
    weightedSquare(center, x, w, n) {
      const [xs, ws] = [f32(x, n), f32(w, n)];
      return sum(n, (i) => ws[i] * (xs[i] - Math.fround(center)) ** 2);
    },
    product(out, x, w, n) {
      const [o, xs, ws] = [f32(out, n), f32(x, n), f32(w, n)];
      for (let i = 0; i < n; i++) o[i] = xs[i] * ws[i];
    },
  };
}
