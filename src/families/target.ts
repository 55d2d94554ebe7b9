/** What kind of target the data hold, and how the model sees it. */

import { SparrowError } from "../errors.js";
import { view } from "../store/batch/arena.js";
import type { Scaling } from "../store/batch/scaling.js";
import { rowsIn } from "../store/layout/layout.js";
import type { Store } from "../store/store.js";
import { CountEvidence } from "./counts.js";
import type { FamilyName } from "./families.js";

export interface Target {
  readonly family: FamilyName;
  /** From the stored numbers to those of the family: 0 and 1 for classes, counts, or the target as it came. */
  readonly scaling: Scaling["target"];
  /** For classes: the values of the target that count as 0 and 1. */
  readonly classes?: readonly [number, number];
  readonly warnings: readonly string[];
}

interface Values {
  readonly least: number;
  readonly most: number;
  /** A stored number that is neither the least nor the most, if there is one. */
  readonly between?: number;
  /** Given if all values are whole and none is negative. */
  readonly counts?: CountEvidence;
}

/** `auto` takes two distinct values for classes, what are clearly counts for Poisson, everything else for Gaussian. */
export function targetOf(store: Store, asked: FamilyName | "auto", name: string): Target {
  const shift = store.shift[store.layout.columns];
  const { least, most, between, counts } = valuesOf(store, shift);
  const asCame = { slope: 1, offset: shift };
  const twoValues = between === undefined && most > least;
  const likely = twoValues ? "binomial" : counts?.areCounts ? "poisson" : "gaussian";
  const family = asked === "auto" ? likely : asked;
  if (family === "binomial") {
    if (most > least && between !== undefined) {
      throw new SparrowError(
        `Column "${name}" must hold two values for --family binomial, but it holds ${[least, between, most].map((u) => tidy(u + shift, most - least)).join(", ")}; choose another --family.`,
      );
    }
    const slope = most > least ? 1 / (most - least) : 1;
    const classes = [least, most].map((u) => Number(tidy(u + shift, most - least))) as [number, number];
    return { family, scaling: { slope, offset: -least * slope }, classes, warnings: [] };
  }
  if (family === "poisson" && !counts) {
    const bad = least + shift < -0.5 ? tidy(least + shift, most - least) : "numbers with a fraction";
    throw new SparrowError(
      `Column "${name}" must hold counts for --family poisson, but it holds ${bad}; choose another --family.`,
    );
  }
  const warnings: string[] = [];
  if (asked === "auto" && family === "poisson") {
    warnings.push(
      `"${name}" holds whole numbers from 0 to ${Math.round(most + shift)}, most of them small, as counts do: poisson; --family gaussian takes them for measurements.`,
    );
  } else if (asked === "auto" && counts && most + shift < 1000) {
    warnings.push(
      `The target holds whole numbers and was taken for Gaussian; --family poisson treats them as counts.`,
    );
  }
  return { family, scaling: asCame, warnings };
}

/** The intercept of the model without variables, from the mean of the stored target. */
export function interceptAlone({ family, scaling }: Target, storedMean: number): number {
  const mean = scaling.slope * storedMean + scaling.offset;
  if (family === "binomial") return Math.log(mean / (1 - mean));
  return family === "poisson" ? Math.log(mean) : mean;
}

function valuesOf(store: Store, shift: number): Values {
  const { layout, kernels } = store;
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  let between: number | undefined;
  let counts: CountEvidence | undefined = new CountEvidence();
  for (let b = 0; b < layout.blocks; b++) {
    const run = { pointer: store.run(b, layout.columns), length: rowsIn(layout, b) };
    for (const u of view(kernels.memory, run)) {
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
  return { least, most, ...(counts && { counts }), ...(between !== undefined && { between }) };
}

/** Without the rounding that comes of the shift. */
function tidy(value: number, range: number): string {
  return String(Math.abs(value) < 1e-6 * range ? 0 : Number(value.toPrecision(6)));
}
