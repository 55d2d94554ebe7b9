import { renameSync, rmSync, writeFileSync } from "node:fs";
import { writing } from "../errors.js";

/** A file may be written again; half of one is never seen. */
export function writeWhole(file: string, text: string): void {
  const temporary = `${file}.partial`;
  try {
    writing(file, () => {
      writeFileSync(temporary, text);
      renameSync(temporary, file);
    });
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
