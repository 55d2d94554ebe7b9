/** Work in parts, one after the other: those that were finished before a run was stopped are not done again. */

import type { Journal } from "./journal.js";

/** Does a part, or takes what it came to from the journal: plain data. Parts are known by their order. */
export type Parts = <T>(work: () => Promise<T> | T) => Promise<T>;

export function parts(journal: Journal | undefined): Parts {
  if (journal === undefined) return async (work) => work();
  // A number of its own: parts may have parts.
  journal.call("parts");
  const loop = journal.loop();
  const finished = [...((loop.saved as readonly unknown[] | undefined) ?? [])];
  let next = 0;
  return async <T>(work: () => Promise<T> | T) => {
    if (next === finished.length) {
      finished.push(await work());
      loop.keep(() => finished, true);
    }
    return finished[next++] as T;
  };
}
