/** R-hat and effective draws of one quantity together: what all of them need is sorted and ranked once. */

import { type Chains, fold, rankNormal, sorted, splitChains, varies } from "./chains.js";
import { ess, essBulk, essTail } from "./ess.js";
import { basicRhat, rhat, rhatOfScores } from "./rhat.js";

export interface Agreement {
  readonly rhat: number | undefined;
  readonly essBulk: number | undefined;
  readonly essTail: number | undefined;
}

/** What `rhat`, `essBulk` and `essTail` say, for those who want all three; `ordered` are all draws in order. */
export function agreement(chains: Chains, ordered = sorted(chains)): Agreement {
  const length = chains[0]?.length ?? 0;
  // Halves of odd chains lack a draw in the middle, and have other ranks than all draws.
  if (length % 2 === 1 || length < 4 || !varies(chains)) {
    return { rhat: rhat(chains), essBulk: essBulk(chains), essTail: essTail(chains, ordered) };
  }
  const scores = rankNormal(splitChains(chains), ordered);
  const location = basicRhat(scores);
  const scale = rhatOfScores(fold(chains, ordered)) ?? location;
  return { rhat: Math.max(location, scale), essBulk: ess(scores), essTail: essTail(chains, ordered) };
}
