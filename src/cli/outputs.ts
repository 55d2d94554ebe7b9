/** Where results go. Nothing that exists is overwritten, and what cannot be written is known before the work. */

import { type Claim, type ClaimOptions, claiming, refuseExisting } from "../files/claim.js";
import { checkTablePath } from "../tables/write.js";
import type { ProgressBar } from "./progress.js";

/** Does work whose result goes to a place, where one is given; the place is taken before the work and free after it. */
export function writingTo<T>(
  out: string | undefined,
  options: ClaimOptions,
  work: (claimed: Claim | undefined) => Promise<T>,
): Promise<T> {
  return out === undefined ? work(undefined) : claiming(out, options, work);
}

/** The same for a table, whose name must tell its format. Endings beyond those of tables are for who writes more. */
export async function writingTableTo<T>(
  out: string | undefined,
  work: (claimed: Claim | undefined) => Promise<T>,
  more: readonly string[] = [],
): Promise<T> {
  if (out !== undefined) {
    refuseExisting(out);
    checkTablePath(out, more);
  }
  return writingTo(out, {}, work);
}

/**
 * An answer is worth more than its files: where they cannot be written, it is shown all the same. The bar counts the
 * writing, and is gone before the answer is there.
 */
export async function savedAndShown(
  save: () => Promise<void> | void,
  show: () => void,
  bar?: ProgressBar,
): Promise<void> {
  try {
    await save();
  } finally {
    bar?.done();
    show();
  }
}
