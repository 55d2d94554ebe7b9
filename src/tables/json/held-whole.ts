import { SparrowError } from "../../errors.js";
import { option } from "../../wording.js";

/** Bytes held for a byte of a workbook's XML (7.9 at 27 MB) or of a JSON array (7.0 at 11 MB). */
const HELD = 8;
/** What a process may hold beyond its memory, less what it holds before it reads anything. */
const BEYOND = 250e6;

/** Bytes that can be read as a whole. */
export const mostHeldWhole = (memory: number): number => (1.3 * memory + BEYOND) / HELD;

/** Files that cannot be read piece by piece are refused where all of them at once would take more than they may. */
export function checkHeldWhole(name: string, bytes: number, memory: number | undefined): void {
  if (memory === undefined || bytes <= mostHeldWhole(memory)) return;
  const needed = Math.ceil((HELD * bytes) / 1e6);
  throw new SparrowError(
    `${name} can only be read as a whole, which takes about ${needed} MB; write it as CSV, Parquet or JSON lines, or give more ${option("memory")}.`,
    "option",
  );
}
