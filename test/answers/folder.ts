/** A folder of its own for each case. Work is done inside it, so that no path of the machine gets into an answer. */

import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const examples = fileURLToPath(new URL("../../examples", import.meta.url));
/** Inside the project, because worker threads look for the loader of TypeScript from where we are. */
const scratch = fileURLToPath(new URL("../../build", import.meta.url));

export function inFolder<T>(work: () => Promise<T>): () => Promise<T> {
  return async () => {
    const before = process.cwd();
    mkdirSync(scratch, { recursive: true });
    const folder = mkdtempSync(join(scratch, "answers-"));
    process.chdir(folder);
    try {
      return await work();
    } finally {
      process.chdir(before);
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

/** Copies a data set of the examples to where we are. */
export function example(name: string): string {
  cpSync(join(examples, name), name);
  return name;
}
