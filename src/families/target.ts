/** What kind of target the data hold, and how the model sees it: judged once, here. */

import type { Family, TakenTarget, TargetValues } from "./family.js";
import { FAMILIES, type FamilyName, familyNamed } from "./register.js";

export interface Target extends TakenTarget {
  readonly family: Family;
  /** What was taken for granted, in sentences. */
  readonly remarks: readonly string[];
}

/** How the column is called, and what of it counts as 1, where that has to be said. */
export interface TargetWords {
  readonly name: string;
  readonly success?: string | undefined;
}

/** `auto` takes two distinct values for classes, what are clearly counts for Poisson, everything else for Gaussian. */
export function judgeTarget(
  values: TargetValues,
  asked: FamilyName | "auto",
  { name, success }: TargetWords,
): Target {
  const family = asked === "auto" ? likeliest(values) : familyNamed(asked);
  // Whoever asks for classes has not said yet which of the two values a probability is of.
  const isOpen = asked === "auto" || (family.target.classes && success !== undefined);
  const remark = isOpen ? family.target.remark(values, name, success) : undefined;
  return { family, ...family.target.take(values, name), remarks: remark === undefined ? [] : [remark] };
}

function likeliest(values: TargetValues): Family {
  const [usual, ...others]: Family[] = Object.values(FAMILIES);
  return others.find(({ target }) => target.likely(values)) ?? usual;
}
