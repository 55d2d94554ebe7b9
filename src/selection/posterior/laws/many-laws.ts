/** The laws of the coefficients of thousands of models from sums of products, by a kernel. */

import { chainBuffer, chainKernels } from "../../../kernels/chain-memory.js";
import type { Centre } from "../centre.js";
import type { ModelPosterior, PackedLaw } from "../evidence.js";
import { scalesThatMatter } from "../scale-law.js";
import { SATURATED } from "../worth.js";
import { type Asked, eachLaid, type ModelsOf } from "./laid-models.js";
import type { Component, WantedLaw } from "./mixture.js";
import { firstPlace, NEGLIGIBLE, posteriorAt } from "./model-law.js";
import { scaleLaws } from "./scale-laws.js";

export interface LawsOf extends ModelsOf {
  readonly centre: Centre | undefined;
}

/** Numbers of a law before its means and variances: the place of its scale, b'A⁻¹b, c'A⁻¹b and c'A⁻¹c. */
const HEAD = 4;

/** A law among the numbers of others. Hardly anybody asks for more than these: it is worked out for who does. */
class LawOfMany implements ModelPosterior, PackedLaw {
  private known: Float64Array | undefined;
  private readonly place: number;
  readonly freedom: number;
  readonly residualSquares: number;
  readonly leaning: number;
  readonly passing: number;
  readonly meanAt: number;
  readonly variancesAt: number;

  /** The kernel has left out the noise and what Zellner's prior shrinks by. */
  constructor(
    private readonly of: LawsOf,
    readonly members: readonly number[],
    readonly numbers: Float64Array,
    at: number,
  ) {
    const { slab, noiseVariance, statistics } = of;
    const { targetSquares, freedom } = statistics;
    this.place = numbers[at];
    const scale = slab.scales[this.place];
    const shrink = slab.kind === "zellner" ? scale / (1 + scale) : 1;
    this.freedom = noiseVariance === undefined ? freedom : Number.POSITIVE_INFINITY;
    this.residualSquares = Math.max(targetSquares - shrink * numbers[at + 1], SATURATED * targetSquares);
    const spread = shrink * (noiseVariance ?? this.residualSquares / freedom);
    this.leaning = shrink * numbers[at + 2];
    this.passing = spread * numbers[at + 3];
    this.meanAt = at + HEAD;
    this.variancesAt = this.meanAt + members.length;
    for (let i = this.meanAt; i < this.variancesAt; i++) {
      numbers[i] *= shrink;
      numbers[i + members.length] *= spread;
    }
  }

  get packed(): PackedLaw {
    return this;
  }

  get mean(): Float64Array {
    return this.numbers.subarray(this.meanAt, this.variancesAt);
  }

  get covariance(): Float64Array {
    const { statistics, slab, noiseVariance } = this.of;
    this.known ??= posteriorAt(statistics, slab, noiseVariance, this.members, this.place).covariance;
    return this.known;
  }
}

function manyLaws(of: LawsOf, asked: readonly Asked[]): ModelPosterior[] {
  const { size } = of.statistics;
  const scales = of.slab.scales.length;
  const laws: ModelPosterior[] = [];
  const numbers = (k: number): number => HEAD + 2 * k;
  eachLaid({ ...of, away: of.centre?.means }, asked, numbers, (laid) => {
    const { out, sums, cross, away, members, sizes, places, room, from, count } = laid;
    const given = [out, sums, cross, away, members, sizes, places, room];
    chainKernels().modelLaws(...given, size, count, firstPlace(of.slab), scales);
    let end = 0;
    for (let m = from; m < from + count; m++) end += numbers(asked[m].members.length);
    const found = new Float64Array(chainBuffer(), out, end).slice();
    for (let m = from, at = 0; m < from + count; m++) {
      laws.push(new LawOfMany(of, asked[m].members, found, at));
      at += numbers(asked[m].members.length);
    }
  });
  return laws;
}

/** The parts of every model: one for each scale that matters to it where they are to be told apart. */
export function lawsOf(of: LawsOf, models: readonly WantedLaw[]): Component[] {
  const { slab, centre } = of;
  const apart = models.filter(({ fine }) => fine && slab.scales.length > 1);
  const scales = scaleLaws(
    of,
    apart.map(({ members }) => members),
  );
  const asked: Asked[] = [];
  const probabilities: number[] = [];
  let known = 0;
  for (const model of models) {
    const { members, probability, place = -1 } = model;
    if (model !== apart[known]) {
      asked.push({ members, place });
      probabilities.push(probability);
      continue;
    }
    for (const { place, share } of scalesThatMatter(slab, scales[known++], NEGLIGIBLE)) {
      asked.push({ members, place });
      probabilities.push(share * probability);
    }
  }
  return manyLaws(of, asked).map((posterior, m) => ({ probability: probabilities[m], posterior, centre }));
}
