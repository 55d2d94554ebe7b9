/**
 * V8 compiles a function for speed once it has run for long enough, in every thread that runs it. A fit is over before
 * that pays for most: with the usual budget (135,168 bytes of bytecode between two looks at a function) a third of the
 * processor's time after reading went into compiling. 50,000 × 2,000 numbers, two cores, Node 20: 1.22 s of CPU and 0.70
 * by the clock, with this budget 0.86 and 0.53, with two million no less; the crime data, 47 × 15, take longer from one
 * million on. Node 22 is as fast either way and its later versions do not know the flag, and Node 24 counts otherwise.
 */

import { setFlagsFromString } from "node:v8";

export const BYTECODE_BUDGET = 400_000;

/** For the whole process, so this is the command's affair and nothing that a library may do. */
export function compileLess(): void {
  if (Number.parseInt(process.versions.node, 10) >= 22) return;
  setFlagsFromString(`--interrupt-budget=${BYTECODE_BUDGET}`);
}
