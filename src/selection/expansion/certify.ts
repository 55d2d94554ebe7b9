/**
 * The certificate's pass for a generalised linear model: the same verdict as for Gaussian data (certify.ts), from
 * the quadratic expansion at the mode. The products of an outsider x_j with the judges' columns, with itself and
 * with the working response are weighted by W and, with a flat intercept, centred by weighted means.
 */

import { type FamilyName, familyNamed } from "../../families/register.js";
import type { Arena } from "../../store/batch/arena.js";
import { rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import { pass } from "../../workers/job.js";
import { type Certified, type Judges, judgement, noVerdicts } from "../certify/certify.js";
import { type GlmPoint, linearPredictor, targetRun } from "./expansion.js";

export interface CertifyExpandedInput {
  readonly family: FamilyName;
  readonly judges: Judges;
  /** Where the expansion is, and the weighted mean of the working response there. */
  readonly point: GlmPoint;
  readonly hasIntercept: boolean;
  readonly response: number;
  /** Weighted means of the judges' columns, on the model's scale; zeros without an intercept. */
  readonly centres: Float64Array;
  readonly first: number;
  readonly last: number;
  /** Which of these columns are judged: those outside the candidates. */
  readonly outside: Uint8Array;
  /** Means of the stored numbers of the columns first … last. */
  readonly means: Float64Array;
}

/** Columns judged at a time: bounds the scratch memory. */
const STRIP = 1024;

export function certifyExpanded(store: Store, arena: Arena, job: CertifyExpandedInput): Certified {
  const { layout, kernels } = store;
  const { columns, scaling } = job.judges;
  const { slope, offset } = scaling;
  const likelihood = familyNamed(job.family).likelihood(kernels, { variance: 1 });
  const k = columns.length;
  // The judges' columns, then the working response, then the weights alone.
  const size = k + 2;
  const panel = arena.vector(size * layout.stride);
  const [eta, column] = [arena.vector(layout.stride), arena.vector(layout.stride)];
  const products = arena.sums(size * STRIP);
  const totals = new Float64Array(size);
  const squares = new Float64Array(STRIP);
  const { judge, certified } = expandedVerdicts(job);
  const at = (c: number): number => panel.pointer + 4 * layout.stride * c;

  for (let from = job.first; from < job.last; from += STRIP) {
    const to = Math.min(job.last, from + STRIP);
    products.values.fill(0);
    totals.fill(0);
    squares.fill(0);
    for (let b = 0; b < layout.blocks; b++) {
      const n = rowsIn(layout, b);
      fillPanel(b, n);
      for (let j = from; j < to; j++) {
        const run = store.run(b, j);
        kernels.panelDots(
          products.pointer + 8 * size * (j - from),
          run,
          panel.pointer,
          layout.stride,
          size,
          n,
        );
        squares[j - from] += kernels.weightedSquare(job.means[j - job.first], run, at(k + 1), n);
      }
    }
    for (let j = from; j < to; j++) {
      if (!job.outside[j - job.first]) continue;
      const sums = products.values.subarray(size * (j - from), size * (j - from + 1));
      judge(j, { sums, square: squares[j - from], totals });
    }
  }
  return certified;

  function fillPanel(b: number, n: number): void {
    const weights = at(k + 1);
    linearPredictor(store, scaling, job.point, eta.pointer, b, n);
    likelihood.weights(weights, eta.pointer, n);
    columns.forEach((j, c) => {
      kernels.fill(column.pointer, offset[j] - job.centres[c], n);
      kernels.affineAxpy(column.pointer, slope[j], 0, store.run(b, j), n);
      kernels.product(at(c), column.pointer, weights, n);
      totals[c] += kernels.affineDot(0, 1, at(c), at(c), n);
    });
    // W(ẑ − z̄) = W(η − z̄) + r
    const y = targetRun(store, scaling, column.pointer, b, n);
    likelihood.score(at(k), eta.pointer, y, n);
    kernels.affineAxpy(eta.pointer, 0, -job.response, eta.pointer, n);
    kernels.product(column.pointer, eta.pointer, weights, n);
    kernels.affineAxpy(at(k), 1, 0, column.pointer, n);
    totals[k] += kernels.affineDot(0, 1, at(k), at(k), n);
    totals[k + 1] += kernels.affineDot(0, 1, weights, weights, n);
  }
}

/** What the rows say of an outsider, as sums over the panel: the judges' columns, the working response, the weights. */
export interface OutsiderSums {
  /** Σu·panel of the stored numbers u; overwritten. */
  readonly sums: Float64Array;
  /** Σw·(u − mean)², about the mean of the stored numbers. */
  readonly square: number;
  /** Σ of each of the panel. */
  readonly totals: Float64Array;
}

/** Writes verdicts on columns from their sums. */
export function expandedVerdicts(job: CertifyExpandedInput): {
  readonly certified: Certified;
  judge(j: number, of: OutsiderSums): void;
} {
  const { columns, scaling } = job.judges;
  const k = columns.length;
  const write = judgement(job.judges);
  const verdicts = noVerdicts(job.last - job.first);
  const mass = new Float64Array(job.judges.models.length);
  return {
    certified: { first: job.first, ...verdicts, mass },
    /** From Σu·panel to products of x_j = slope·u + offset, less its weighted mean. */
    judge(j, { sums, square, totals }) {
      const total = totals[k + 1];
      const stored = job.means[j - job.first];
      const [s, offset] = [scaling.slope[j], scaling.offset[j]];
      const mean = sums[k + 1] / total;
      const around = square - total * (mean - stored) ** 2;
      const away = job.hasIntercept ? -s * mean : offset;
      for (let c = 0; c <= k; c++) sums[c] = s * sums[c] + away * totals[c];
      const diagonal = s * s * around + (job.hasIntercept ? 0 : total * (s * mean + offset) ** 2);
      write({ verdicts, mass, at: j - job.first }, sums.subarray(0, k), diagonal, sums[k]);
    },
  };
}

export const certifyExpandedJob = pass("certify-expanded", certifyExpanded);
