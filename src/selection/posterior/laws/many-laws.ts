/** The laws of the coefficients of thousands of models from sums of products, by a kernel. */

import { chainKernels } from "../../../kernels/chain-memory.js";
import type { Centre } from "../centre.js";
import type { ModelPosterior, PackedLaw } from "../evidence.js";
import type { WeightedModel } from "../model-weights.js";
import { scalesThatMatter } from "../scale-law.js";
import { SATURATED } from "../worth.js";
import { eachLaid, type ModelsOf } from "./laid-models.js";
import type { Component, WantedLaws } from "./mixture.js";
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

/** The laws of models at the scales with these places, or at the most probable ones where they are negative. */
function manyLaws(of: LawsOf, models: readonly (readonly number[])[], places: Int32Array): ModelPosterior[] {
  const { size } = of.statistics;
  const scales = of.slab.scales.length;
  const laws: ModelPosterior[] = [];
  eachLaid(of, { models, places, away: of.centre?.means, found: [HEAD, 2] }, (laid) => {
    const { from, count, at } = laid;
    chainKernels().modelLaws(
      at.out,
      at.sums,
      at.cross,
      at.away,
      at.members,
      at.sizes,
      at.places,
      at.room,
      size,
      count,
      firstPlace(of.slab),
      scales,
    );
    const numbers = laid.out.slice();
    for (let m = from, begin = 0; m < from + count; m++) {
      laws.push(new LawOfMany(of, models[m], numbers, begin));
      begin += HEAD + 2 * models[m].length;
    }
  });
  return laws;
}

/** The parts of every model: one for each scale that matters to it where they are to be told apart. */
export function lawsOf(of: LawsOf, { models, fine, total }: WantedLaws): Component[] {
  const { slab, centre } = of;
  const scales = slab.scales.length;
  const apart = scales > 1 ? fine : 0;
  const members: (readonly number[])[] = [];
  const places: number[] = [];
  const probabilities: number[] = [];
  const ask = (model: WeightedModel, place: number, probability: number): void => {
    members.push(model.members);
    places.push(place);
    probabilities.push(probability / total);
  };
  const told = models.slice(0, apart);
  const { probability: shares } = scaleLaws(
    of,
    told.map((model) => model.members),
  );
  for (let m = 0; m < apart; m++) {
    const law = { probability: shares.subarray(m * scales, (m + 1) * scales) };
    for (const { place, share } of scalesThatMatter(slab, law, NEGLIGIBLE)) {
      ask(models[m], place, share * models[m].probability);
    }
  }
  for (let m = apart; m < models.length; m++) ask(models[m], models[m].place ?? -1, models[m].probability);
  const laws = manyLaws(of, members, Int32Array.from(places));
  return laws.map((posterior, m) => ({ probability: probabilities[m], posterior, centre }));
}
