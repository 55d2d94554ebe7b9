/** A sheet of a workbook as a table: its first row holds the names of the columns. */

import { SparrowError } from "../../errors.js";
import { option } from "../../wording.js";
import { checkHeldWhole } from "../json/held-whole.js";
import type { DataFile } from "../packed/data-file.js";
import { damaged, noRows, refuseDuplicates } from "../read-errors.js";
import type { ReaderSettings } from "../reader.js";
import { arrayTable } from "../readers/arrays.js";
import type { ColumnTable } from "../table.js";
import { intactFiles } from "./intact-zip.js";
import type { Sheet, Unpacking } from "./unpacking.js";

type Row = Sheet["rows"][number];
/** A workbook, wherever it lies. */
export type WorkbookFile = Pick<DataFile, "name"> & { whole(): Promise<Uint8Array> };

export async function workbookTable(
  files: readonly WorkbookFile[],
  settings: ReaderSettings,
  tools: Unpacking,
): Promise<ColumnTable> {
  const { name } = settings;
  const tables: { names: readonly string[]; rows: readonly Row[] }[] = [];
  const notes: string[] = [];
  for (const file of files) {
    const called = files.length === 1 ? name : file.name;
    const sheets = await sheetsOf(file, called, settings.memory, tools);
    const sheet = chosen(sheets, settings.sheet, called);
    if (settings.sheet === undefined && sheets.length > 1) notes.push(othersNote(called, sheet, sheets));
    tables.push(cut(sheet, settings.noHeader === true, called));
  }
  const [{ names }] = tables;
  const other = tables.findIndex((table) => table.names.join("\n") !== names.join("\n"));
  if (other > 0) {
    throw new SparrowError(
      `${files[other].name} does not have the same columns as ${files[0].name}; all files must.`,
      "format",
    );
  }
  refuseDuplicates(names, name);
  const rows = tables.flatMap((table) => table.rows);
  if (rows.length === 0) throw noRows(name);
  const columns = Object.fromEntries(names.map((column, c) => [column, rows.map((row) => row[c] ?? null)]));
  const table = arrayTable(columns, name, settings);
  return { ...table, remarks: (wanted) => [...notes, ...(table.remarks?.(wanted) ?? [])] };
}

async function sheetsOf(
  file: WorkbookFile,
  name: string,
  memory: number | undefined,
  tools: Unpacking,
): Promise<readonly Sheet[]> {
  try {
    const bytes = await file.whole();
    const entries = await intactFiles(bytes, tools, (unpacked) => checkHeldWhole(name, unpacked, memory));
    // From the bytes that were checked: the file may change meanwhile.
    return await tools.sheets(bytes, entries);
  } catch (error) {
    if (error instanceof SparrowError || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    throw damaged(name);
  }
}

/** By name, by number from 1, or the first that holds anything. */
function chosen(sheets: readonly Sheet[], asked: string | undefined, name: string): Sheet {
  const listed = sheets.map((sheet) => `"${sheet.name}"`).join(", ");
  if (asked === undefined) {
    const first = sheets.find(({ rows }) => rows.length > 0);
    if (first) return first;
    throw new SparrowError(`${name} is empty.`, "format");
  }
  const found = sheets.find((sheet) => sheet.name === asked) ?? sheets[Number(asked) - 1];
  if (found) return found;
  throw new SparrowError(
    `${name} has no sheet "${asked}" (${option("sheet")}). The sheets are ${listed}.`,
    "option",
  );
}

function othersNote(name: string, sheet: Sheet, sheets: readonly Sheet[]): string {
  const others = sheets.filter((each) => each !== sheet).map((each) => `"${each.name}"`);
  return `Of ${name} the sheet "${sheet.name}" was read, and not ${others.slice(0, 5).join(", ")}; ${option("sheet")} chooses another.`;
}

/** Rows and columns without anything in them are no part of the table. */
function cut(
  { rows }: Sheet,
  noHeader: boolean,
  name: string,
): { names: readonly string[]; rows: readonly Row[] } {
  const filled = rows.filter((row) =>
    row.some((value) => value !== null && value !== undefined && value !== ""),
  );
  if (filled.length === 0) throw new SparrowError(`${name} is empty.`, "format");
  const width = filled.reduce((most, row) => Math.max(most, row.length), 0);
  const used = Array.from({ length: width }, (_, c) => c).filter((c) =>
    filled.some((row) => (row[c] ?? null) !== null),
  );
  const head = noHeader ? [] : filled[0];
  const names = used.map((c) => {
    const value = head[c];
    const text = value instanceof Date ? value.toISOString().slice(0, 10) : String(value ?? "").trim();
    return text === "" ? `column${c + 1}` : text;
  });
  return { names, rows: filled.slice(noHeader ? 0 : 1).map((row) => used.map((c) => row[c] ?? null)) };
}
