import { MOVIELENS_10M, proportional, simulateRatings } from "../../experiments/simulated-ratings.js";
import { claiming } from "../../files/claim.js";
import { Rng } from "../../math/rng.js";
import { usual } from "../../options/option.js";
import { options } from "../../options/table.js";
import { grouped } from "../../wording.js";
import type { Effects } from "../effects.js";
import { progressBar } from "../progress.js";

export interface RatingsAsked {
  readonly out: string;
  readonly users?: number;
  readonly seed?: number;
  readonly quiet?: boolean;
}

/** A folder of the shape of MovieLens, written whole or not at all. */
export async function writeRatings(asked: RatingsAsked, effects: Effects): Promise<void> {
  const { out, users, seed = usual(options.seed), quiet = false } = asked;
  const shape = users === undefined ? MOVIELENS_10M : proportional(users);
  const bar = progressBar(effects, quiet);
  await claiming(out, {}, async ({ partial, publish }) => {
    const { signal } = effects;
    const onProgress = (done: number) => bar.show({ stage: "write", done, total: shape.ratings });
    await simulateRatings(Rng.seeded(seed), partial, shape, { signal, onProgress }).finally(bar.done);
    publish();
  });
  if (!quiet)
    effects.err(`Written ${grouped(shape.ratings)} ratings of ${grouped(shape.users)} users to ${out}\n`);
}
