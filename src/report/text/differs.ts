/** Whether groups differ in their effects, in the words that the text and the page share. */

import type { Differs } from "../../mixed/model/differs.js";
import { probability } from "./numbers.js";

interface WithDiffers {
  readonly differs?: readonly Differs[];
}

/** That groups differ in the effect of that number; nothing where the prior has no answer to that. */
export const differsWith = ({ differs }: WithDiffers, effect: number): string =>
  differs?.[effect] ? probability(differs[effect].probability) : "";

/** What that probability is of, where there is one. */
export const differsNote = (terms: readonly WithDiffers[]): string[] =>
  terms.some(({ differs }) => differs?.length)
    ? ["The probability is that groups differ in the effect at all, from even odds before the data."]
    : [];
