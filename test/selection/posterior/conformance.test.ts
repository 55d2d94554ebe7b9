import { beforeAll, describe, expect, test } from "vitest";
import { kernelMemory, wasmKernels } from "../../../src/kernels/wasm.js";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { poisson } from "../../../src/math/variates.js";
import type { FitOptions } from "../../../src/options/fit.js";
import { augmentedPosterior } from "../../../src/selection/augmented/augmented.js";
import { settle } from "../../../src/selection/certify/rounds.js";
import { readStore } from "../../../src/selection/data/read.js";
import { problemOf } from "../../../src/selection/default.js";
import { posteriorOf } from "../../../src/selection/posterior/choose.js";
import type { Posterior, Weighed } from "../../../src/selection/posterior/posterior.js";
import type { Problem } from "../../../src/selection/posterior/problem.js";
import { openSession } from "../../../src/selection/session.js";
import { arrayTable } from "../../../src/tables/readers/arrays.js";
import { localPool } from "../../../src/workers/pool.js";

const ROWS = 400;
const COLUMNS = 6;
const EFFECTS = [0.9, -0.6, 0.25, 0, 0, 0];

interface Case {
  readonly title: string;
  readonly family: "gaussian" | "binomial" | "poisson";
  readonly holes: boolean;
  /** Models are drawn with weights that make the likelihood Gaussian. */
  readonly drawn?: true;
  readonly options?: Partial<FitOptions>;
}

/** Every way in which models are weighed, with and without an intercept. */
const CASES: readonly Case[] = [
  { title: "exact", family: "gaussian", holes: false },
  { title: "exact, without an intercept", family: "gaussian", holes: false, options: { intercept: "none" } },
  { title: "exact, with Zellner's slab", family: "gaussian", holes: false, options: { slab: "zellner" } },
  { title: "expanded, of classes", family: "binomial", holes: false },
  { title: "expanded, of counts", family: "poisson", holes: false },
  {
    title: "expanded, without an intercept",
    family: "binomial",
    holes: false,
    options: { intercept: "none" },
  },
  { title: "drawn, of classes", family: "binomial", holes: false, drawn: true },
  {
    title: "drawn, without an intercept",
    family: "binomial",
    holes: false,
    drawn: true,
    options: { intercept: "none" },
  },
  { title: "imputed, of numbers", family: "gaussian", holes: true },
  { title: "imputed, of classes", family: "binomial", holes: true },
  { title: "imputed, of counts", family: "poisson", holes: true },
];

function columnsOf({ family, holes }: Case) {
  const rng = Rng.seeded(5);
  const y = new Float64Array(ROWS);
  const x = EFFECTS.map(() => new Float64Array(ROWS));
  for (let i = 0; i < ROWS; i++) {
    let eta = 0;
    EFFECTS.forEach((effect, j) => {
      x[j][i] = normal(rng);
      eta += effect * x[j][i];
    });
    if (family === "gaussian") y[i] = eta + normal(rng);
    else if (family === "binomial") y[i] = rng.uniform() < 1 / (1 + Math.exp(-eta)) ? 1 : 0;
    else y[i] = poisson(rng, Math.exp(0.5 * eta));
    // A few holes, in a column that does not matter: all else stays comparable.
    if (holes && i % 20 === 0) x[5][i] = Number.NaN;
  }
  return { ...Object.fromEntries(x.map((values, j) => [`x${j}`, values])), y };
}

async function open(one: Case): Promise<{ problem: Problem; posterior: Posterior; close(): Promise<void> }> {
  // Few variables are thought to belong: then outsiders can be judged one by one.
  const sparse = { modelPrior: "inclusion", missing: "impute" } as const;
  const options: FitOptions = { target: "y", family: one.family, ...sparse, ...one.options };
  const table = arrayTable(columnsOf(one));
  const session = await openSession((room) => readStore(table, options, () => 100, room), options, {
    kernels: (bytes) => wasmKernels(kernelMemory(bytes, false)),
    pool: async (store) => localPool(store),
    threads: 1,
  });
  const problem = problemOf(session, undefined);
  const posterior = one.drawn
    ? (augmentedPosterior(problem) as unknown as Posterior)
    : posteriorOf(problem, session.holes);
  return { problem, posterior, close: () => session.close() };
}

describe.each(CASES)("the posterior: $title", (one) => {
  let problem: Problem;
  let posterior: Posterior;
  let whole: Weighed;
  beforeAll(async () => {
    const opened = await open(one);
    ({ problem, posterior } = opened);
    whole = await posterior.weigh(problem.usable, { thorough: true });
    return opened.close;
  });

  test("weighs models so that inclusion probabilities and sizes are theirs", () => {
    const { models, inclusion, size } = whole.weights;
    const total = models.reduce((sum, { probability }) => sum + probability, 0);
    expect(total).toBeCloseTo(1, 3);
    expect(size.reduce((sum, probability) => sum + probability, 0)).toBeCloseTo(1, 6);
    // Sampled models count visits, while probabilities average conditionals.
    const digits = whole.weights.exact ? 6 : 1;
    inclusion.forEach((pip, i) => {
      const held = models.filter(({ members }) => members.includes(i));
      expect(held.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(pip, digits);
    });
  });

  test("finds the large effects", () => {
    expect(whole.weights.inclusion[0]).toBeGreaterThan(0.99);
    expect(whole.weights.inclusion[1]).toBeGreaterThan(0.9);
    for (const j of [3, 4, 5]) expect(whole.weights.inclusion[j]).toBeLessThan(0.3);
  });

  test("judges outsiders, and them alone, nearly as they are weighed once they have joined", async () => {
    const inside = [0, 1, 3, 5];
    const weighed = await posterior.weigh(inside, { thorough: true });
    const { pip, mass, massError } = await posterior.judge(weighed);
    expect(pip).toHaveLength(COLUMNS);
    for (const j of inside) expect(pip[j]).toBe(0);
    for (const j of [2, 4]) expect(Math.abs(pip[j] - whole.weights.inclusion[j])).toBeLessThan(0.04);
    expect(mass).toBeCloseTo(pip[2] + pip[4], 6);
    expect(massError).toBeGreaterThanOrEqual(0);
  });

  test("sees from outside what belongs for certain", async () => {
    const { pip } = await posterior.judge(await posterior.weigh([3, 4, 5], { thorough: true }));
    expect(pip[0]).toBeGreaterThan(0.99);
    // One expansion from the empty model knows little of counts that two effects make.
    expect(pip[1]).toBeGreaterThan(0.5);
  });

  test("describes coefficients model by model, around a centre where there is an intercept", () => {
    const { mixture, centre, settings } = posterior.describe(whole);
    expect(mixture.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 9);
    for (const { posterior: law, centre: own } of mixture) {
      expect(law.mean).toHaveLength(law.members.length);
      expect(law.covariance).toHaveLength(law.members.length ** 2);
      expect(own === undefined).toBe(centre === undefined);
    }
    expect(centre === undefined).toBe(one.options?.intercept === "none");
    expect(["exact", "expanded"]).toContain(settings.likelihood);
    const withFirst = mixture.filter(({ posterior: law }) => law.members.includes(0));
    const share = withFirst.reduce((sum, { probability }) => sum + probability, 0);
    expect(share).toBeGreaterThan(0.95);
  });

  test("settles on every column that belongs, wherever the candidates start", async () => {
    const settled = await settle({
      posterior,
      usable: problem.usable,
      first: [4],
      signal: undefined,
      timed: (_, work) => work(),
    });
    expect(settled.complete).toBe(true);
    expect(settled.weighed.candidates).toEqual(expect.arrayContaining([0, 1]));
    settled.weighed.candidates.forEach((j, i) => {
      expect(Math.abs(settled.weighed.weights.inclusion[i] - whole.weights.inclusion[j])).toBeLessThan(0.03);
    });
  });
});
