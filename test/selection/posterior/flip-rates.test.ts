import { expect, test } from "vitest";
import { betaBinomialPrior } from "../../../src/models/model-priors.js";
import { Evidence } from "../../../src/selection/posterior/evidence.js";
import { slabAt } from "../../../src/selection/posterior/slab.js";
import { flipRates } from "../../../src/selection/posterior/walks/flip-rates.js";
import { statisticsOf } from "../problems.js";
import { doubtful, P, SLABS, spaceOf } from "./doubtful.js";

const cases = SLABS.flatMap((slab) => [undefined, 1.1].map((noise) => ({ slab, noise, kind: slab.kind })));

test.each(cases)("rates are those of the gains of the evidence: $kind, noise $noise", ({ slab, noise }) => {
  const prior = betaBinomialPrior(P, 1, 1);
  const offsets = Float64Array.from({ length: P }, (_, j) => 0.1 * (j - 4));
  const space = { ...spaceOf(prior, [3], P - 1), offsets };
  const evidence = new Evidence(statisticsOf(doubtful(22, 0.7), true), slabAt(slab, 0), noise);
  evidence.rebuild([3, 0, 5]);
  const rates = flipRates(evidence, space);
  const logZ = rates.look();
  const marginal = evidence.logMarginal();
  let z = 0;
  for (const j of Array.from({ length: P }, (_, i) => i).filter((i) => i !== 3)) {
    const inside = [0, 5].includes(j);
    const other = new Evidence(statisticsOf(doubtful(22, 0.7), true), slabAt(slab, 0), noise);
    other.rebuild(inside ? [3, 0, 5].filter((i) => i !== j) : [3, 0, 5, j]);
    const gain = (inside ? -1 : 1) * (other.logMarginal() - marginal);
    if (!inside) expect(evidence.gainOfAdding(j)).toBeCloseTo(gain, 9);
    const k = inside ? 2 : 3;
    const odds = Math.exp(gain + prior.logModel(k) - prior.logModel(k - 1) + offsets[j]);
    const pip = odds / (1 + odds);
    expect(rates.conditional[j]).toBeCloseTo(pip, 9);
    z += (pip + 1 / P) / (2 * (inside ? pip : 1 - pip));
  }
  expect(rates.conditional[3]).toBe(1);
  expect(logZ).toBeCloseTo(Math.log(z), 9);
});
