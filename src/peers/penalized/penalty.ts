/**
 * Penalties on one coefficient, as coordinate descent sees them: the minimiser of ½v·b² − z·b + P(b).
 *
 *   elastic net  P = λ(α|b| + ½(1 − α)b²)                      (Zou and Hastie 2005; the Lasso is α = 1)
 *   MCP          P'(b) = max(0, λ − c|b|/γ)                      (Zhang 2010)
 *   SCAD         P'(b) = λ for c|b| ≤ λ, max(0, γλ − c|b|)/(γ − 1) beyond   (Fan and Li 2001)
 *
 * c is the curvature that γ refers to: 1 for a Gaussian with standardised columns, ¼ for a binomial, whose
 * information is at most a quarter of the Gaussian's (Breheny and Huang 2011 rescale in the same way).
 */

export interface Penalty {
  readonly name: "lasso" | "elastic-net" | "mcp" | "scad";
  /** Every entry to the model is at |gradient| = entry·λ. */
  readonly entry: number;
  /** False when the minimiser of a whole problem need not be unique. */
  readonly convex: boolean;
  minimizer(z: number, v: number, lambda: number): number;
  /** P'(|b|), the right derivative; at 0 the threshold that a gradient must exceed. */
  slope(size: number, lambda: number): number;
  value(size: number, lambda: number): number;
}

const soft = (z: number, threshold: number): number =>
  z > threshold ? z - threshold : z < -threshold ? z + threshold : 0;

export function elasticNet(alpha: number): Penalty {
  return {
    name: alpha === 1 ? "lasso" : "elastic-net",
    entry: alpha,
    convex: true,
    minimizer: (z, v, lambda) => soft(z, alpha * lambda) / (v + (1 - alpha) * lambda),
    slope: (size, lambda) => lambda * (alpha + (1 - alpha) * size),
    value: (size, lambda) => lambda * (alpha * size + 0.5 * (1 - alpha) * size * size),
  };
}

export const lasso: Penalty = elasticNet(1);

export function mcp(gamma = 3, curvature = 1): Penalty {
  const c = curvature / gamma;
  return {
    name: "mcp",
    entry: 1,
    convex: false,
    minimizer(z, v, lambda) {
      if (Math.abs(z) * c > v * lambda) return z / v;
      // v ≤ c: concave all the way to the flat part, so only 0 and the flat part remain.
      if (v <= c) return 0.5 * z * z > v * flat(lambda) ? z / v : 0;
      return soft(z, lambda) / (v - c);
    },
    slope: (size, lambda) => Math.max(0, lambda - c * size),
    value: (size, lambda) => (c * size < lambda ? lambda * size - 0.5 * c * size * size : flat(lambda)),
  };
  function flat(lambda: number): number {
    return (0.5 * lambda * lambda) / c;
  }
}

export function scad(gamma = 3.7, curvature = 1): Penalty {
  const c = curvature / (gamma - 1);
  return {
    name: "scad",
    entry: 1,
    convex: false,
    minimizer(z, v, lambda) {
      const size = Math.abs(z);
      if (size * curvature > gamma * lambda * v) return z / v;
      if ((size - lambda) * curvature <= lambda * v) return soft(z, lambda) / v;
      return (z - (Math.sign(z) * gamma * lambda) / (gamma - 1)) / (v - c);
    },
    slope(size, lambda) {
      const scaled = curvature * size;
      return scaled <= lambda ? lambda : Math.max(0, gamma * lambda - scaled) / (gamma - 1);
    },
    value(size, lambda) {
      const scaled = curvature * size;
      if (scaled <= lambda) return lambda * size;
      if (scaled >= gamma * lambda) return (0.5 * lambda * lambda * (gamma + 1)) / curvature;
      const over = gamma * lambda * scaled - 0.5 * (scaled * scaled + lambda * lambda);
      return over / (gamma - 1) / curvature;
    },
  };
}

/** How far a coefficient is from stationary: the distance of the gradient of the fit from ∂P(b). */
export function violation(penalty: Penalty, gradient: number, b: number, lambda: number): number {
  if (b === 0) return Math.max(0, Math.abs(gradient) - penalty.slope(0, lambda));
  return Math.abs(gradient - Math.sign(b) * penalty.slope(Math.abs(b), lambda));
}
