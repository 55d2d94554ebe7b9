/** The families that there are. A new one is a file beside this, its test, and a line here. */

import { binomial } from "./binomial.js";
import type { Family } from "./family.js";
import { gaussian } from "./gaussian.js";
import { poisson } from "./poisson.js";

/** The first takes any target that no other claims. */
export const FAMILIES = {
  gaussian,
  binomial,
  poisson,
} satisfies Readonly<Record<string, Family>>;

export type FamilyName = keyof typeof FAMILIES;

/** Scores of predictions, whatever the family. */
export type Scores = ReturnType<(typeof FAMILIES)[FamilyName]["prediction"]["scores"]>;

export const familyNames = Object.keys(FAMILIES) as FamilyName[];

export function familyNamed(name: FamilyName): Family<Scores> {
  return FAMILIES[name];
}

export function nameOf({ name }: Family): FamilyName {
  return name as FamilyName;
}
