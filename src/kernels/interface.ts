/**
 * The hot loops. Arguments called out, x, y, r, eta, d, panel, rows and values are byte offsets into `memory`;
 * vectors are float32, row lists uint32, sums float64. `n` counts elements.
 */
export interface Kernels {
  readonly memory: WebAssembly.Memory;
  fill(out: number, value: number, n: number): void;
  /** out += a·x + b */
  affineAxpy(out: number, a: number, b: number, x: number, n: number): void;
  /** Σ (a·x + b)·r */
  affineDot(a: number, b: number, x: number, r: number, n: number): number;
  /** out = y − eta */
  residual(out: number, y: number, eta: number, n: number): void;
  /** Σ (y − eta)² */
  squaredError(eta: number, y: number, n: number): number;
  /** Σ d·(y − eta) − ½d² */
  gaussianChange(d: number, eta: number, y: number, n: number): number;
  /** out[0…3) += Σx, Σx², Σxy, in float64 */
  columnSums(out: number, x: number, y: number, n: number): void;
  /** out[c] += Σ x·panel_c in float64, for k panel columns `stride` elements apart */
  panelDots(out: number, x: number, panel: number, stride: number, k: number, n: number): void;
  /** As panelDots, with every product and sum in float64 */
  exactDots(out: number, x: number, panel: number, stride: number, k: number, n: number): void;
  /** out[i] = x[rows[i]] */
  gather(out: number, x: number, rows: number, n: number): void;
  /** out[rows[i]] += a·values[i] */
  scatterAxpy(out: number, a: number, rows: number, values: number, n: number): void;
  /** Σ values[i]·r[rows[i]] */
  gatherDot(rows: number, values: number, r: number, n: number): number;
}
