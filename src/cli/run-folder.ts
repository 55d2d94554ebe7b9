/** A run on disk. It appears whole or not at all, and never in the place of another one. */

import { existsSync } from "node:fs";
import { type Claim, type ClaimOptions, refuseExisting } from "../files/claim.js";
import { jsonOf, manifestOf, openManifest } from "../files/manifest.js";
import { type FileContent, writeFolder } from "../files/whole.js";

/** Folders on the way to a run are made where they are missing. */
export const RUN_FOLDER: ClaimOptions = { parents: true };

/** A run that is resumed takes the place of what it had come to when it was stopped, and of nothing else. */
export function runFolder(out: string | undefined, resumed: boolean): ClaimOptions {
  if (!resumed || out === undefined || !existsSync(out)) return RUN_FOLDER;
  if (!isPartial(out)) refuseExisting(out);
  return { ...RUN_FOLDER, replace: true };
}

/** Whether a run folder holds what a run had come to when it was stopped. */
export function isPartial(folder: string): boolean {
  const summary = jsonOf(openManifest(folder), "summary.json") as { readonly partial?: unknown } | undefined;
  return summary?.partial === true;
}

/** The list of files with their checksums comes last: what it lists was there. */
export function saveRun(
  claimed: Claim,
  files: Readonly<Record<string, FileContent>>,
  onProgress?: (written: number, of: number) => void,
): Promise<void> {
  const of = Object.keys(files).length;
  return writeFolder(claimed, files, { last: manifestOf, onFile: (written) => onProgress?.(written, of) });
}
