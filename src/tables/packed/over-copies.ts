import { SparrowError } from "../../errors.js";
import type { AnyTable } from "../table.js";

/** A table over temporary files: they go when it is closed, and at once where it cannot be opened. */
export async function overCopies<T extends Pick<AnyTable, "close">>(
  remove: () => void,
  open: () => Promise<T>,
): Promise<T> {
  try {
    const table = await open();
    return {
      ...table,
      close() {
        table.close?.();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** What is wrong with a copy is said of the file that it was made of. */
export async function naming<T>(
  { copies, paths }: { readonly copies: readonly string[]; readonly paths: readonly string[] },
  open: () => Promise<T>,
): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof SparrowError) || !copies.some((copy) => error.marked.includes(copy))) throw error;
    const marked = copies.reduce((words, copy, i) => words.replaceAll(copy, paths[i]), error.marked);
    throw new SparrowError(marked, error.code);
  }
}
