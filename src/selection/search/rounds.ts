/**
 * Algorithm 1 in rounds. Chains run side by side; after every round they are compared, and the search is over when
 * the last two rounds of all chains agree: no variable is firmly in (0.9 of the models) during one of them and mostly
 * out (less than half) during another. Batches grow after a round in which they were too small for the noise of the
 * model step. A round starts where the last one ended, with proposal weights from the residual there.
 *
 * All of it is a function of plan and seed: which thread runs a chain makes no difference.
 */

import type { Job } from "../../workers/job.js";
import { searchChain } from "./chain.js";
import type { SearchStanding } from "./standing.js";
import { type ChainOutput, type SearchPlan, type SearchRound, SIZED } from "./types.js";

export interface SearchInput {
  readonly plan: SearchPlan;
  readonly index: number;
  readonly stretch?: Partial<SearchRound>;
}

export const searchJob: Job<SearchInput, ChainOutput> = {
  name: "search",
  start: ({ store, arena }, { plan, index, stretch }, from) =>
    searchChain(store, arena, plan, index, stretch, from as SearchStanding | undefined),
};

/** Rounds instead of one stretch. */
export interface RoundsPlan {
  readonly length: number;
  /** The same of the first ones, in which models grow; as long as the others unless told. */
  readonly firstLength?: number;
  /** Whether chains that agree end the search before its last iteration. */
  readonly untilAgreement: boolean;
  /** Most blocks in a batch, where batches may grow. */
  readonly mostBlocks?: number;
}

export interface Searched {
  /** One output per chain, over the rounds that count. */
  readonly chains: readonly ChainOutput[];
  /** The plan as it was carried out: iterations, burn-in and batch are chosen on the way. */
  readonly plan: SearchPlan;
  /** Whether the chains agreed; absent where nobody asked. */
  readonly agreed?: boolean;
  /** Whether it was stopped before its end. */
  readonly cut: boolean;
}

/** Where models were still growing as the first round ended, the second and the third tell as soon as others whether chains agree. */
const FIRST = 3;
const FIRMLY_IN = 0.9;
const MOSTLY_OUT = 0.5;

export async function searchInRounds(
  run: (jobs: readonly SearchInput[], before: number) => Promise<ChainOutput[]>,
  first: SearchPlan,
  chains: number,
  { length, firstLength = length, untilAgreement, mostBlocks }: RoundsPlan,
): Promise<Searched> {
  // Which rounds count is known when they have been seen.
  let plan = untilAgreement ? { ...first, burnIn: 0 } : first;
  const rounds: ChainOutput[][] = [];
  const lengths: number[] = [];
  const ended = (iterations: number, counted: number, how: { agreed?: boolean; cut: boolean }): Searched => {
    const kept = lengths.slice(lengths.length - counted).reduce((sum, each) => sum + each, 0);
    return {
      chains: joined(rounds, untilAgreement ? counted : rounds.length),
      plan: untilAgreement ? { ...plan, iterations, burnIn: Math.max(0, iterations - kept) } : plan,
      ...how,
    };
  };
  for (let before = 0, round = 0; before < plan.iterations; round++) {
    const iterations = Math.min(round < FIRST ? firstLength : length, plan.iterations - before);
    const jobs = Array.from({ length: chains }, (_, index): SearchInput => {
      const start = rounds.at(-1)?.[index].last;
      return { plan, index, stretch: { round, before, iterations, ...(start && { start }) } };
    });
    const outputs = await run(jobs, chains * before);
    rounds.push(outputs);
    lengths.push(iterations);
    if (outputs.some((output) => output.iterations < iterations)) {
      return ended(plan.iterations, Math.floor(rounds.length / 2), { cut: true });
    }
    before += iterations;
    if (untilAgreement && round > 0 && agree(rounds.slice(-2).flat())) {
      return ended(before, 2, { agreed: true, cut: false });
    }
    if (round >= SIZED && before < plan.iterations) plan = sized(plan, outputs, mostBlocks);
  }
  return ended(plan.iterations, Math.ceil(rounds.length / 2), {
    cut: false,
    ...(untilAgreement && { agreed: false }),
  });
}

/** Whether no variable is firmly in one of the outputs and mostly out of another. */
export function agree(outputs: readonly ChainOutput[]): boolean {
  return outputs[0].inclusion.every((_, j) => {
    const rates = outputs.map(({ inclusion, models }) => inclusion[j] / models);
    return Math.max(...rates) <= FIRMLY_IN || Math.min(...rates) >= MOSTLY_OUT;
  });
}

/** Batches of the size that the noise of the model step asks for, at most twice as large as before. */
function sized(
  plan: SearchPlan,
  outputs: readonly ChainOutput[],
  mostBlocks: number | undefined,
): SearchPlan {
  if (mostBlocks === undefined || plan.batch.by !== "blocks") return plan;
  const { blocks } = plan.batch;
  const needed = Math.max(...outputs.map(({ stepNoise }) => Math.ceil(blocks * (stepNoise ?? 0))));
  const next = Math.max(1, Math.min(needed, 2 * blocks, mostBlocks));
  return { ...plan, batch: { by: "blocks", blocks: next } };
}

/** One output per chain: counts over the last rounds, sizes over all. */
function joined(rounds: readonly (readonly ChainOutput[])[], counted: number): ChainOutput[] {
  return rounds[0].map((only, c) => {
    if (rounds.length === 1 && counted === 1) return only;
    const all = rounds.map((outputs) => outputs[c]);
    const kept = all.slice(all.length - counted);
    const inclusion = new Float64Array(only.inclusion.length);
    for (const round of kept) for (let j = 0; j < inclusion.length; j++) inclusion[j] += round.inclusion[j];
    return {
      ...all.at(-1)!,
      iterations: all.reduce((sum, { iterations }) => sum + iterations, 0),
      models: kept.reduce((sum, { models }) => sum + models, 0),
      inclusion,
      sizes: Float64Array.from(all.flatMap(({ sizes }) => [...sizes])),
    };
  });
}
