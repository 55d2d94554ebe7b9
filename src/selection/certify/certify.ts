/**
 * One pass over the data gives, for every variable outside the candidates, the probability that it belongs: for
 * each probable model S, the odds of j being in among S and its neighbours that lack one member,
 *
 *     odds_j(S) = (p(S + j | y) + Σ_i p(S − i + j | y)) / (p(S | y) + Σ_i p(S − i | y))
 *
 * and pip_j = Σ_S p(S | y)·odds_j(S)/(1 + odds_j(S)). The exchanges catch substitutes of a member, which look
 * useless while it is in; the models without it keep a weak member from vouching for every other. All that is needed
 * of the data are the products of x_j with the columns of those models.
 */

import type { Arena } from "../../store/batch/arena.js";
import { panelProducts } from "../../store/batch/passes.js";
import type { Scaling } from "../../store/batch/scaling.js";
import { rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import { pass } from "../../workers/job.js";
import { Evidence, type Slab, type SufficientStatistics } from "../posterior/evidence.js";

/** The models against which outsiders are judged. Plain data: it crosses threads. */
export interface Judges {
  /** Columns of the store in `statistics`, in its order. */
  readonly columns: readonly number[];
  readonly statistics: SufficientStatistics;
  readonly slab: Slab;
  readonly noiseVariance: number | undefined;
  readonly models: readonly Judge[];
  /** The share of the posterior that they carry; 0 where they are a fair sample of it. */
  readonly covered: number;
  readonly scaling: Scaling;
  /** Sums of `columns` as the model sees them: zero where they are centred. */
  readonly sums: readonly number[];
}

export interface Judge {
  /** Positions in `columns`. */
  readonly members: readonly number[];
  /** p(S | y), over the judges. */
  readonly weight: number;
  /** log π(S + j)/π(S) for the model prior; −∞ when S is full. */
  readonly logPriorOfAdding: number;
  /** log π(S − i)/π(S). */
  readonly logPriorOfLeaving: number;
  /** Members that may be exchanged for an outsider. */
  readonly leaving: readonly number[];
}

export interface CertifyInput {
  readonly judges: Judges;
  readonly first: number;
  readonly last: number;
  /** Which of these columns are judged: those outside the candidates. */
  readonly outside: Uint8Array;
  /** x_j'x_j and x_j'y of the columns first … last, from the screen. */
  readonly diagonal: Float64Array;
  readonly cross: Float64Array;
}

export interface Certified {
  readonly first: number;
  readonly pip: Float64Array;
  /** One-step estimate of the coefficient given the most probable model. */
  readonly effect: Float64Array;
  /** Its score u/√d given the most probable model. */
  readonly score: Float64Array;
  /** Σ pip over these columns as each judge sees it. */
  readonly mass: Float64Array;
}

/** Columns judged at a time: bounds the scratch memory. */
const STRIP = 1024;

export function certifyColumns(store: Store, arena: Arena, job: CertifyInput): Certified {
  const { layout, kernels } = store;
  const { columns, scaling } = job.judges;
  const k = columns.length;
  const panel = arena.vector(Math.max(1, k) * layout.stride);
  const { pointer, values } = arena.sums(Math.max(1, k) * STRIP);
  const judge = judgement(job.judges);
  const pip = new Float64Array(job.last - job.first);
  const effect = new Float64Array(job.last - job.first);
  const score = new Float64Array(job.last - job.first);
  const mass = new Float64Array(job.judges.models.length);
  const addProducts = panelProducts(store);
  for (let from = job.first; from < job.last; from += STRIP) {
    const to = Math.min(job.last, from + STRIP);
    values.fill(0);
    for (let b = 0; b < layout.blocks && k > 0; b++) {
      const n = rowsIn(layout, b);
      columns.forEach((column, c) => {
        const at = panel.pointer + 4 * layout.stride * c;
        kernels.fill(at, scaling.offset[column], n);
        kernels.affineAxpy(at, scaling.slope[column], 0, store.run(b, column), n);
      });
      addProducts(pointer, b, from, to, panel.pointer, k);
    }
    for (let j = from; j < to; j++) {
      const products = values.subarray(k * (j - from), k * (j - from + 1));
      // Σ(s_j·u_j + o_j)·x_c from Σu_j·x_c
      for (let c = 0; c < k; c++) {
        products[c] = scaling.slope[j] * products[c] + scaling.offset[j] * job.judges.sums[c];
      }
      const i = j - job.first;
      if (job.outside[i])
        [pip[i], effect[i], score[i]] = judge(products, job.diagonal[i], job.cross[i], mass);
    }
  }
  return { first: job.first, pip, effect, score, mass };
}

export const certifyJob = pass("certify", certifyColumns);

/**
 * The verdict on a column from its products with the judges' columns, itself and the target; what each judge says is
 * added to `mass`.
 */
export function judgement({ statistics, slab, noiseVariance, models }: Judges) {
  const judges = models.map((model) => {
    const evidence = new Evidence(statistics, slab, noiseVariance);
    evidence.rebuild(model.members);
    return {
      weight: model.weight,
      judge: evidence.outsiders(model.logPriorOfAdding, model.logPriorOfLeaving, model.leaving),
    };
  });
  return (
    products: ArrayLike<number>,
    diagonal: number,
    cross: number,
    mass: Float64Array,
  ): [pip: number, effect: number, score: number] => {
    // A constant column explains nothing.
    if (!(diagonal > 0)) return [0, 0, 0];
    let pip = 0;
    let effect = 0;
    let score = 0;
    judges.forEach(({ weight, judge }, m) => {
      const verdict = judge(products, diagonal, cross);
      const share = verdict.odds / (1 + verdict.odds);
      pip += weight * share;
      mass[m] += share;
      if (m === 0) ({ effect, score } = verdict);
    });
    return [pip, effect, score];
  };
}
