import type { SketchKernels } from "../interface.js";

/** Where element i of column c of n elements stands in a panel for `farProducts`. */
function panelPlace(c: number, i: number, n: number): number {
  return 16 * n * (c >> 4) + 32 * (i >> 1) + 2 * (c & 15) + (i & 1);
}

/** The kernels of sketches in plain TypeScript. */
export function referenceSketchKernels(memory: WebAssembly.Memory): SketchKernels {
  const f32 = (pointer: number, n: number) => new Float32Array(memory.buffer, pointer, n);
  const f64 = (pointer: number, n: number) => new Float64Array(memory.buffer, pointer, n);
  const u32 = (pointer: number, n: number) => new Uint32Array(memory.buffer, pointer, n);
  const sum = (n: number, term: (i: number) => number): number => {
    let total = 0;
    for (let i = 0; i < n; i++) total += term(i);
    return total;
  };
  return {
    stretchDots(out, x, r, ends, count) {
      let start = 0;
      u32(ends, count).forEach((end, s) => {
        const [xs, rs] = [f32(x + 4 * start, end - start), f32(r + 4 * start, end - start)];
        f64(out, count)[s] += sum(end - start, (i) => xs[i] * rs[i]);
        start = end;
      });
    },
    farProducts(out, x, y, panel, k, n, low, high) {
      const i16 = (pointer: number) => new Int16Array(memory.buffer, pointer, n);
      const columns = new Int16Array(memory.buffer, panel, k * n);
      const products = [x, y].flatMap((vector) =>
        Array.from({ length: k }, (_, c) => {
          const own = i16(vector);
          return sum(n, (i) => own[i] * columns[panelPlace(c, i, n)]);
        }),
      );
      const far = [...products.entries()].filter(([, product]) => product <= low || product >= high);
      new Int32Array(memory.buffer, out, 2 * far.length).set(far.flat());
      return far.length;
    },
    weave(out, columns, k, n) {
      const [plain, woven] = [columns, out].map((at) => new Int16Array(memory.buffer, at, k * n));
      plain.forEach((value, at) => {
        woven[panelPlace(Math.floor(at / n), at % n, n)] = value;
      });
    },
    combine(x, a, panel, weights, k, n) {
      const [xs, ps, ws] = [f64(x, n), f64(panel, k * n), f64(weights, k)];
      for (let i = 0; i < n; i++) xs[i] = a * xs[i] + sum(k, (c) => ws[c] * ps[c * n + i]);
      return sum(n, (i) => xs[i] * xs[i]);
    },
    flip(out, x, words, bit, n) {
      const signs = u32(words, n);
      f32(out, n).set(f32(x, n).map((value, i) => ((signs[i] >>> bit) & 1 ? value : -value)));
    },
    narrow: (out, x, a, n) => f32(out, n).set(f64(x, n).map((value) => a * value)),
    shorten(out, x, a, n) {
      const o = new Int16Array(memory.buffer, out, n);
      f32(x, n).forEach((value, i) => {
        const scaled = Math.fround(Math.fround(a) * value);
        const [below, rest] = [Math.floor(scaled), scaled - Math.floor(scaled)];
        o[i] = rest === 0.5 ? below + Math.abs(below % 2) : Math.round(scaled);
      });
    },
  };
}
