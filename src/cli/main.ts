#!/usr/bin/env node
/** Loads the program by name: where the system does not let it be loaded, that is said in a sentence, too. */

import { compileLess } from "./compiling.js";
import { programBegins } from "./profile-text.js";

programBegins();
compileLess();
try {
  await import("./start.js");
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  const few = code === "EMFILE" || code === "ENFILE";
  const why = few ? "the system allows too few open files; allow more (ulimit -n)" : message.split("\n")[0];
  process.stderr.write(`sparrow: ${why}.\n`);
  process.exit(1);
}
