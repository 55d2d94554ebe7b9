/** The process that runs cases: it may die, hang or grow, so it is not the one that counts them. */

import { Rng } from "../src/math/rng.js";
import { CASES, freshPlace } from "./cases.js";

export interface Assigned {
  readonly id: number;
  readonly kind: string;
  readonly seed: number;
}

const [corpus, scratch] = process.argv.slice(2);
const place = freshPlace(corpus, scratch);

process.on("message", async ({ id, kind, seed }: Assigned) => {
  const outcome = await CASES[kind](Rng.seeded(seed), place).catch((error: Error) => ({
    verdict: "broken",
    words: String(error?.stack ?? error),
  }));
  process.send!({ id, ...outcome, memory: process.resourceUsage().maxRSS * 1024 });
});
process.send!({ ready: true });
