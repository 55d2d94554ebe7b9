/** Text files that are not UTF-8, as files that are. */

import { join } from "node:path";
import { temporaryFolder } from "../../files/temporary.js";
import type { ReaderSettings } from "../reader.js";
import type { ColumnTable } from "../table.js";
import { copyTo } from "./copy.js";
import { decodedText, type Encoding, encodingNote, encodingOfFile } from "./encoding.js";
import { fileOnDisk } from "./on-disk.js";
import { naming, overCopies } from "./over-copies.js";

type Open = (paths: readonly string[], settings: ReaderSettings) => Promise<ColumnTable>;

export async function asUtf8(
  paths: readonly string[],
  settings: ReaderSettings,
  open: Open,
): Promise<ColumnTable> {
  const encodings: Encoding[] = [];
  for (const path of paths) encodings.push(await encodingOfFile(fileOnDisk(path), settings.encoding));
  if (encodings.every((encoding) => encoding === "utf-8")) return open(paths, settings);
  const { path: folder, remove } = temporaryFolder();
  return overCopies(remove, async () => {
    const copies: string[] = [];
    for (const [i, path] of paths.entries()) {
      copies.push(join(folder, `${i}.txt`));
      await copyTo(copies[i], decodedText(fileOnDisk(path), encodings[i]), settings);
    }
    const table = await naming({ copies, paths }, () => open(copies, settings));
    const note = encodingNote(settings.name, encodings);
    return { ...table, remarks: (columns) => [note, ...(table.remarks?.(columns) ?? [])] };
  });
}
