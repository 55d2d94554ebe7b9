import { renameSync, rmSync, writeFileSync } from "node:fs";
import { SparrowError } from "../errors.js";

/** A file may be written again; half of one is never seen. */
export function writeWhole(file: string, text: string): void {
  const temporary = `${file}.partial`;
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new SparrowError(`${file} could not be written: ${(error as Error).message}.`);
  }
}
