/** What kind of target the data hold, and how the model sees it: judged once, here. */

import type { Family, TakenTarget, TargetValues } from "./family.js";
import { FAMILIES, type FamilyName, familyNamed } from "./register.js";

export interface Target extends TakenTarget {
  readonly family: Family;
  /** What was taken for granted, in sentences. */
  readonly warnings: readonly string[];
}

/** `auto` takes two distinct values for classes, what are clearly counts for Poisson, everything else for Gaussian. */
export function judgeTarget(values: TargetValues, asked: FamilyName | "auto", name: string): Target {
  const family = asked === "auto" ? likeliest(values) : familyNamed(asked);
  const remark = asked === "auto" ? family.target.remark(values, name) : undefined;
  return { family, ...family.target.take(values, name), warnings: remark === undefined ? [] : [remark] };
}

function likeliest(values: TargetValues): Family {
  const [usual, ...others]: Family[] = Object.values(FAMILIES);
  return others.find(({ target }) => target.likely(values)) ?? usual;
}
