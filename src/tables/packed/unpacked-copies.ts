/** Packed files that are read from their end, or by their parts, as files that are not packed. */

import { createWriteStream } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { temporaryError } from "../../errors.js";
import { temporaryFolder } from "../../files/temporary.js";
import { damaged } from "../read-errors.js";
import type { ReaderSettings } from "../reader.js";
import type { Table } from "../table.js";
import { bytesOf } from "./bytes.js";
import { isAboutBytes, packingOf } from "./data-file.js";
import { overCopies } from "./over-copies.js";

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
      await pipeline(Readable.from(bytesOf(path)), createWriteStream(copy)).catch((error) => {
        throw isAboutBytes(error) ? damaged(settings.name) : temporaryError(tmpdir(), error);
      });
    }
    return open(copies);
  });
}
