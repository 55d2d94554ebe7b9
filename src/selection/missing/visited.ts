/** The models along the walks of all sweeps, with the time that was spent at each. */

import { thinnedModels, type WeightedModel } from "../posterior/model-weights.js";

export interface Visit {
  readonly members: readonly number[];
  readonly time: number;
}

export interface VisitedModels {
  add(visits: readonly Visit[]): void;
  /** With the share of the time, the longest first. */
  models(): WeightedModel[];
  save(): ReadonlyMap<string, Visit>;
  restore(saved: ReadonlyMap<string, Visit>): void;
}

/**
 * Where many variables are in doubt hardly any model comes twice, and there would be millions of them. From so many
 * on a fair sample of half as many stands for all: those that were visited long stay as they are, the others are
 * fewer and count for more. Inclusion probabilities and effects do not come from this list.
 */
const MOST = 2 ** 16;

export function visitedModels(most = MOST): VisitedModels {
  let visits = new Map<string, Visit>();
  const weighted = (): WeightedModel[] => {
    let total = 0;
    for (const { time } of visits.values()) total += time;
    return Array.from(visits.values(), ({ members, time }) => ({ members, probability: time / total }));
  };
  const thin = (): void => {
    let total = 0;
    for (const { time } of visits.values()) total += time;
    const kept = thinnedModels(weighted(), most / 2);
    visits = new Map(
      kept.map(({ members, probability }) => [members.join(), { members, time: total * probability }]),
    );
  };
  return {
    add(more) {
      for (const { members, time } of more) {
        const key = members.join();
        visits.set(key, { members, time: time + (visits.get(key)?.time ?? 0) });
      }
      if (visits.size > most) thin();
    },
    models: () => weighted().sort((a, b) => b.probability - a.probability),
    save: () => visits,
    restore(saved) {
      visits = new Map(saved);
    },
  };
}
