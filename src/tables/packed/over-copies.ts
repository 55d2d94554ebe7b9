import type { Table } from "../table.js";

/** A table over temporary files: they go when it is closed, and at once where it cannot be opened. */
export async function overCopies<T extends Table>(remove: () => void, open: () => Promise<T>): Promise<T> {
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
