/** Asks now and then how far a query is, for as long as it runs. */

import type { Read } from "./engine.js";

/** Milliseconds between two looks: a question that is over sooner needs none. */
const LOOK = 500;

/** Nobody waits for a look, and one that fails says nothing. The answer ends it. */
export function watching(
  look: () => Promise<Read | undefined> | Read | undefined,
  onRead: (read: Read) => void,
): () => void {
  let over = false;
  let looking = false;
  const timer = setInterval(async () => {
    if (looking) return;
    looking = true;
    try {
      const read = await look();
      if (read && !over) onRead(read);
    } catch {
    } finally {
      looking = false;
    }
  }, LOOK);
  timer.unref();
  return () => {
    over = true;
    clearInterval(timer);
  };
}
