/**
 * The certificate's pass for a generalised linear model: the same verdict as for Gaussian data (certify.ts), from
 * the quadratic expansion at the mode. The products of an outsider x_j with the judges' columns, with itself and
 * with the working response are weighted by W and, with a flat intercept, centred by weighted means.
 */

import { type FamilyName, familyNamed } from "../../families/register.js";
import type { Arena } from "../../store/batch/arena.js";
import { panelProducts, stripOf } from "../../store/batch/passes.js";
import { asSeen, weightedSums } from "../../store/batch/weighted-sums.js";
import { rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import { type Job, pass } from "../../workers/job.js";
import { type Certified, type Judges, noSums, noVerdicts } from "../certify/certify.js";
import { verdictWriter } from "../certify/verdict-writer.js";
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
  /** Columns whose sums somebody may ask for next, with their centres. */
  readonly spare: { readonly columns: readonly number[]; readonly centres: Float64Array };
  readonly first: number;
  readonly last: number;
  /** Which of these columns are judged: those outside the candidates. */
  readonly outside: Uint8Array;
  /** Means of the stored numbers of the columns first … last. */
  readonly means: Float64Array;
  readonly known: KnownSums;
}

/** Sums over all rows of some columns with one vector: Σu·vector of their stored numbers, and Σ of the vector itself. */
export interface VectorSums {
  readonly products: Float64Array;
  readonly total: number;
}

/** With the working response and with the weights w alone, and Σw·(u − mean)² of every column. */
export interface RestSums {
  readonly response: VectorSums;
  readonly weights: VectorSums;
  readonly squares: Float64Array;
}

/** Sums of the columns first … last that an earlier pass at the same point has left. */
export interface KnownSums {
  /** With each of the judges' columns. */
  readonly judges: readonly (VectorSums | undefined)[];
  readonly rest: RestSums | undefined;
}

/** Verdicts, and the sums that were not known before, spare ones last; absent where nobody could use them again. */
export interface CertifiedExpanded extends Certified {
  readonly fresh?: { readonly judges: readonly VectorSums[]; readonly rest: RestSums | undefined };
}

export function certifyExpanded(store: Store, arena: Arena, job: CertifyExpandedInput): CertifiedExpanded {
  const { known, first, last } = job;
  const { columns } = job.judges;
  const unknown = columns.flatMap((_, c) => (known.judges[c] ? [] : [c]));
  const isNew = unknown.length > 0 || !known.rest;
  const asked = [
    ...unknown.map((c) => ({ column: columns[c], centre: job.centres[c] })),
    ...job.spare.columns.map((column, c) => ({ column, centre: job.spare.centres[c] })),
  ];
  const fresh = isNew ? freshSums(store, arena, job, asked) : undefined;
  const judges = known.judges.map((sums, c) => sums ?? fresh!.judges[unknown.indexOf(c)]);
  const { response, weights, squares } = known.rest ?? fresh!.rest!;
  const panel = [...judges, response, weights];
  const totals = Float64Array.from(panel, ({ total }) => total);
  const { judge, finish } = expandedVerdicts(job);
  const sums = new Float64Array(panel.length);
  for (let j = first; j < last; j++) {
    if (!job.outside[j - first]) continue;
    for (let c = 0; c < panel.length; c++) sums[c] = panel[c].products[j - first];
    judge(j, { sums, square: squares[j - first], totals });
  }
  return { ...finish(), ...(fresh && { fresh }) };
}

/** A column whose products with all others are asked for, and its weighted mean on the model's scale. */
interface AskedColumn {
  readonly column: number;
  readonly centre: number;
}

/** Columns of a block that stay at hand while they are read twice. */
const NEAR = 8;

/** One pass over the rows: with those of the judges' columns, and with the rest where that is not known. */
function freshSums(
  store: Store,
  arena: Arena,
  job: CertifyExpandedInput,
  asked: readonly AskedColumn[],
): NonNullable<CertifiedExpanded["fresh"]> {
  const { layout } = store;
  const { first, last, means } = job;
  const count = asked.length;
  const rows = weighedRows(store, arena, job, asked);
  const strip = Math.min(last - first, stripOf(layout, 8 * (count + 3)));
  const panel = arena.sums(count * strip);
  const newton = arena.sums(3 * strip);
  const centres = Float32Array.from(means);
  const ofPanel = panelProducts(store, arena, count);
  const addNewton = job.known.rest ? undefined : weightedSums(store, arena, centres, first);
  const products = asked.map(() => new Float64Array(last - first));
  const rest = Array.from({ length: 3 }, () => new Float64Array(last - first));
  const [response, weights, squares] = rest;
  for (let from = first; from < last; from += strip) {
    const to = Math.min(last, from + strip);
    panel.values.fill(0);
    newton.values.fill(0);
    rows.reset();
    for (let b = 0; b < layout.blocks; b++) {
      rows.fill(b);
      ofPanel.take(b, rows.panel);
      for (let j = from; j < to; j += NEAR) {
        const end = Math.min(to, j + NEAR);
        const [sums, moments] = [panel.pointer + 8 * count * (j - from), newton.pointer + 24 * (j - from)];
        if (count > 0) ofPanel.add(sums, j, end);
        addNewton?.(moments, { block: b, ...rows.newton }, j, end);
      }
    }
    for (let j = from; j < to; j++) {
      for (let c = 0; c < count; c++) products[c][j - first] = panel.values[count * (j - from) + c];
      for (let c = 0; c < 3; c++) rest[c][j - first] = newton.values[3 * (j - from) + c];
    }
  }
  const totals = rows.totals();
  for (let i = 0; i < last - first; i++) {
    const sums = { residual: response[i], weight: weights[i], square: squares[i] };
    const centre = centres[i];
    const plain = asSeen(sums, totals, { slope: 1, offset: 0, centre });
    response[i] = plain.residual;
    weights[i] = plain.weight;
    squares[i] = asSeen(sums, totals, { slope: 1, offset: -means[i], centre }).square;
  }
  return {
    judges: products.map((sums, c) => ({ products: sums, total: totals.judges[c] })),
    rest: addNewton && {
      response: { products: response, total: totals.residual },
      weights: { products: weights, total: totals.weight },
      squares,
    },
  };
}

/** What the columns are multiplied with, block by block, and sums over the blocks. */
function weighedRows(store: Store, arena: Arena, job: CertifyExpandedInput, asked: readonly AskedColumn[]) {
  const { layout, kernels } = store;
  const { slope, offset } = job.judges.scaling;
  const likelihood = familyNamed(job.family).likelihood(kernels, { variance: 1 });
  const [eta, column, response, weights] = Array.from({ length: 4 }, () => arena.vector(layout.stride));
  const panel = arena.vector(asked.length * layout.stride);
  const sums = { judges: asked.map(() => 0), residual: 0, weight: 0 };
  return {
    panel: panel.pointer,
    newton: { residual: response.pointer, weights: weights.pointer },
    totals: () => sums,
    reset(): void {
      sums.judges.fill(0);
      sums.residual = sums.weight = 0;
    },
    fill(b: number): void {
      const n = rowsIn(layout, b);
      const total = (vector: number): number => kernels.affineDot(0, 1, vector, vector, n);
      linearPredictor(store, job.judges.scaling, job.point, eta.pointer, b, n);
      likelihood.weights(weights.pointer, eta.pointer, n);
      asked.forEach(({ column: j, centre }, c) => {
        const out = panel.pointer + 4 * layout.stride * c;
        kernels.affine(column.pointer, slope[j], offset[j] - centre, store.run(b, j), n);
        kernels.product(out, column.pointer, weights.pointer, n);
        sums.judges[c] += total(out);
      });
      // W(ẑ − z̄) = W(η − z̄) + r
      const y = targetRun(store, job.judges.scaling, column.pointer, b, n);
      likelihood.score(response.pointer, eta.pointer, y, n);
      kernels.affineAxpy(eta.pointer, 0, -job.response, eta.pointer, n);
      kernels.product(column.pointer, eta.pointer, weights.pointer, n);
      kernels.affineAxpy(response.pointer, 1, 0, column.pointer, n);
      sums.residual += total(response.pointer);
      sums.weight += total(weights.pointer);
    },
  };
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

/** Verdicts on columns from their sums, once all are finished. */
export function expandedVerdicts(job: CertifyExpandedInput): {
  judge(j: number, of: OutsiderSums): void;
  finish(): Certified;
} {
  const { columns, scaling } = job.judges;
  const k = columns.length;
  const verdicts = noVerdicts(job.last - job.first);
  const sums = noSums(job.judges);
  const all = verdictWriter(job.judges, { verdicts, ...sums });
  return {
    finish() {
      all.finish();
      return { first: job.first, ...verdicts, ...sums };
    },
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
      all.judge(j - job.first, sums, diagonal, sums[k]);
    },
  };
}

export const certifyExpandedJob: Job<CertifyExpandedInput, CertifiedExpanded> = pass(
  "certify-expanded",
  certifyExpanded,
);
