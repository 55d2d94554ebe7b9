/** Whether groups differ in an effect, in sentences. The text and the page share them. */

import type { GroupCovariance } from "../../mixed/result.js";
import { probability } from "./numbers.js";

/** `who` differ: groups, or the levels of a grouping. */
export function differsSentences(differs: GroupCovariance["differs"] = [], who: string): string[] {
  return differs.map(({ name, probability: now, before, atEvenOdds }) => {
    const prior = `where the prior says ${probability(before)}`;
    return `That ${who} differ in ${name}: probability ${probability(now)}, ${prior}; at even odds before, ${probability(atEvenOdds)}.`;
  });
}
