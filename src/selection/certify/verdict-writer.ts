/** What all judges together say of columns outside, from products of these with the judges' columns. */

import type { JudgedColumns, JudgingPart } from "../../kernels/outsiders.js";
import { wasmJudging } from "../../kernels/wasm-outsiders.js";
import { Evidence } from "../posterior/evidence.js";
import type { FixedSlab } from "../posterior/slab.js";
import { JOIN } from "./belonging.js";
import type { Judges, Verdicts } from "./certify.js";

/** Columns that are judged at once: their products with twenty others stay near the processor. */
const AT_ONCE = 256;

/** Where verdicts are written, and Σ pip as each judge sees it. */
export interface Written {
  readonly verdicts: Verdicts;
  readonly mass: Float64Array;
  /** What all that are to stay outside add to the first judge, by scale. */
  readonly factors: Float64Array;
}

export interface VerdictWriter {
  /** A column to be judged, and the place of its verdict, which is written at the latest when all are finished. */
  judge(at: number, products: ArrayLike<number>, diagonal: number, cross: number): void;
  finish(): void;
}

export function verdictWriter(judges: Judges, { verdicts, mass, factors }: Written): VerdictWriter {
  const { columns, models } = judges;
  const { parts, bare } = termsOf(judges);
  const beside = parts.map((of) => of.reduce((sum, { share, terms }) => sum + share * terms.weight, 0));
  const weights = models.map(({ weight, withNeighbours }, m) =>
    withNeighbours ? weight * beside[m] : weight,
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const ask = wasmJudging(parts);
  const askForFactors = wasmJudging(bare);
  const room = (): Float64Array => new Float64Array(AT_ONCE);
  const waiting = { cross: columns.map(room), own: room(), target: room() };
  const places = new Int32Array(AT_ONCE);
  let count = 0;
  const sums = { mean: room(), square: room(), positive: room() };
  const finish = (): void => {
    const asked: JudgedColumns = { ...waiting, count };
    for (const sum of Object.values(sums)) sum.fill(0);
    ask(asked, (m, { weight, mean, square, positive, exchange, score }) => {
      const share = weights[m] / total;
      for (let i = 0; i < asked.count; i++) {
        const at = places[i];
        const odds = weight[i] / beside[m];
        const pip = odds / (1 + odds);
        mass[m] += pip;
        verdicts.pip[at] += share * pip;
        verdicts.exchange[at] += (share * exchange[i]) / beside[m] / (1 + odds);
        if (m === 0) verdicts.score[at] = score[i];
        if (!(weight[i] > 0)) continue;
        const each = (share * pip) / weight[i];
        sums.mean[i] += each * mean[i];
        sums.square[i] += each * square[i];
        sums.positive[i] += each * positive[i];
      }
    });
    for (let i = 0; i < count; i++) {
      const at = places[i];
      const pip = verdicts.pip[at];
      if (!(pip > 0)) continue;
      const mean = sums.mean[i] / pip;
      verdicts.mean[at] = mean;
      verdicts.sd[at] = Math.sqrt(Math.max(0, sums.square[i] / pip - mean * mean));
      verdicts.positive[at] = sums.positive[i] / pip;
    }
    askForFactors(asked, (s, { weight }) => {
      for (let i = 0; i < asked.count; i++) if (verdicts.pip[places[i]] <= JOIN) factors[s] += weight[i];
    });
    count = 0;
  };
  return {
    judge(at, products, diagonal, cross) {
      // A constant column explains nothing.
      if (!(diagonal > 0)) return;
      places[count] = at;
      for (let c = 0; c < columns.length; c++) waiting.cross[c][count] = products[c];
      waiting.own[count] = diagonal;
      waiting.target[count] = cross;
      count += 1;
      if (count === AT_ONCE) finish();
    },
    finish,
  };
}

/** How each model judges, at the scales that matter to it; and how the first one does at each, whatever the prior. */
function termsOf({ statistics, noiseVariance, models, slabKind, scales }: Judges): {
  readonly parts: readonly JudgingPart[][];
  readonly bare: readonly JudgingPart[][];
} {
  const evidenceOf = (slab: FixedSlab, members: readonly number[]): Evidence => {
    const evidence = new Evidence(statistics, slab, noiseVariance);
    evidence.rebuild(members);
    return evidence;
  };
  return {
    parts: models.map(({ members, scales, logPriorOfAdding, logPriorOfLeaving, leaving }) =>
      scales.map(({ slab, share, memberGain }) => {
        const [adding, without] = [logPriorOfAdding + memberGain, logPriorOfLeaving - memberGain];
        return { share, terms: evidenceOf(slab, members).outsiders(adding, without, leaving) };
      }),
    ),
    bare: scales.map((scale) => {
      const evidence = evidenceOf({ kind: slabKind, scale }, models[0].members);
      return [{ share: 1, terms: evidence.outsiders(0, 0, []) }];
    }),
  };
}
