/** Packed files that are read from their end, or by their parts, as files that are not packed. */

import { basename, join } from "node:path";
import { temporaryFolder } from "../../files/temporary.js";
import type { ReaderSettings } from "../reader.js";
import type { Table } from "../table.js";
import { bytesOf } from "./bytes.js";
import { copyTo } from "./copy.js";
import { packingOf } from "./data-file.js";
import { naming, overCopies } from "./over-copies.js";

export async function unpackedCopies<T extends Table>(
  paths: readonly string[],
  settings: ReaderSettings,
  open: (paths: readonly string[]) => Promise<T>,
  /** Whether whoever opens a file cannot unpack it; none can unless told. */
  isMeant = (path: string) => packingOf(path) !== undefined,
): Promise<T> {
  if (!paths.some(isMeant)) return open(paths);
  const { path: folder, remove } = temporaryFolder();
  return overCopies(remove, async () => {
    const copies: string[] = [];
    for (const [i, path] of paths.entries()) {
      if (!isMeant(path)) {
        copies.push(path);
        continue;
      }
      const copy = join(folder, `${i}-${basename(path).replace(/\.\w+$/, "")}`);
      copies.push(copy);
      await copyTo(copy, bytesOf(path), settings);
    }
    return naming({ copies, paths }, () => open(copies));
  });
}
