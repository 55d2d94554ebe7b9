import { chmodSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { SparrowError, writing } from "../../errors.js";
import { MOVIELENS_10M, proportional, simulateRatings } from "../../experiments/simulated-ratings.js";
import { Rng } from "../../math/rng.js";
import type { Arguments } from "../command.js";
import type { Effects } from "../effects.js";
import { checkNew } from "../outputs.js";
import { progressBar } from "../progress.js";

/** A folder of the shape of MovieLens, written whole or not at all. */
export async function writeRatings(args: Arguments, effects: Effects): Promise<void> {
  const out = args.required("out");
  checkNew(out);
  const users = args.number("users");
  if (users !== undefined && !(Number.isSafeInteger(users) && users > 1)) {
    throw new SparrowError(`--users must be a whole number above 1, not ${users}.`, "option");
  }
  const shape = users === undefined ? MOVIELENS_10M : proportional(users);
  const seed = args.seed() ?? 1;
  const bar = progressBar(effects, args.flag("quiet"));
  const folder = writing(out, () => mkdtempSync(join(dirname(resolve(out)), `.${basename(out)}-`)));
  try {
    const { signal } = effects;
    const onProgress = (done: number) => bar.show({ stage: "write", done, total: shape.ratings });
    await simulateRatings(Rng.seeded(seed), folder, shape, { signal, onProgress }).finally(() => bar.done());
    writing(out, () => {
      // A temporary folder is private; data are as open as any other folder of the user.
      chmodSync(folder, 0o777 & ~process.umask());
      renameSync(folder, out);
    });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  if (!args.flag("quiet"))
    effects.err(`Written ${shape.ratings} ratings of ${shape.users} users to ${out}\n`);
}
