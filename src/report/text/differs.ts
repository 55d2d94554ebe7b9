/** Whether groups differ in their effects, in a sentence. The text and the page share it. */

import type { GroupCovariance } from "../../mixed/result.js";
import { probability } from "./numbers.js";

/** `who` differ: groups, or the levels of a grouping. */
export function differsSentence(differs: GroupCovariance["differs"], who: string): string[] {
  if (!differs?.length) return [];
  const each = differs.map((effect) => `${effect.name} ${probability(effect.probability)}`);
  return [`Probability that ${who} differ, from even odds before the data: ${each.join(", ")}.`];
}
