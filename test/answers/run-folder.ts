/** The files of a run folder: some whole, the others as hashes. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { plain, sha256 } from "./plain.js";

export function folderOf(folder: string, whole: readonly string[]): Record<string, unknown> {
  const names = readdirSync(folder).sort();
  return Object.fromEntries(
    names
      // The list holds the checksum of the times.
      .filter((name) => name !== "timing.json" && name !== "manifest.json")
      .map((name) => {
        const bytes = withoutTimes(name, readFileSync(join(folder, name)));
        return [name, whole.includes(name) ? plain(JSON.parse(bytes.toString())) : sha256(bytes)];
      }),
  );
}

/** A page tells how long the run took. */
function withoutTimes(name: string, bytes: Buffer): Buffer {
  if (name !== "report.html") return bytes;
  return Buffer.from(bytes.toString().replace(/, fitted in [\d.,]+ s/, ""));
}
