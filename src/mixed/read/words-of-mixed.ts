/** Readers advise to exclude columns; here they are left out by naming others, each in the part that it plays. */

import { withoutExclude } from "../../tables/judge/late.js";
import { option } from "../../wording.js";
import type { MixedOptions } from "../options.js";

/** Options that name one column each. */
const ROLES = ["weights", "trials", "offset", "target", "group"] as const;

type Named = { readonly [Role in (typeof ROLES)[number] | "formula"]?: MixedOptions[Role] | undefined };

export async function wordsOfMixed<T>(named: Named, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw withoutExclude(error, (columns) => {
      const [column] = [columns].flat();
      const role = ROLES.find((each) => column !== undefined && named[each] === column);
      if (role !== undefined) return `another ${option(role)}`;
      return named.formula === undefined
        ? `${option("fixed")} and ${option("random")}`
        : `another ${option("formula")}`;
    });
  }
}
