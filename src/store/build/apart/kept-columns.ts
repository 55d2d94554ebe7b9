/** Columns in their final order, one after the other in a temporary file: for those that do not fit into memory. */

import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../../files/temporary.js";
import type { ColumnPart } from "../column-rows.js";
import type { Shuffled } from "../row-stage.js";

export interface KeptColumns {
  readonly path: string;
  /** The columns, once all are there. */
  shuffled(): Shuffled<ColumnPart>;
  close(): void;
}

export function keptColumns(rows: number): KeptColumns {
  const { path: folder, remove } = temporaryFolder();
  const path = join(folder, "columns");
  const file = openSync(path, "w+");
  const part: ColumnPart = {
    gather(column, from, to, out, at) {
      const bytes = new Uint8Array(out.buffer, out.byteOffset + 4 * at, 4 * (to - from));
      const start = 4 * (rows * column + from);
      for (let done = 0; done < bytes.length; ) {
        const count = readSync(file, bytes, done, bytes.length - done, start + done);
        if (count === 0) throw new RangeError("A temporary file was cut short.");
        done += count;
      }
    },
  };
  return {
    path,
    shuffled: () => ({ rows, visit: (from, to, use) => use(part, from, to) }),
    close() {
      closeSync(file);
      remove();
    },
  };
}
