/** The files of a folder that are the parts of one table. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { SparrowError } from "../errors.js";
import type { Reader } from "./reader.js";
import { kindByName } from "./readers/kinds.js";

/**
 * In the order of their names, those of folders inside among them. Hidden files, and those that programs leave beside
 * their parts (`_SUCCESS`), are no data; nor is what no reader knows by its ending, where there is something that one does.
 */
export function filesIn(folder: string, readers: readonly Reader[]): string[] {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/(?:^|[/\\])[._][^/\\]*$/.test(path.slice(folder.length)))
    .sort();
  const known = all.filter((path) => kindByName(path, readers));
  if (known.length === 0) {
    throw new SparrowError(`${folder} is a folder without any data that can be read; name a file.`, "file");
  }
  refuseColumnsInNames(folder, known);
  return known;
}

/** Partitioned data keep a column in the names of folders: leaving it out unsaid would be wrong. */
function refuseColumnsInNames(folder: string, paths: readonly string[]): void {
  const named = paths.map(
    (path) => /(?:^|[/\\])([^/\\=]+)=[^/\\]*[/\\]/.exec(path.slice(folder.length))?.[1],
  );
  const column = named.find((each) => each !== undefined);
  if (column === undefined) return;
  throw new SparrowError(
    `${folder} is partitioned: the names of its folders hold the column "${column}", which the files may lack; name the files themselves, as in ${join(folder, `${column}=*`, "*")}, to read what is in them.`,
    "file",
  );
}
