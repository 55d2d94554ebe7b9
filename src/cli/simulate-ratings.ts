import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { SparrowError } from "../errors.js";
import { Rng } from "../math/rng.js";
import { MOVIELENS_10M, proportional, simulateRatings } from "../sources/simulated-ratings.js";
import type { Arguments } from "./command.js";
import type { Effects } from "./effects.js";

/** A folder of the shape of MovieLens, written whole or not at all. */
export function writeRatings(args: Arguments, effects: Effects): void {
  const out = args.required("out");
  if (existsSync(out))
    throw new SparrowError(`${out} exists already; choose another --out or remove it first.`);
  const users = args.number("users");
  if (users !== undefined && !(Number.isSafeInteger(users) && users > 1)) {
    throw new SparrowError(`--users must be a whole number above 1, not ${users}.`, "usage");
  }
  const shape = users === undefined ? MOVIELENS_10M : proportional(users);
  const folder = mkdtempSync(join(dirname(resolve(out)), `.${basename(out)}-`));
  try {
    simulateRatings(Rng.seeded(args.number("seed") ?? 1), folder, shape);
    renameSync(folder, out);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  if (!args.flag("quiet"))
    effects.err(`Written ${shape.ratings} ratings of ${shape.users} users to ${out}\n`);
}
