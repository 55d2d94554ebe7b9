/** The laws of the coefficients of thousands of models from sums of products, by a kernel. */

import { chainBuffer, chainKernels, Region } from "../../../kernels/chain-memory.js";
import { laidOut } from "../../../kernels/laid-out.js";
import type { Centre } from "../centre.js";
import type { ModelPosterior, SufficientStatistics } from "../evidence.js";
import { scaleLaw, scalesThatMatter } from "../scale-law.js";
import type { Slab } from "../slab.js";
import { SATURATED } from "../worth.js";
import type { WantedLaw } from "./mixture.js";
import { firstPlace, NEGLIGIBLE, posteriorAt } from "./model-law.js";

export interface AskedLaw {
  readonly members: readonly number[];
  /** Of its scale among those of the slab; the most probable one unless told. */
  readonly place?: number | undefined;
}

/** Everything that the models share. */
export interface LawsOf {
  readonly statistics: SufficientStatistics;
  readonly slab: Slab;
  readonly noiseVariance: number | undefined;
  readonly centre: Centre | undefined;
}

/** Hardly anybody asks for a covariance: it is worked out for who does. */
class LawOfMany implements ModelPosterior {
  private known: Float64Array | undefined;
  readonly residualSquares: number;
  readonly passing: number;

  constructor(
    private readonly of: LawsOf,
    private readonly place: number,
    readonly members: readonly number[],
    readonly mean: Float64Array,
    readonly variances: Float64Array,
    { residualSquares, passing }: { readonly residualSquares: number; readonly passing: number },
  ) {
    this.residualSquares = residualSquares;
    this.passing = passing;
  }

  get freedom(): number {
    return this.of.noiseVariance === undefined ? this.of.statistics.freedom : Number.POSITIVE_INFINITY;
  }

  get covariance(): Float64Array {
    const { statistics, slab, noiseVariance } = this.of;
    this.known ??= posteriorAt(statistics, slab, noiseVariance, this.members, this.place).covariance;
    return this.known;
  }
}

/** Models that the kernel works on at a time. */
const AT_ONCE = 1024;
const region = new Region();

export function manyLaws(of: LawsOf, asked: readonly AskedLaw[]): ModelPosterior[] {
  const laws: ModelPosterior[] = [];
  for (let from = 0; from < asked.length; from += AT_ONCE) {
    for (const law of someLaws(of, asked.slice(from, from + AT_ONCE))) laws.push(law);
  }
  return laws;
}

function someLaws(of: LawsOf, asked: readonly AskedLaw[]): ModelPosterior[] {
  const { statistics, slab, noiseVariance, centre } = of;
  const { size, gram, cross, targetSquares, freedom } = statistics;
  const sizes = asked.map(({ members }) => members.length);
  const all = sizes.reduce((sum, k) => sum + k, 0);
  const most = Math.max(...sizes);
  const { scales, logPrior } = slab;
  const room = 2 * most * (most + 2) + most;
  const wide = [3 * asked.length + 2 * all, gram.length, size, size, scales.length, scales.length, room];
  const narrow = [all, asked.length, asked.length];
  const start = region.hold(laidOut(0, wide, narrow).end);
  const { at: lists } = laidOut(start, wide, narrow);
  const [out, sums, crosses, away, ofScales, ofPriors, rows, members, ofSizes, places] = lists;
  const buffer = chainBuffer();
  const numbers = (at: number, values: ArrayLike<number>) => new Float64Array(buffer, at).set(values);
  const whole = (at: number, values: ArrayLike<number>) => new Int32Array(buffer, at).set(values);
  numbers(sums, gram);
  numbers(crosses, cross);
  numbers(away, centre?.means ?? new Float64Array(size));
  numbers(ofScales, scales);
  numbers(ofPriors, logPrior);
  whole(
    members,
    asked.flatMap((model) => model.members),
  );
  whole(ofSizes, sizes);
  whole(
    places,
    asked.map(({ place = -1 }) => place),
  );
  const kernels = chainKernels();
  const zellner = slab.kind === "zellner";
  kernels.ofProblem(ofScales, ofPriors, Number(zellner), noiseVariance ?? -1, targetSquares, freedom);
  const given = [out, sums, crosses, away, members, ofSizes, places, rows];
  kernels.modelLaws(...given, size, asked.length, firstPlace(slab), scales.length);
  const found = new Float64Array(buffer, out, wide[0]).slice();
  let at = 0;
  return asked.map((model, m) => {
    const k = sizes[m];
    const [place, fit, passing] = found.subarray(at, at + 3);
    const mean = found.subarray(at + 3, at + 3 + k);
    const variances = found.subarray(at + 3 + k, at + 3 + 2 * k);
    at += 3 + 2 * k;
    const shrink = zellner ? scales[place] / (1 + scales[place]) : 1;
    const residualSquares = Math.max(targetSquares - shrink * fit, SATURATED * targetSquares);
    const spread = shrink * (noiseVariance ?? residualSquares / freedom);
    for (let i = 0; i < k; i++) {
      mean[i] *= shrink;
      variances[i] *= spread;
    }
    return new LawOfMany(of, place, model.members, mean, variances, {
      residualSquares,
      passing: spread * passing,
    });
  });
}

/** The parts of every model: one for each scale that matters to it where they are to be told apart. */
export function lawsOf(of: LawsOf, models: readonly WantedLaw[]) {
  const { statistics, slab, noiseVariance, centre } = of;
  const parts = models.map(({ members, fine }) => {
    if (!fine || slab.scales.length === 1) return [{ members, place: undefined, share: 1 }];
    const law = scaleLaw(statistics, slab, noiseVariance, members);
    return scalesThatMatter(slab, law, NEGLIGIBLE).map(({ place, share }) => ({ members, place, share }));
  });
  const laws = manyLaws(of, parts.flat());
  let next = 0;
  return parts.map((ofModel) => ofModel.map(({ share }) => ({ share, posterior: laws[next++], centre })));
}
