/**
 * Theorems 1 and 2 of Song et al. (2020), seen: how far the law of a chain is from the posterior, in closed form and
 * by simulated chains (gaussian-chain.ts). The first lets N grow at constant steps ε = 1/N: with batches of a fixed
 * size W₂ stays where it is, with batches that grow it vanishes, and more draws of the latent variable take their
 * share of the noise away. The second lets t grow: steps that decay like t^−κ bring W₂ to nothing where constant
 * ones cannot.
 *
 * W₂ of laws that shrink like 1/√N says little of intervals, so it is told in posterior standard deviations as well:
 * for those to vanish it takes ε ≺ n/N², which the theorem does not ask for.
 */

import { Rng } from "../math/rng.js";
import { polynomial } from "../sampling/schedule.js";
import type { Schedule } from "../types.js";
import {
  type GaussianChain,
  lawsOf,
  type NormalLaw,
  posteriorOf,
  simulatedChain,
  simulatedValues,
  stationaryLaw,
  wasserstein,
} from "./gaussian-chain.js";

export interface TheoremSettings {
  readonly seed?: number;
  /** Of each simulated chain. */
  readonly iterations?: number;
  readonly signal?: AbortSignal | undefined;
  readonly onMessage?: (message: string) => void;
}

export interface TheoremPoint {
  /** N, or t. */
  readonly at: number;
  /** W₂ in closed form, and in posterior standard deviations. */
  readonly distance: number;
  readonly relative: number;
  /** W₂ by the mean and the variance of simulated draws. */
  readonly simulated?: number;
}

export interface TheoremCurve {
  readonly name: string;
  /** What the theorem says of it. */
  readonly says: string;
  readonly points: readonly TheoremPoint[];
}

export interface TheoremData {
  /** What `at` is. */
  readonly along: "rows" | "iterations";
  readonly curves: readonly TheoremCurve[];
}

const ROWS = [100, 400, 1600, 6400];
const FIXED = 10;
const LONGEST = 20;
const VANISHES = "W₂ vanishes as N grows";

interface Growth {
  readonly name: string;
  readonly says: string;
  batch(rows: number): number;
  draws(rows: number): number;
  stepSize(rows: number): number;
}

const growing = (rows: number): number => Math.round(rows ** 0.75);
const GROWTHS: readonly Growth[] = [
  {
    name: "n = 10, m = 1",
    says: "promises nothing: n must grow",
    batch: () => FIXED,
    draws: () => 1,
    stepSize: (rows) => 1 / rows,
  },
  {
    name: "n = 10, m = √N",
    says: "promises nothing: n must grow",
    batch: () => FIXED,
    draws: (rows) => Math.round(Math.sqrt(rows)),
    stepSize: (rows) => 1 / rows,
  },
  { name: "n = N^¾, m = 1", says: VANISHES, batch: growing, draws: () => 1, stepSize: (rows) => 1 / rows },
  {
    name: "n = N^¾, m = √N",
    says: VANISHES,
    batch: growing,
    draws: (rows) => Math.round(Math.sqrt(rows)),
    stepSize: (rows) => 1 / rows,
  },
  {
    name: "n = N^¾, m = √N, ε = n/N^2.2",
    says: VANISHES,
    batch: growing,
    draws: (rows) => Math.round(Math.sqrt(rows)),
    stepSize: (rows) => growing(rows) / rows ** 2.2,
  },
];

export function theorem1({
  seed = 1,
  iterations = 4000,
  signal,
  onMessage,
}: TheoremSettings = {}): TheoremData {
  const curves = GROWTHS.map(({ name, says, batch, draws, stepSize }): TheoremCurve => {
    onMessage?.(`Running ${name}`);
    return {
      name,
      says,
      points: ROWS.map((rows) => {
        signal?.throwIfAborted();
        const values = simulatedValues(Rng.seeded(seed).split(rows), rows);
        const chain = { values, batch: batch(rows), draws: draws(rows) };
        const posterior = posteriorOf(values);
        const step = stepSize(rows);
        const exact = point(rows, stationaryLaw(chain, step), posterior);
        // Short steps forget slowly: their chains are longer, as long as that is no trouble.
        const times = Math.max(1, 1 / (step * rows));
        if (times > LONGEST) return exact;
        const length = Math.round(iterations * times);
        const draw = simulatedChain(seed + 1, chain, step, length, posterior.mean);
        return { ...exact, simulated: wasserstein(momentsOf(draw), posterior) };
      }),
    };
  });
  return { along: "rows", curves };
}

const TIMES = [30, 100, 300, 1000, 3000, 10_000];
/** N and n of the second theorem: batches so small that a constant step is far off for ever. */
const MANY = 1000;
/** Where the laws at a time come from: chains side by side, up to a time that they reach soon. */
const CHAINS = 200;
const SIMULATED_UNTIL = 300;

export function theorem2({ seed = 1, signal, onMessage }: TheoremSettings = {}): TheoremData {
  const values = simulatedValues(Rng.seeded(seed), MANY);
  const chain: GaussianChain = { values, batch: FIXED, draws: 1 };
  const posterior = posteriorOf(values);
  const start = posterior.mean + 1;
  const first = 1 / MANY;
  const schedules: { name: string; says: string; schedule: Schedule; at: (t: number) => number }[] = [
    {
      name: "ε constant",
      says: "W₂ vanishes where n and m grow with N, not at fixed n",
      schedule: first,
      at: () => first,
    },
    ...[0.3, 0.6, 0.9, 1].map((kappa) => ({
      name: `ε ∝ t^−${kappa}`,
      says:
        kappa < 1
          ? "what holds for constant steps holds, for plain averages too"
          : "plain averages no longer hold: they need weights",
      schedule: polynomial({ a: first, b: 0, kappa }),
      at: (t: number) => first * t ** -kappa,
    })),
  ];
  const curves = schedules.map(({ name, says, schedule, at }): TheoremCurve => {
    onMessage?.(`Running ${name}`);
    const simulated = sideBySide(seed, chain, schedule, start, signal);
    const points: TheoremPoint[] = [];
    let t = 0;
    for (const law of lawsOf(chain, at, start)) {
      if (!TIMES.includes(++t)) continue;
      const seen = simulated.get(t);
      points.push({
        ...point(t, law, posterior),
        ...(seen && { simulated: wasserstein(momentsOf(seen), posterior) }),
      });
      if (t === TIMES.at(-1)) break;
    }
    return { name, says, points };
  });
  return { along: "iterations", curves };
}

function point(at: number, law: NormalLaw, posterior: NormalLaw): TheoremPoint {
  const distance = wasserstein(law, posterior);
  return { at, distance, relative: distance / Math.sqrt(posterior.variance) };
}

/** The draws of many chains at each of the times. */
function sideBySide(
  seed: number,
  chain: GaussianChain,
  schedule: Schedule,
  start: number,
  signal: AbortSignal | undefined,
): Map<number, number[]> {
  const times = TIMES.filter((t) => t <= SIMULATED_UNTIL);
  const seen = new Map(times.map((t) => [t, [] as number[]]));
  for (let c = 0; c < CHAINS; c++) {
    signal?.throwIfAborted();
    let t = 0;
    for (const theta of simulatedChain(seed + 1 + c, chain, schedule, SIMULATED_UNTIL, start)) {
      seen.get(++t)?.push(theta);
    }
  }
  return seen;
}

function momentsOf(draws: Iterable<number>): NormalLaw {
  let [count, mean, squares] = [0, 0, 0];
  for (const draw of draws) {
    count += 1;
    const away = draw - mean;
    mean += away / count;
    squares += away * (draw - mean);
  }
  return { mean, variance: squares / (count - 1) };
}
