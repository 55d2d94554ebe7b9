/** A run on disk. It appears whole or not at all, and never in the place of another one. */

import type { Claim } from "../files/claim.js";
import { manifestOf } from "../files/manifest.js";
import { type FileContent, writeFolder } from "../files/whole.js";

/** Folders on the way to a run are made where they are missing. */
export const RUN_FOLDER = { parents: true } as const;

/** The list of files with their checksums comes last: what it lists was there. */
export function saveRun(claimed: Claim, files: Readonly<Record<string, FileContent>>): Promise<void> {
  return writeFolder(claimed, files, manifestOf);
}
