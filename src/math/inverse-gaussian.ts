import { normal } from "./normal.js";
import type { Rng } from "./rng.js";

/**
 * Inverse Gaussian with the given mean and shape λ: density ∝ x^(−3/2)·exp(−λ(x − μ)²/(2μ²x)). Michael, Schucany and
 * Haas (1976), with the smaller root as μ/(1 + a + √(a² + 2a)), which loses no digits for large means; an infinite
 * mean is the Lévy distribution.
 */
export function inverseGaussian(rng: Rng, mean: number, shape: number): number {
  const square = normal(rng) ** 2;
  if (mean === Number.POSITIVE_INFINITY) return shape / square;
  const a = (mean * square) / (2 * shape);
  const root = 1 + a + Math.sqrt(a) * Math.sqrt(a + 2);
  // The roots are μ/root and μ·root; the smaller is taken with probability μ/(μ + μ/root).
  return rng.uniform() * (1 + root) < root ? mean / root : mean * root;
}
