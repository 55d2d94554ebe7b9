/** Which family a target belongs to, and how the family sees it. */

import { SparrowError } from "../../errors.js";
import { CountEvidence } from "../../families/counts.js";
import type { Family, TargetValues } from "../../families/family.js";
import { familyNamed, familyNames } from "../../families/register.js";
import { judgeTarget, type Target } from "../../families/target.js";
import { targetWords } from "../../store/build/encode.js";
import { option } from "../../wording.js";
import type { MixedOptions } from "../options.js";
import { sharesOf } from "./checks/successes.js";
import type { Frame } from "./frame.js";

export interface Judged {
  readonly family: Family;
  readonly y: Float64Array;
  readonly weights: Float64Array | undefined;
  readonly remarks: readonly string[];
}

const NO_WEIGHTS = "Weights are for targets of numbers; counts of successes have trials.";

export function judge(frame: Frame, options: Partial<MixedOptions> & { readonly target: string }): Judged {
  const { y, trials, classes, weights, rowOf } = frame;
  const { target: name, family: asked = "auto", trials: of = "" } = options;
  if (trials) {
    const family = familyNames.map(familyNamed).find(({ target }) => target.classes) as Family;
    if (asked !== "auto" && familyNamed(asked) !== family)
      throw new SparrowError(
        `${option("trials", of)} makes the target a number of successes, which is not ${option("family", asked)}: leave one of them out.`,
        "option",
      );
    if (weights) throw new SparrowError(NO_WEIGHTS, "option");
    if (classes)
      throw new SparrowError(
        `The target "${name}" holds text: with ${option("trials", of)} it must be the number of successes.`,
        "column",
      );
    const shares = sharesOf({ name, of, successes: y, trials, rowOf });
    return { family, y: shares, weights: trials.map(Math.round), remarks: [] };
  }
  const values = lookedAt(y).values();
  const two = classes ?? endsOf(values);
  const words = targetWords({
    column: name,
    kind: frame.targetKind ?? "number",
    ...(two && { values: two }),
  });
  const { family, scaling, remarks } = judgeTarget(values, asked, words);
  if (weights && !family.quadratic) {
    throw new SparrowError(NO_WEIGHTS, "option");
  }
  const bad = weights?.findIndex((value) => !(value > 0)) ?? -1;
  if (bad >= 0)
    throw new SparrowError(
      `The weight is ${weights?.[bad]} in row ${rowOf(bad)}: it must be positive.`,
      "data",
    );
  return { family, y: y.map((value) => scaling.slope * value + scaling.offset), weights, remarks };
}

/** The smaller and the larger of two numbers, unless they say by themselves which of them counts as 1. */
const endsOf = ({ least, most }: TargetValues): [number, number] | undefined =>
  least === 0 && most === 1 ? undefined : [least, most];

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

  /** Of another family sums of products would be of no use, unless numbers are asked for. */
  judged(name: string): Target {
    return judgeTarget(this.values(), "auto", { name });
  }
}
