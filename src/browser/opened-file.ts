/** A file that a page has opened, and its table. */

import { SparrowError } from "../errors.js";
import { dialectOf } from "../tables/duckdb/dialect.js";
import { needed } from "../tables/needed.js";
import { type DataFile, isAboutBytes, latin1, packingOf } from "../tables/packed/data-file.js";
import { encodingNote, encodingOfFile } from "../tables/packed/encoding.js";
import { damaged } from "../tables/read-errors.js";
import type { ReaderSettings } from "../tables/reader.js";
import { type FileFormat, kindByName, kinds } from "../tables/readers/kinds.js";
import { sharedReading } from "../tables/reading-asked.js";
import type { ColumnTable, Table } from "../tables/table.js";
import { blobFile } from "./blob-file.js";
import { neededFor, objectMemory, tabMemory, tooLarge } from "./room.js";
import { utf8File } from "./utf8-file.js";

/** A `File`, or any blob with a name: its ending tells what is in it. */
export type NamedBlob = Blob & { readonly name: string };

/** A file that was opened: what `describe`, `fit`, `run`, `predict`, `compare` and `mixed` take. */
export interface OpenedFile {
  /** What the file is called. */
  readonly name: string;
  /** Its size. */
  readonly bytes: number;
  /** What is in it. */
  readonly format: FileFormat;
  /** Bytes of memory that a fit of all its columns will take up, about. */
  readonly needs: number;
  /** Where that is more than this tab can be sure of: what to do about it. A fit that does not fit says the same. */
  readonly tooLarge?: string;
}

const files = new WeakMap<OpenedFile, DataFile>();

export async function openFile(blob: NamedBlob): Promise<OpenedFile> {
  const { name, size } = blob;
  if (size === 0) throw new SparrowError(`${name} is empty.`, "format");
  const file = blobFile(blob, name);
  const format = await formatOf(file);
  // What is wrong with a file is for its reader to say.
  const needs = await neededFor(file, format).catch(() => size);
  const memory = tabMemory();
  const opened: OpenedFile = {
    name,
    bytes: size,
    format,
    needs,
    ...(needs > memory && { tooLarge: tooLarge(name, needs, memory).message }),
  };
  files.set(opened, file);
  return opened;
}

export function isOpened(data: object): data is OpenedFile {
  return files.has(data as OpenedFile);
}

async function formatOf(file: DataFile): Promise<FileFormat> {
  const all = Object.values(kinds);
  const known = kindByName(file.name, all);
  if (known) return known.name as FileFormat;
  const start = latin1(await file.slice(0, 4096));
  const source = { path: file.name, isFolder: false, packing: packingOf(file.name), start: () => start };
  return all.find((kind) => kind.matches(source))!.name as FileFormat;
}

/** The table of a file, by the rules of the command line. */
export async function tableOf(opened: OpenedFile, settings: Omit<ReaderSettings, "name">): Promise<Table> {
  const file = files.get(opened)!;
  const asked = sharedReading(settings);
  const table = await READERS[opened.format](file, { name: opened.name, ...settings });
  return asked && table.by === "columns" ? { ...table, asked } : table;
}

type Read = (file: DataFile, settings: ReaderSettings) => Promise<Table>;
type ReadText = (file: DataFile, settings: ReaderSettings) => Promise<ColumnTable>;

/** What a file needs is loaded when there is such a file. */
const READERS: Readonly<Record<FileFormat, Read>> = {
  csv: inUtf8((file, settings) => delimited(file, settings)),
  tsv: inUtf8((file, settings) => delimited(file, settings, ["\t"])),
  json: inUtf8(async (file, settings) =>
    (await import("../tables/json/json-table.js")).jsonTable([file], heldAsObjects(settings)),
  ),
  jsonl: inUtf8(async (file, settings) =>
    (await import("../tables/json/json-table.js")).jsonLinesTable([file], settings),
  ),
  libsvm: async (file, { name }) =>
    (await import("../tables/libsvm/libsvm-table.js")).libsvmTable([file], name),
  async arrow(file, settings) {
    const { arrowTable } = await needed(() => import("../tables/arrow/arrow-table.js"));
    return arrowTable([await unpackedFile(file)], settings);
  },
  async parquet(file, settings) {
    const { parquetTable } = await needed(() => import("../tables/parquet/parquet-table.js"));
    return parquetTable(await unpackedFile(file), settings);
  },
  async xlsx(file, settings) {
    const { inPage } = await needed(() => import("../tables/excel/in-page.js"));
    const { workbookTable } = await import("../tables/excel/workbook-table.js");
    const whole = { name: file.name, whole: () => file.slice(0, file.size) };
    return workbookTable([whole], heldAsObjects(settings), inPage);
  },
};

const heldAsObjects = (settings: ReaderSettings): ReaderSettings => ({
  ...settings,
  memory: objectMemory(settings.memory),
});

async function delimited(
  file: DataFile,
  settings: ReaderSettings,
  delimiters?: readonly string[],
): Promise<ColumnTable> {
  const { firstLines } = await import("../tables/wide/first-lines.js");
  const { wideTable } = await import("../tables/wide/wide-table.js");
  const dialect = dialectOf(settings, delimiters);
  return wideTable([file], settings, dialect, await firstLines(file, dialect));
}

/** Bytes that are handed to the browser at once. */
const HANDED = 1 << 26;

/** What is read by its parts has to be unpacked as a whole; browsers keep large blobs on disk. */
async function unpackedFile(file: DataFile): Promise<DataFile> {
  if (packingOf(file.name) === undefined) return file;
  const [blobs, memory]: [Blob[], number] = [[], tabMemory()];
  let parts: Uint8Array<ArrayBuffer>[] = [];
  let [held, size] = [0, 0];
  try {
    for await (const part of file.bytes()) {
      parts.push(part as Uint8Array<ArrayBuffer>);
      held += part.length;
      size += part.length;
      if (size > memory) throw tooLarge(file.name, size, memory);
      if (held < HANDED) continue;
      blobs.push(new Blob(parts));
      [parts, held] = [[], 0];
    }
  } catch (error) {
    throw isAboutBytes(error) ? damaged(file.name) : error;
  }
  return blobFile(new Blob([...blobs, ...parts]), file.name.replace(/\.\w+$/, ""));
}

function inUtf8(read: ReadText): ReadText {
  return async (file, settings) => {
    const encoding = await encodingOfFile(file, settings.encoding);
    if (encoding === "utf-8") return read(file, settings);
    const table = await read(utf8File(file, encoding), settings);
    const note = encodingNote(settings.name, [encoding]);
    return { ...table, remarks: (columns) => [note, ...(table.remarks?.(columns) ?? [])] };
  };
}
