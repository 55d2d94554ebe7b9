/**
 * A reader opens sources of one kind. To add a kind: its reader in `readers/`, its test, and its line in
 * `readers/register.ts`. Packages that take long to load are imported in `open`, not at the top of the file.
 */

import type { ReadingHints } from "./judge/hints.js";
import type { Table } from "./table.js";

export interface Reader {
  /** What the kind is called in messages. */
  readonly name: string;
  /** Endings of file names that belong to it, in lower case. */
  readonly endings: readonly string[];
  /** Asked where no reader knows the ending: whether the first bytes, or the files in a folder, are of its kind. */
  matches(source: Source): boolean;
  /** One table from sources of this kind that belong together. */
  open(paths: readonly string[], settings: ReaderSettings): Promise<Table>;
}

export interface Source {
  /** Of the file or folder. */
  readonly path: string;
  /** Whether it is a folder. */
  readonly isFolder: boolean;
  /** How the file is packed, as its name says: gz, zst, bz2 or xz. */
  readonly packing: string | undefined;
  /** The first bytes of a file, one character each. */
  start(): string;
}

export interface ReaderSettings extends ReadingHints {
  /** For messages: what the user called the source. */
  readonly name: string;
  /** Bytes that a reader may take up where it can choose; beyond them it works on disk. */
  readonly memory?: number | undefined;
  /** Whether all rows are looked at before it is decided what the columns are. */
  readonly thorough?: boolean | undefined;
  /** Stops what may take long before the first row is read: copies of packed files. */
  readonly signal?: AbortSignal | undefined;
  /** What the text of the files is written in, where it is known not to be UTF-8. */
  readonly encoding?: "latin1" | undefined;
}
