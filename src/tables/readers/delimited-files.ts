import { asUtf8 } from "../packed/as-utf8.js";
import { packingOf } from "../packed/data-file.js";
import { unpackedCopies } from "../packed/unpacked-copies.js";
import type { ReaderSettings } from "../reader.js";
import type { ColumnTable } from "../table.js";
import { delimitedTable } from "./delimited-table.js";

/** DuckDB unpacks gz and zst itself, and would take other packed bytes for letters. */
const isUnknown = (path: string): boolean => ["bz2", "xz"].includes(packingOf(path) ?? "");

/** Files of text with something between the values, however they are packed and written. */
export function delimitedFiles(
  paths: readonly string[],
  settings: ReaderSettings,
  delimiters?: readonly string[],
): Promise<ColumnTable> {
  const opened = (plain: readonly string[]) =>
    asUtf8(plain, settings, (texts) => delimitedTable(texts, settings, delimiters));
  return unpackedCopies(paths, settings, opened, isUnknown);
}
