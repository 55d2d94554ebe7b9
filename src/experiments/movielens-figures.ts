/**
 * Figures S1 and S2 of Song et al. (2020): the kernel Stein discrepancy of β against CPU time, and sample paths, of
 * Algorithm S1 and of data-augmentation Gibbs on MovieLens 10M; and, beyond the paper, of our anchored chain.
 *
 * KSD is that of all draws from the first on, thinned to at most `points` for each method, on the coordinates β.
 */

import { steinPath } from "../diagnostics/stein.js";
import { temporaryFolder } from "../files/temporary.js";
import { Rng } from "../math/rng.js";
import { algorithmS1, anchoredLangevin } from "../mixed/chains.js";
import { augmentationGibbs } from "../mixed/gibbs.js";
import type { MixedDesign } from "../mixed/model/chart.js";
import type { CrossProducts } from "../mixed/model/crossproducts.js";
import { marginalMixed } from "../mixed/model/marginal.js";
import { grouped } from "../mixed/read/grouped.js";
import { anchor, densityOf, leastSquares } from "../mixed/start.js";
import { MOVIELENS_COLUMNS, movielensTable } from "../tables/readers/movielens.js";
import { type Parts, parts } from "../workers/parts.js";
import { MOVIELENS_10M, type RatingsShape, simulateRatings } from "./simulated-ratings.js";

/** How many times the CPU time of Algorithm S1 Gibbs took to the same KSD in the paper. */
export const PAPER_FACTOR = 7;

export interface FigureSettings {
  /** A folder with MovieLens; without it, ratings are simulated. */
  readonly data?: string | undefined;
  readonly shape?: RatingsShape;
  readonly seed?: number;
  readonly iterations?: number;
  readonly sweeps?: number;
  /** Draws of each method that enter its KSD. */
  readonly points?: number;
  /** Methods that were done before are not done again. */
  readonly part?: Parts;
  readonly signal?: AbortSignal | undefined;
  readonly onMessage?: (message: string) => void;
}

export interface MethodPath {
  readonly method: string;
  readonly iterations: number;
  readonly cpuSeconds: number;
  /** At every kept draw: iteration, CPU seconds so far, KSD of the draws so far, β, and ∇ log π in β: KSD follows from the last two. */
  readonly path: readonly {
    iteration: number;
    seconds: number;
    ksd: number;
    beta: number[];
    gradient: number[];
  }[];
}

export interface FigureData {
  readonly users: number;
  readonly ratings: number;
  readonly simulated: boolean;
  readonly names: readonly string[];
  readonly methods: readonly MethodPath[];
  /** CPU time of Gibbs over that of each other method, to the smallest KSD that both reach. */
  readonly factors: readonly {
    method: string;
    ksd: number;
    seconds: number;
    gibbsSeconds: number;
    factor: number;
  }[];
  readonly paper: { readonly factor: number };
}

const BATCH = 500;

export async function movielensFigures(settings: FigureSettings = {}): Promise<FigureData> {
  const { seed = 1, iterations = 4000, sweeps = 500, points = 200, onMessage } = settings;
  onMessage?.(settings.data ? `Reading ${settings.data}` : "Simulating ratings");
  const { data, rows } = await ratings(settings, seed);
  const count = data.rows.length;
  const places = data.columns.map((_, j) => j);
  // The paper's priors and coordinates for all methods: KSD compares only on the same target.
  const design: MixedDesign = { columns: data.columns, fixed: places, random: places };
  const start = leastSquares(data, design);
  const rng = Rng.seeded(seed);
  const common = { data, design, batch: Math.min(BATCH, count), iterations };

  const methods: MethodPath[] = [];
  const part = settings.part ?? parts(undefined);
  const run = async (method: string, total: number, begin: () => Iterable<Float64Array>): Promise<void> => {
    const fit = () => {
      settings.signal?.throwIfAborted();
      onMessage?.(`Running ${method}`);
      const thin = Math.max(1, Math.floor(total / points));
      const before = cpuSeconds();
      const path = begin();
      const already = cpuSeconds() - before;
      return measured(path, { method, total, thin, already, data, design });
    };
    methods.push(await part(fit));
  };
  await run("algorithm S1", iterations, () =>
    algorithmS1(rng.split(1), start, { ...common, imputations: 1, stepSize: 0.002 / count }),
  );
  await run("gibbs", sweeps, () => augmentationGibbs(rng.split(2), start, { data, design }));
  await run("anchored", iterations, () => {
    const mode = anchor(rng.split(3), start, marginalMixed(design), data);
    return anchoredLangevin(rng.split(4), mode, { ...common, stepSize: 0.1 });
  });

  const gibbs = methods[1];
  return {
    users: count,
    ratings: rows,
    simulated: settings.data === undefined,
    names: data.columns,
    methods,
    factors: methods.filter((method) => method !== gibbs).map((method) => factorOf(method, gibbs)),
    paper: { factor: PAPER_FACTOR },
  };
}

async function ratings({ data, shape = MOVIELENS_10M, signal }: FigureSettings, seed: number) {
  if (data !== undefined) return ratingsOf(data, signal);
  const { path: folder, remove } = temporaryFolder();
  try {
    await simulateRatings(Rng.seeded(seed), folder, shape, { signal });
    return await ratingsOf(folder, signal);
  } finally {
    remove();
  }
}

async function ratingsOf(folder: string, signal: AbortSignal | undefined) {
  const table = await movielensTable(folder);
  try {
    return await grouped(table, { target: "rating", group: "userId", columns: MOVIELENS_COLUMNS, signal });
  } finally {
    table.close?.();
  }
}

interface Measure {
  readonly method: string;
  /** Iterations, and how many of them there are to a kept draw. */
  readonly total: number;
  readonly thin: number;
  /** CPU seconds that were spent before the first iteration. */
  readonly already: number;
  readonly data: CrossProducts;
  readonly design: MixedDesign;
}

/** Runs a chain with the clock on, then computes the gradients and the KSD with the clock off. */
function measured(path: Iterable<Float64Array>, measure: Measure): MethodPath {
  const { method, total, thin, already, data, design } = measure;
  const kept: { iteration: number; seconds: number; theta: Float64Array }[] = [];
  const from = cpuSeconds() - already;
  let iteration = 0;
  for (const theta of path) {
    if (++iteration % thin === 0)
      kept.push({ iteration, seconds: cpuSeconds() - from, theta: theta.slice() });
    if (iteration === total) break;
  }
  const density = densityOf(marginalMixed(design), data, Uint32Array.from(data.rows.keys()), 1);
  const gradients = kept.map(({ theta }) => {
    const out = new Float64Array(theta.length);
    density.gradient(out, theta);
    return out;
  });
  const stein = steinPath(
    kept.map(({ theta }) => theta),
    gradients,
    kept.map((_, i) => i + 1),
    { coordinates: design.fixed.map((_, j) => j) },
  );
  return {
    method,
    iterations: iteration,
    cpuSeconds: kept.at(-1)?.seconds ?? 0,
    path: kept.map(({ iteration, seconds, theta }, i) => ({
      iteration,
      seconds,
      ksd: stein[i].total,
      beta: [...theta.subarray(0, design.fixed.length)],
      gradient: [...gradients[i].subarray(0, design.fixed.length)],
    })),
  };
}

function factorOf(method: MethodPath, gibbs: MethodPath) {
  const least = (path: MethodPath): number => Math.min(...path.path.map(({ ksd }) => ksd));
  const ksd = Math.max(least(method), least(gibbs));
  const reached = (path: MethodPath): number => path.path.find((point) => point.ksd <= ksd)!.seconds;
  const [seconds, gibbsSeconds] = [reached(method), reached(gibbs)];
  return { method: method.method, ksd, seconds, gibbsSeconds, factor: gibbsSeconds / seconds };
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
