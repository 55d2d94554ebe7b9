/**
 * One pass over the data gives, for every variable outside the candidates, the probability that it belongs: for
 * each probable model S, the odds of j being in among S and its neighbours that lack one member,
 *
 *     odds_j(S) = (p(S + j | y) + Σ_i p(S − i + j | y)) / (p(S | y) + Σ_i p(S − i | y))
 *
 * and pip_j = Σ_S w(S)·odds_j(S)/(1 + odds_j(S)), w(S) being what S and those neighbours weigh, each of them counted once. The exchanges catch substitutes of a member, which look
 * useless while it is in; the models without it keep a weak member from vouching for every other. All that is needed
 * of the data are the products of x_j with the columns of those models.
 */

import type { Arena } from "../../store/batch/arena.js";
import { panelProducts, stripOf } from "../../store/batch/passes.js";
import type { Scaling } from "../../store/batch/scaling.js";
import { rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import { pass } from "../../workers/job.js";
import type { SufficientStatistics } from "../posterior/evidence.js";
import type { FixedSlab, Slab } from "../posterior/slab.js";
import { verdictWriter } from "./verdict-writer.js";

/** The models against which outsiders are judged. Plain data: it crosses threads. */
export interface Judges {
  /** Columns of the store in `statistics`, in its order. */
  readonly columns: readonly number[];
  readonly statistics: SufficientStatistics;
  readonly noiseVariance: number | undefined;
  readonly models: readonly Judge[];
  /** Scales of the slab at which the columns outside are added up. */
  readonly slabKind: Slab["kind"];
  readonly scales: readonly number[];
  /** The share of the posterior that they carry; 0 where they are a fair sample of it. */
  readonly covered: number;
  readonly scaling: Scaling;
  /** Sums of `columns` as the model sees them: zero where they are centred. */
  readonly sums: readonly number[];
}

export interface Judge {
  /** Positions in `columns`. */
  readonly members: readonly number[];
  /** The scales of the slab that matter to it, and their shares. */
  readonly scales: readonly {
    readonly slab: FixedSlab;
    readonly share: number;
    readonly memberGain: number;
  }[];
  /** p(S | y), over the judges. */
  readonly weight: number;
  /** Whether the models without one of `leaving` add to that: they are nobody else's, and S is no draw of a sample. */
  readonly withNeighbours: boolean;
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
  /** Products of the columns first … last with the judges' columns, where an earlier pass has summed them. */
  readonly known: readonly (Float64Array | undefined)[];
  /** Of how many of the others they are to be returned. */
  readonly kept: number;
  /** x_j'x_j and x_j'y of the columns first … last, from the screen. */
  readonly diagonal: Float64Array;
  readonly cross: Float64Array;
}

export interface Certified extends Verdicts {
  readonly first: number;
  /** Σ pip over these columns as each judge sees it. */
  readonly mass: Float64Array;
  /**
   * By scale of the slab, added up: by how much each of them raises the odds of the first judge that it joins, the prior
   * apart. Those that belong by themselves do not count: they are to be candidates.
   */
  readonly factors: Float64Array;
}

/** With products that were not known before, with as many of the judges' columns as was asked for. */
export interface CertifiedColumns extends Certified {
  readonly fresh: readonly Float64Array[];
}

/** What the judges say of each of some columns; zeros where they were not asked. */
export interface Verdicts {
  /** The probability to belong. */
  readonly pip: Float64Array;
  /** How much of that is owed to standing in for a member of the models that judge. */
  readonly exchange: Float64Array;
  /** Of the coefficient given that it is in: mean, standard deviation, and the probability to be positive. */
  readonly mean: Float64Array;
  readonly sd: Float64Array;
  readonly positive: Float64Array;
  /** Its score u/√d given the most probable model. */
  readonly score: Float64Array;
}

export function noVerdicts(columns: number): Verdicts {
  const zeros = () => new Float64Array(columns);
  const positive = zeros().fill(0.5);
  return { pip: zeros(), exchange: zeros(), mean: zeros(), sd: zeros(), positive, score: zeros() };
}

export const noSums = ({ models, scales }: Judges) => ({
  mass: new Float64Array(models.length),
  factors: new Float64Array(scales.length),
});

export function certifyColumns(store: Store, arena: Arena, job: CertifyInput): CertifiedColumns {
  const { columns, scaling, sums } = job.judges;
  const unknown = columns.filter((_, c) => !job.known[c]);
  const fresh = summedProducts(store, arena, job, unknown);
  const products = columns.map((column, c) => job.known[c] ?? fresh[unknown.indexOf(column)]);
  const verdicts = noVerdicts(job.last - job.first);
  const written = { verdicts, ...noSums(job.judges) };
  const { judge, finish } = verdictWriter(job.judges, written);
  const own = new Float64Array(columns.length);
  for (let i = 0; i < job.last - job.first; i++) {
    if (!job.outside[i]) continue;
    const [slope, offset] = [scaling.slope[job.first + i], scaling.offset[job.first + i]];
    // Σ(s_j·u_j + o_j)·x_c from Σu_j·x_c
    for (let c = 0; c < own.length; c++) own[c] = slope * products[c][i] + offset * sums[c];
    judge(i, own, job.diagonal[i], job.cross[i]);
  }
  finish();
  const { mass, factors } = written;
  return { first: job.first, ...verdicts, mass, factors, fresh: fresh.slice(0, job.kept) };
}

/** Σu_j·x_c over all rows, by columns x_c. */
function summedProducts(
  store: Store,
  arena: Arena,
  { judges: { scaling }, first, last }: CertifyInput,
  columns: readonly number[],
): Float64Array[] {
  const { layout, kernels } = store;
  const k = columns.length;
  const out = columns.map(() => new Float64Array(last - first));
  if (k === 0) return out;
  const panel = arena.vector(k * layout.stride);
  const strip = Math.min(last - first, stripOf(layout, 8 * k));
  const { pointer, values } = arena.sums(k * strip);
  const products = panelProducts(store, arena, k);
  for (let from = first; from < last; from += strip) {
    const to = Math.min(last, from + strip);
    values.fill(0);
    for (let b = 0; b < layout.blocks; b++) {
      const n = rowsIn(layout, b);
      columns.forEach((column, c) => {
        const at = panel.pointer + 4 * layout.stride * c;
        kernels.affine(at, scaling.slope[column], scaling.offset[column], store.run(b, column), n);
      });
      products.take(b, panel.pointer);
      products.add(pointer, from, to);
    }
    for (let j = from; j < to; j++) {
      for (let c = 0; c < k; c++) out[c][j - first] = values[k * (j - from) + c];
    }
  }
  return out;
}

export const certifyJob = pass("certify", certifyColumns, ({ fresh, ...certified }) => [
  ...fresh,
  ...Object.values(certified).filter((values) => ArrayBuffer.isView(values)),
]);
