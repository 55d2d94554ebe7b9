/** The target of a store that was made before: judged by what it holds. */

import { TargetEvidence } from "../../families/evidence.js";
import type { FamilyName } from "../../families/register.js";
import { judgeTarget, type Target } from "../../families/target.js";
import { view } from "../../store/batch/arena.js";
import { targetWords } from "../../store/build/encode.js";
import { rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";

export function targetOf(store: Store, asked: FamilyName | "auto"): Target {
  const { layout, kernels, record } = store;
  const shift = store.shift[layout.columns];
  const evidence = new TargetEvidence();
  for (let b = 0; b < layout.blocks; b++) {
    const run = { pointer: store.run(b, layout.columns), length: rowsIn(layout, b) };
    for (const stored of view(kernels.memory, run)) evidence.look(stored, stored + shift);
  }
  return judgeTarget(
    evidence.as((stored) => stored, shift),
    asked,
    targetWords(record.encoding.target),
  );
}
