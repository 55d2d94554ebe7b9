/** Data in which what matters shows in no single column: written without any code of the selection itself. */

import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { poisson } from "../../src/math/variates.js";

export interface Design {
  readonly columns: Float64Array[];
  readonly y: Float64Array;
  /** Columns that made the target. */
  readonly truth: readonly number[];
}

export type Kind = "pair" | "triple" | "behind" | "noise";
export type Response = "gaussian" | "binomial" | "poisson";

export interface DesignSettings {
  readonly rows: number;
  readonly columns: number;
  readonly seed: number;
  readonly kind: Kind;
  readonly response?: Response;
  /** Share of the (latent) variance that the group explains. */
  readonly share?: number;
  /** Correlation of all columns with a common factor, squared. */
  readonly common?: number;
}

/**
 * Independent standard normal columns (or with a common factor), of which
 *
 *     pair:    x₁ = ρx₀ + √(1 − ρ²)e with ρ = 0.95, and y = x₀ − x₁ + noise;
 *     triple:  x₂ = (x₀ + x₁)/√2·ρ + √(1 − ρ²)e, and y = (x₀ + x₁)/√2 − x₂/ρ + noise;
 *     behind:  a pair beside a third column with an effect of its own, through which both are correlated with it.
 */
export function design(settings: DesignSettings): Design {
  const { rows, seed, kind, response = "gaussian", share = 0.1, common = 0 } = settings;
  const rng = Rng.seeded(seed).split(settings.columns);
  const rho = 0.95;
  const rest = Math.sqrt(1 - rho * rho);
  const columns = Array.from({ length: settings.columns }, () => new Float64Array(rows));
  const y = new Float64Array(rows);
  const loading = Math.sqrt(common);
  const signal = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    const factor = loading * normal(rng);
    for (const column of columns) column[i] = factor + Math.sqrt(1 - common) * normal(rng);
    if (kind === "pair") {
      columns[1][i] = rho * columns[0][i] + rest * columns[1][i];
      signal[i] = (columns[0][i] - columns[1][i]) / Math.sqrt(2 * (1 - rho));
    } else if (kind === "triple") {
      const both = (columns[0][i] + columns[1][i]) * Math.SQRT1_2;
      const own = columns[2][i];
      columns[2][i] = rho * both + rest * own;
      signal[i] = own;
    } else if (kind === "behind") {
      const shared = columns[2][i];
      const first = columns[0][i];
      const second = rho * first + rest * columns[1][i];
      columns[0][i] = 0.7 * shared + Math.sqrt(0.51) * first;
      columns[1][i] = 0.7 * shared + Math.sqrt(0.51) * second;
      signal[i] = (first - second) / Math.sqrt(2 * (1 - rho));
    }
  }
  const beside = kind === "behind" ? columns[2] : new Float64Array(rows);
  const size = kind === "noise" ? 0 : Math.sqrt(share / (1 - share));
  for (let i = 0; i < rows; i++) {
    const eta = size * signal[i] + 0.5 * beside[i];
    if (response === "gaussian") y[i] = eta + normal(rng);
    else if (response === "binomial") y[i] = rng.uniform() < 1 / (1 + Math.exp(-2 * eta)) ? 1 : 0;
    else y[i] = poisson(rng, Math.exp(eta));
  }
  const truth = { pair: [0, 1], triple: [0, 1, 2], behind: [0, 1, 2], noise: [] }[kind];
  return { columns, y, truth };
}

/**
 * Few rows and many columns in blocks with a factor each, as genes have: correlations within a block are loading²,
 * blocks share one common factor, and the target is made by one column of each of `effects.length` blocks. Which
 * column of its block it was, the data cannot quite tell, and neither always which blocks.
 */
export function factorDesign(
  rows: number,
  blocks: number,
  size: number,
  loading: number,
  effects: readonly number[],
  seed: number,
): Design {
  const rng = Rng.seeded(seed).split(blocks);
  const columns = Array.from({ length: blocks * size }, () => new Float64Array(rows));
  const y = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    const common = normal(rng);
    for (let b = 0; b < blocks; b++) {
      const factor = 0.5 * common + Math.sqrt(0.75) * normal(rng);
      for (let c = 0; c < size; c++) {
        columns[b * size + c][i] = loading * factor + Math.sqrt(1 - loading * loading) * normal(rng);
      }
    }
    y[i] = effects.reduce((sum, effect, b) => sum + effect * columns[b * size][i], 0) + normal(rng);
  }
  return { columns, y, truth: effects.map((_, b) => b * size) };
}
