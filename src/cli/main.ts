#!/usr/bin/env node
/** Loads the program by name: where the system does not let it be loaded, that is said in a sentence, too. */

import { setFlagsFromString } from "node:v8";
import { programBegins } from "./profile-text.js";

/**
 * Most of what a fit of a few seconds does in JavaScript runs too briefly to be worth the best code that there is: making
 * that took a fifth of all CPU, in every thread again. So functions have to run eight times as much as is usual before.
 */
setFlagsFromString("--interrupt-budget=1000000");
programBegins();
try {
  await import("./start.js");
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  const few = code === "EMFILE" || code === "ENFILE";
  const why = few ? "the system allows too few open files; allow more (ulimit -n)" : message.split("\n")[0];
  process.stderr.write(`sparrow: ${why}.\n`);
  process.exit(1);
}
