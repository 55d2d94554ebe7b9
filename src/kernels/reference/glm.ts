import type { GlmKernels } from "../interface.js";

/** Where the kernels saturate, so that nothing overflows; see GlmKernels. */
const LARGEST_ETA = 1e30;
const LARGEST_EXPONENT = 300;
const LARGEST_FLOAT32_EXPONENT = 88;
const LARGEST_FLOAT32_MEAN = 44;
const SMALLEST_FLOAT32_EXPONENT = -87.3;

const clamp = (x: number, low: number, high: number) => Math.max(low, Math.min(x, high));
const bounded = (eta: number) => clamp(eta, -LARGEST_ETA, LARGEST_ETA);
const exp32 = (x: number) => Math.exp(clamp(x, SMALLEST_FLOAT32_EXPONENT, LARGEST_FLOAT32_EXPONENT));
const softplus = (x: number) => Math.max(x, 0) + Math.log1p(exp32(-Math.abs(x)));

interface Family {
  weight(eta: number): number;
  /** y − mean */
  score(eta: number, y: number): number;
  logLikelihood(eta: number, y: number): number;
  /** logLikelihood(eta + d) − logLikelihood(eta), without subtracting what nearly cancels */
  change(d: number, eta: number, y: number): number;
}

const sigmoid = (eta: number) => (eta > 0 ? 1 : exp32(eta)) / (1 + exp32(-Math.abs(eta)));

const binomial: Family = {
  weight: (eta) => sigmoid(eta) * sigmoid(-eta),
  score: (eta, y) => y * sigmoid(-eta) - (1 - y) * sigmoid(eta),
  logLikelihood: (eta, y) => -y * softplus(-bounded(eta)) - (1 - y) * softplus(bounded(eta)),
  change(d, eta, y) {
    // softplus(eta + d) − softplus(eta) = log1p(mean·expm1(d)), mirrored for d > 0
    if (Math.abs(d) <= 1) {
      return d > 0
        ? (y - 1) * d - Math.log1p(sigmoid(-eta) * Math.expm1(-d))
        : y * d - Math.log1p(sigmoid(eta) * Math.expm1(d));
    }
    return this.logLikelihood(bounded(eta) + bounded(d), y) - this.logLikelihood(eta, y);
  },
};

const mean32 = (eta: number) => exp32(Math.min(eta, LARGEST_FLOAT32_MEAN));
const mean64 = (eta: number) => Math.exp(Math.min(eta, LARGEST_EXPONENT));

const poisson: Family = {
  weight: mean64,
  score: (eta, y) => y - mean64(eta),
  logLikelihood: (eta, y) => y * bounded(eta) - mean64(eta),
  change: (d, eta, y) => y * bounded(d) - mean64(eta) * Math.expm1(Math.min(d, LARGEST_EXPONENT)),
};

/** The kernels of the families in plain TypeScript: the definition of correct. Everything runs in float64. */
export function referenceGlmKernels(memory: WebAssembly.Memory): GlmKernels {
  const f32 = (pointer: number, n: number) => new Float32Array(memory.buffer, pointer, n);
  const f64 = (pointer: number, n: number) => new Float64Array(memory.buffer, pointer, n);
  const map = (out: number, n: number, term: (i: number) => number) => {
    const o = f32(out, n);
    for (let i = 0; i < n; i++) o[i] = term(i);
  };
  const sum = (n: number, term: (i: number) => number): number => {
    let total = 0;
    for (let i = 0; i < n; i++) total += term(i);
    return total;
  };

  const logLikelihood =
    (family: Family) =>
    (eta: number, y: number, n: number): number => {
      const [etas, ys] = [f32(eta, n), f32(y, n)];
      return sum(n, (i) => family.logLikelihood(etas[i], ys[i]));
    };
  const change =
    (family: Family) =>
    (d: number, eta: number, y: number, n: number): number => {
      const [ds, etas, ys] = [f32(d, n), f32(eta, n), f32(y, n)];
      return sum(n, (i) => family.change(ds[i], etas[i], ys[i]));
    };
  const oneVariable =
    (family: Family): GlmKernels["binomialOneVariable"] =>
    (out, a, b, center, scale, x, y, n) => {
      const [o, xs, ys] = [f64(out, 6), f32(x, n), f32(y, n)];
      for (let i = 0; i < n; i++) {
        const z = (xs[i] - center) * scale;
        const eta = a + b * z;
        const score = family.score(eta, ys[i]);
        const weight = family.weight(eta);
        o[0] += family.logLikelihood(eta, ys[i]);
        o[1] += score;
        o[2] += score * z;
        o[3] += weight;
        o[4] += weight * z;
        o[5] += weight * z * z;
      }
    };

  return {
    exp(out, x, n) {
      const xs = f32(x, n);
      map(out, n, (i) => exp32(xs[i]));
    },
    softplus(out, x, n) {
      const xs = f32(x, n);
      map(out, n, (i) => softplus(xs[i]));
    },
    binomialLogLikelihood: logLikelihood(binomial),
    binomialScore(out, eta, y, n) {
      const [etas, ys] = [f32(eta, n), f32(y, n)];
      map(out, n, (i) => binomial.score(etas[i], ys[i]));
    },
    binomialWeights(out, eta, n) {
      const etas = f32(eta, n);
      map(out, n, (i) => binomial.weight(etas[i]));
    },
    binomialChange: change(binomial),
    binomialOneVariable: oneVariable(binomial),
    poissonLogLikelihood: logLikelihood(poisson),
    poissonScore(out, eta, y, n) {
      const [etas, ys] = [f32(eta, n), f32(y, n)];
      map(out, n, (i) => ys[i] - mean32(etas[i]));
    },
    poissonWeights(out, eta, n) {
      const etas = f32(eta, n);
      map(out, n, (i) => mean32(etas[i]));
    },
    poissonChange: change(poisson),
    poissonOneVariable: oneVariable(poisson),
  };
}
