/** What the store holds of the target, for the judgement of its family. */

import { CountEvidence } from "../../families/counts.js";
import type { TargetValues } from "../../families/family.js";
import type { FamilyName } from "../../families/register.js";
import { judgeTarget, type Target } from "../../families/target.js";
import { view } from "../../store/batch/arena.js";
import { rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";

export function targetOf(store: Store, asked: FamilyName | "auto", name: string): Target {
  return judgeTarget(valuesOf(store), asked, name);
}

function valuesOf({ layout, kernels, shift: shifts, run }: Store): TargetValues {
  const shift = shifts[layout.columns];
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  let between: number | undefined;
  let counts: CountEvidence | undefined = new CountEvidence();
  for (let b = 0; b < layout.blocks; b++) {
    for (const u of view(kernels.memory, { pointer: run(b, layout.columns), length: rowsIn(layout, b) })) {
      if (u !== least && u !== most) {
        // Of three different values the middle one is between: an old extreme, or the new value.
        const middle = Math.max(least, Math.min(u, most));
        if (least < most) between = middle;
        least = Math.min(least, u);
        most = Math.max(most, u);
      }
      const value = u + shift;
      const whole = Math.round(value);
      const off = Math.abs(value - whole) > 1e-6 * Math.max(1, Math.abs(value));
      if (off || whole < 0) counts = undefined;
      else counts?.look(Math.abs(whole));
    }
  }
  // Numbers of a tiny scale all lie near 0.
  if (!(most - least > 0.5)) counts = undefined;
  return { shift, least, most, ...(counts && { counts }), ...(between !== undefined && { between }) };
}
