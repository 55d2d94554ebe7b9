/**
 * The posterior over all models of a small Gaussian problem, straight from the definition: for each subset of the
 * columns a dense inverse and determinant in float64. Shares nothing with what it checks.
 *
 *     p(y | S) ∝ |I + vG|^(−½)·(y'y − b'(G + I/v)⁻¹b)^(−ν/2)          σ² unknown, slab N(0, vσ²)
 *     p(y | S) ∝ |I + vG/σ²|^(−½)·exp(b'(G + Iσ²/v)⁻¹b/(2σ²))           σ² known, slab N(0, v)
 *     Zellner: (1 + g)^(−k/2), and the fit of least squares shrunk by g/(1 + g)
 */

import { studentTCdf } from "../../src/math/distributions.js";
import { inner, invert, times } from "../dense.js";
import { centred, type Regression } from "./problems.js";

export interface BruteForceSettings {
  readonly slab: "independent" | "zellner";
  /** v or g, or several with the logarithms of their prior weights. */
  readonly scale: number | readonly { readonly scale: number; readonly logPrior: number }[];
  readonly noiseVariance?: number;
  /** log π of one model that holds this many selectable columns. */
  readonly logPrior: (size: number) => number;
  readonly always?: readonly number[];
  readonly maxSize?: number;
  readonly intercept: boolean;
  /** Whether the slab speaks of columns with standard deviation one. */
  readonly standard: boolean;
}

export interface BruteForce {
  readonly pip: number[];
  /** In the units of the data. */
  readonly mean: number[];
  readonly sd: number[];
  /** Probability that a coefficient is positive, given that it is in. */
  readonly positive: number[];
  /** Of the number of selectable columns. */
  readonly size: number[];
  readonly noise: number;
  readonly models: ReadonlyMap<string, number>;
}

export function bruteForce({ columns, y }: Regression, settings: BruteForceSettings): BruteForce {
  const { slab, noiseVariance, always = [] } = settings;
  const scales =
    typeof settings.scale === "number" ? [{ scale: settings.scale, logPrior: 0 }] : settings.scale;
  const p = columns.length;
  const rows = y.length;
  const sd = columns.map((values) => {
    const c = centred(values);
    return settings.standard ? Math.sqrt(inner(c, c) / (rows - 1)) : 1;
  });
  const x = columns.map((values, j) => (settings.intercept ? centred(values) : values).map((u) => u / sd[j]));
  const target = settings.intercept ? centred(y) : y;
  const freedom = rows - (settings.intercept ? 1 : 0);
  const gram = x.map((a) => x.map((b) => inner(a, b)));
  const cross = x.map((a) => inner(a, target));
  const squares = inner(target, target);

  const found: { members: number[]; log: number; mean: number[]; variance: number[]; noise: number }[] = [];
  for (let index = 0; index < scales.length * 2 ** p; index++) {
    const { scale, logPrior } = scales[Math.floor(index / 2 ** p)];
    const mask = index % 2 ** p;
    const members = Array.from({ length: p }, (_, j) => j).filter((j) => (mask >> j) & 1);
    const k = members.length;
    const free = members.filter((j) => !always.includes(j)).length;
    if (k - free < always.length || free > (settings.maxSize ?? p)) continue;
    const g = members.map((a) => members.map((b) => gram[a][b]));
    const b = members.map((a) => cross[a]);
    const v = noiseVariance === undefined ? scale : scale / noiseVariance;
    const shrunk = invert(
      g.map((row, i) =>
        row.map((value, j) => (slab === "zellner" ? value * (1 + 1 / scale) : value + (i === j ? 1 / v : 0))),
      ),
    );
    const mean = times(shrunk.inverse, b);
    const fit = inner(b, mean);
    // |I + vG| = vᵏ|G + I/v|
    const logDeterminant =
      slab === "zellner" ? k * Math.log1p(scale) : k * Math.log(v) + shrunk.logDeterminant;
    const residual = squares - fit;
    const logFit =
      noiseVariance === undefined ? -0.5 * freedom * Math.log(residual) : fit / (2 * noiseVariance);
    // The mean of σ² given the model; the variance of a t with ν degrees of freedom is that times A⁻¹, too.
    const noise = noiseVariance ?? residual / (freedom - 2);
    found.push({
      members,
      log: logPrior + settings.logPrior(free) - 0.5 * logDeterminant + logFit,
      mean,
      variance: mean.map((_, i) => noise * shrunk.inverse[i][i]),
      noise,
    });
  }
  const largest = Math.max(...found.map(({ log }) => log));
  const total = found.reduce((sum, { log }) => sum + Math.exp(log - largest), 0);
  const result = {
    pip: new Array(p).fill(0),
    mean: new Array(p).fill(0),
    sd: new Array(p).fill(0),
    positive: new Array(p).fill(0),
    size: new Array(p - always.length + 1).fill(0),
    noise: 0,
    models: new Map<string, number>(),
  };
  for (const model of found) {
    const weight = Math.exp(model.log - largest) / total;
    const key = model.members.join();
    result.models.set(key, weight + (result.models.get(key) ?? 0));
    result.size[model.members.length - always.length] += weight;
    result.noise += weight * model.noise;
    model.members.forEach((j, i) => {
      result.pip[j] += weight;
      // Of a t with ν degrees of freedom: its squared scale is its variance times (ν − 2)/ν.
      const t = noiseVariance === undefined ? freedom : Number.POSITIVE_INFINITY;
      const scale = Math.sqrt(model.variance[i] * (noiseVariance === undefined ? (t - 2) / t : 1));
      result.positive[j] += weight * studentTCdf(model.mean[i] / scale, t);
      result.mean[j] += (weight * model.mean[i]) / sd[j];
      result.sd[j] += (weight * (model.mean[i] ** 2 + model.variance[i])) / sd[j] ** 2;
    });
  }
  result.positive = result.positive.map((weight, j) => weight / result.pip[j]);
  result.sd = result.sd.map((square, j) => Math.sqrt(Math.max(0, square - result.mean[j] ** 2)));
  return result;
}
