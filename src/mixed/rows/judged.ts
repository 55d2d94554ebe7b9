/** Which family a target belongs to, and how the family sees it. */

import { SparrowError } from "../../errors.js";
import { CountEvidence } from "../../families/counts.js";
import type { Family, TargetValues } from "../../families/family.js";
import { familyNamed, familyNames } from "../../families/register.js";
import { judgeTarget } from "../../families/target.js";
import type { MixedOptions } from "../options.js";
import type { Frame } from "./frame.js";

export interface Judged {
  readonly family: Family;
  readonly y: Float64Array;
  readonly weights: Float64Array | undefined;
  readonly remarks: readonly string[];
}

export function judge(frame: Frame, options: Partial<MixedOptions> & { readonly target: string }): Judged {
  const { y, trials, classes, weights } = frame;
  const { target: name, family: asked = "auto" } = options;
  if (trials) {
    const family = familyNames.map(familyNamed).find(({ target }) => target.classes) as Family;
    const bad = y.findIndex((value, i) => !(value >= 0 && value <= trials[i] && trials[i] > 0));
    if (bad >= 0) {
      throw new SparrowError(
        `In row ${bad + 1} of those used "${name}" is ${y[bad]} of ${trials[bad]} trials: it must lie between 0 and the trials.`,
        "data",
      );
    }
    return { family, y: y.map((value, i) => value / trials[i]), weights: trials, remarks: [] };
  }
  const success = classes && `"${classes[1]}"`;
  const { family, scaling, remarks } = judgeTarget(lookedAt(y).values(), asked, { name, success });
  if (weights && !family.quadratic) {
    throw new SparrowError("Weights are for targets of numbers; counts of successes have trials.", "option");
  }
  const bad = weights?.findIndex((value) => !(value > 0)) ?? -1;
  if (bad >= 0)
    throw new SparrowError(
      `In row ${bad + 1} of those used the weight is ${weights?.[bad]}: it must be positive.`,
      "data",
    );
  return { family, y: y.map((value) => scaling.slope * value + scaling.offset), weights, remarks };
}

function lookedAt(y: Float64Array): TargetLook {
  const look = new TargetLook();
  for (const value of y) look.look(value);
  return look;
}

/** Looks at a target value by value. */
export class TargetLook {
  private least = Number.POSITIVE_INFINITY;
  private most = Number.NEGATIVE_INFINITY;
  private between: number | undefined;
  private counts: CountEvidence | undefined = new CountEvidence();

  look(value: number): void {
    if (value < this.least || value > this.most) {
      if (value < this.least && this.least < this.most) this.between = this.least;
      if (value > this.most && this.least < this.most) this.between = this.most;
      this.least = Math.min(this.least, value);
      this.most = Math.max(this.most, value);
    } else if (value !== this.least && value !== this.most) this.between = value;
    if (Number.isInteger(value) && value >= 0) this.counts?.look(value);
    else this.counts = undefined;
  }

  values(): TargetValues {
    const { least, most, between, counts } = this;
    return { shift: 0, least, most, ...(between !== undefined && { between }), ...(counts && { counts }) };
  }

  /** Whether sums of products would be of no use, unless numbers are asked for. */
  get isOfAnotherFamily(): boolean {
    return !judgeTarget(this.values(), "auto", { name: "" }).family.quadratic;
  }
}
