import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { clusters } from "../../src/clustering/clusters.js";
import { compareComponents } from "../../src/clustering/compare/compare-components.js";
import { exchangeableClusters } from "../../src/clustering/names/exchangeable.js";
import { exchangeableStates } from "../../src/clustering/names/exchangeable-states.js";
import { relabelled } from "../../src/clustering/names/relabel.js";
import type { Estimate } from "../../src/clustering/sampled.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { gaussian } from "../../src/models/gaussian.js";
import { hmm } from "../../src/models/hmm.js";
import { mixture } from "../../src/models/mixture.js";

interface Theirs {
  weight: number;
  weightError: number;
  mean: number[];
  meanError: number[];
  covariance: number[][];
  covarianceError: number[][];
}
const reference: { rows: number[][]; full: Theirs[]; diagonal: Theirs[] } = JSON.parse(
  readFileSync(new URL("../reference/mclust.json", import.meta.url), "utf8"),
);
const faithful = Float64Array.from(reference.rows.flat());

/** The estimate is within one posterior sd of mclust's, and that sd is the bootstrap's standard error up to 40%. */
function expectAgreement(ours: Estimate, theirs: number, error: number): void {
  expect(Math.abs(ours.mean - theirs)).toBeLessThan(ours.sd);
  expect(ours.sd / error).toBeGreaterThan(0.6);
  expect(ours.sd / error).toBeLessThan(1.4);
  expect(ours.lower).toBeLessThan(theirs);
  expect(ours.upper).toBeGreaterThan(theirs);
}

describe("on the Old Faithful eruptions", () => {
  it.each(["full", "diagonal"] as const)(
    "agrees with mclust within posterior error, %s covariance",
    async (shape) => {
      const fit = await clusters(faithful, { columns: 2, components: 2, covariance: shape });
      fit.clusters.forEach((ours, k) => {
        const theirs = reference[shape][k];
        expectAgreement(ours.weight, theirs.weight, theirs.weightError);
        for (const i of [0, 1]) {
          expectAgreement(ours.mean[i], theirs.mean[i], theirs.meanError[i]);
          for (const j of shape === "full" ? [0, 1] : [i]) {
            expectAgreement(ours.covariance[i][j], theirs.covariance[i][j], theirs.covarianceError[i][j]);
          }
        }
      });
      expect(fit.verdict).toBe("No problems found.");
      expect(fit).toMatchObject({ method: "gibbs", diagnostics: { chains: 2, warnings: [] } });
      const [long, short] = fit.membership(Float64Array.of(4.3, 80, 2, 54)).filter((_, i) => i % 2 === 0);
      expect(long).toBeGreaterThan(0.99);
      expect(short).toBeLessThan(0.01);
    },
  );

  it("chooses two clusters by BIC, with paired differences to the best and the log likelihood of mclust", async () => {
    const { scores, chosen, predicting, reason, failures } = await compareComponents(faithful, {
      columns: 2,
      counts: [1, 2, 3],
    });
    expect(chosen).toBe(2);
    expect(predicting).toBeGreaterThan(1);
    expect(reason).toMatch(
      /^The number of clusters with the smallest BIC is 2, by \d+\.\d(, and it|; the smallest that) predicts /,
    );
    expect(failures).toEqual([]);
    // mclust's VVV: a mode under a prior may be lower than the maximum, and by little.
    const theirs = [-1289.797, -1130.264];
    theirs.forEach((logLikelihood, i) => {
      expect(scores[i].logLikelihood).toBeLessThan(logLikelihood + 0.01);
      expect(scores[i].logLikelihood).toBeGreaterThan(logLikelihood - 0.5);
      expect(scores[i].bic).toBeCloseTo(
        -2 * scores[i].logLikelihood + scores[i].parameters * Math.log(272),
        8,
      );
    });
    expect(scores.map(({ parameters }) => parameters)).toEqual([5, 11, 17]);
    expect(scores[0].behind.mean).toBeGreaterThan(5 * scores[0].behind.error);
    // Pairing takes out what all numbers find hard to predict.
    expect(scores[1].behind.error).toBeLessThan(0.7 * scores[1].score.error);
  });
});

it("the same seed gives the same clusters, and an aborted run says that nothing was kept", async () => {
  const settings = { columns: 2, components: 2, iterations: 300 };
  const first = await clusters(faithful, settings);
  expect((await clusters(faithful, settings)).clusters).toEqual(first.clusters);
  expect(first.partial).toBeUndefined();
  await expect(clusters(faithful, { ...settings, signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: "stopped",
    message: expect.stringMatching(/No draws were kept/),
  });
});

const emission = gaussian({ columns: 2, covariance: "full" });
const anywhere = Rng.seeded(11);
const witnesses = {
  rows: 200,
  columns: 2,
  weight: 1,
  values: Float64Array.from({ length: 400 }, () => 3 * normal(anywhere)),
};
const stretch = { ...witnesses, from: 0, to: 200 };
it.each([
  ["clusters", exchangeableClusters(mixture({ components: 4, emission }), witnesses)],
  ["states", exchangeableStates(hmm({ states: 4, emission }), stretch)],
  [
    "states with a law of first ones",
    exchangeableStates(hmm({ states: 4, emission, initial: "learned" }), stretch),
  ],
] as const)("relabelling undoes any exchange of %s", (_, model) => {
  const rng = Rng.seeded(3);
  const centre = Float64Array.from({ length: model.block(4) + 3 }, () => 2 * normal(rng));
  const tidy = Array.from({ length: 50 }, () => centre.map((x) => x + 0.1 * normal(rng)));
  const orders = [
    [0, 1, 2, 3],
    [3, 1, 0, 2],
    [2, 3, 1, 0],
  ];
  const mixed = tidy.map((draw, i) => model.reordered(draw, orders[i % 3]));
  const [left, right] = [relabelled(model, tidy), relabelled(model, mixed)];
  left.forEach((draw, i) => {
    for (let j = 0; j < draw.length; j++) expect(right[i][j]).toBeCloseTo(draw[j], 10);
  });
});

it("more clusters than rows are refused", async () => {
  await expect(clusters(Float64Array.of(1, 2, 4), { columns: 1, components: 5 })).rejects.toThrow(
    /components: 5.* 3 rows/,
  );
});
