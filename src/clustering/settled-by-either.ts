/**
 * Chains that begin at modes of their own and settle, by sweeps or by mini-batches. A mini-batch chain that runs away
 * gives its place to sweeps, where nobody has asked for it.
 */

import { SparrowError } from "../errors.js";
import type { StartJob } from "./chains/start-job.js";
import { beginnings, type WeighJob } from "./chains/weigh-job.js";
import type { Leaps } from "./exact/leaps.js";
import type { Mode } from "./exact/mode.js";
import { ITERATIONS, type Lengths, type Settled, type SettledSettings, settled } from "./settled.js";

/** What all problems say. */
interface Asked {
  readonly method: Method;
  readonly leaps?: Leaps | undefined;
}

type Method = "gibbs" | "esgld";

interface EitherSettings<D extends { readonly leaps?: Leaps | undefined }, S, B>
  extends Omit<SettledSettings<D, S, B>, "starts" | "lengths"> {
  readonly startJob: StartJob<D>;
  readonly weighJob: WeighJob<D>;
  /** Whether modes of chains were found on rows of their own, so that their values say little of each other. */
  readonly isOfSome: boolean;
  /** What an iteration of a chain takes, about. */
  seconds(problem: D, iterations: number): number;
  readonly mayFallBack: boolean;
  /** By sweeps or by mini-batches, once there is a mode to judge by. */
  method(theta: Float64Array): Method;
}

export async function settledByEither<D extends Asked, S, B extends object>(
  settings: EitherSettings<D, S | { readonly begin: Float64Array }, B>,
): Promise<Settled<B> & { readonly method: Method }> {
  const { problem, seconds } = settings;
  const modes = await begun(settings);
  const starts = modes.map(({ theta }) => ({ begin: theta }));
  const best = modes.reduce((a, b) => (b.value > a.value ? b : a));
  const by = (method: Method) =>
    settled({
      ...settings,
      problem: { ...problem, method },
      starts,
      pivot: best.theta,
      density: method === "gibbs" ? settings.density : undefined,
      lengths: lengthsOf(method),
    });
  const lengthsOf = (method: Method): Lengths =>
    method === "esgld" ? ITERATIONS : sweeps(seconds({ ...problem, method }, 1));
  const method = settings.method(starts[0].begin);
  try {
    return { ...(await by(method)), method };
  } catch (error) {
    const isLost = error instanceof SparrowError && error.code === "diverged";
    if (!isLost || method === "gibbs" || !settings.mayFallBack) throw error;
    return { ...(await by("gibbs")), method: "gibbs" };
  }
}

/** Modes whose values differ by less are taken for the same. */
const SAME = 0.1;

/** The mode at which each chain begins. */
async function begun<D extends Asked, S, B>(settings: EitherSettings<D, S, B>): Promise<readonly Mode[]> {
  const { startJob, weighJob, isOfSome, problem, pool, rng, chains, running } = settings;
  const { signal } = running;
  const all = <T>(found: readonly (T | undefined)[]): T[] => {
    const known = found.flatMap((each) => each ?? []);
    if (known.length === chains) return known;
    throw new SparrowError("No draws were kept: the run was stopped too early.", "stopped");
  };
  const tasks = Array.from({ length: chains }, (_, c) => ({ problem, rng: rng.split(c).save() }));
  const modes = all(await pool.run(startJob, tasks, { signal }));
  const values = modes.map(({ value }) => value);
  if (chains === 1 || (!isOfSome && Math.max(...values) - Math.min(...values) < SAME)) return modes;
  const weighing = modes.map((mode) => ({ problem, mode }));
  return beginnings(modes, all(await pool.run(weighJob, weighing, { signal })));
}

/** Seconds that a chain may take before it ends in a warning; it may always have 2400 sweeps. */
const PATIENCE = 120;

function sweeps(secondsOfOne: number): Lengths {
  const least = 600;
  const affordable = PATIENCE / secondsOfOne / least;
  const doublings = Math.max(2, Math.min(7, Math.floor(Math.log2(Math.max(1, affordable)))));
  return { least, most: least * 2 ** doublings };
}
