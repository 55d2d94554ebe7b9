/** The target of a store that was made before: judged by what it holds. */

import { TargetEvidence } from "../../families/evidence.js";
import { type FamilyName, nameOf } from "../../families/register.js";
import { judgeTarget, type Target } from "../../families/target.js";
import { view } from "../../store/batch/arena.js";
import { targetWords } from "../../store/build/encode.js";
import { rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";

/** Unless another family is asked for it is the one that the store was made for. */
export function targetOf(store: Store, asked: FamilyName | "auto"): Target {
  const { layout, kernels, record } = store;
  const shift = store.shift[layout.columns];
  const evidence = new TargetEvidence();
  for (let b = 0; b < layout.blocks; b++) {
    const run = { pointer: store.run(b, layout.columns), length: rowsIn(layout, b) };
    for (const stored of view(kernels.memory, run)) evidence.look(stored, stored + shift);
  }
  const values = evidence.as((stored) => stored, shift);
  const words = targetWords(record.encoding.target);
  const judged = judgeTarget(values, asked, words);
  const asMade = asked !== "auto" || nameOf(judged.family) === record.family;
  return asMade ? judged : judgeTarget(values, record.family, words);
}
