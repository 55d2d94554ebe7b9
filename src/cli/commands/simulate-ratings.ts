import { chmodSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { writing } from "../../errors.js";
import { MOVIELENS_10M, proportional, simulateRatings } from "../../experiments/simulated-ratings.js";
import { Rng } from "../../math/rng.js";
import { usual } from "../../options/option.js";
import { options } from "../../options/table.js";
import type { Effects } from "../effects.js";
import { checkNew } from "../outputs.js";
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
  checkNew(out);
  const shape = users === undefined ? MOVIELENS_10M : proportional(users);
  const bar = progressBar(effects, quiet);
  const folder = writing(out, () => mkdtempSync(join(dirname(resolve(out)), `.${basename(out)}-`)));
  try {
    const { signal } = effects;
    const onProgress = (done: number) => bar.show({ stage: "write", done, total: shape.ratings });
    await simulateRatings(Rng.seeded(seed), folder, shape, { signal, onProgress }).finally(bar.done);
    writing(out, () => {
      // A temporary folder is private; data are as open as any other folder of the user.
      chmodSync(folder, 0o777 & ~process.umask());
      renameSync(folder, out);
    });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  if (!quiet) effects.err(`Written ${shape.ratings} ratings of ${shape.users} users to ${out}\n`);
}
