#!/usr/bin/env node
/** Loads the program by name: where the system does not let it be loaded, that is said in a sentence, too. */

import { processMoment } from "./profile-text.js";
import { compileLess } from "./world/compiling.js";
import { watchOutput } from "./world/output.js";
import { readyText } from "./world/ready-text.js";

const begun = processMoment();
const ready = readyText(process.argv.slice(2), import.meta.url);
if (ready !== undefined) {
  watchOutput();
  process.stdout.write(ready);
} else {
  compileLess();
  import("./start.js").catch(fail).then(({ start }) => start(begun));
}

function fail({ code, message }: NodeJS.ErrnoException): never {
  const few = code === "EMFILE" || code === "ENFILE";
  const why = few ? "the system allows too few open files; allow more (ulimit -n)" : message.split("\n")[0];
  process.stderr.write(`sparrow: ${why}.\n`);
  process.exit(1);
}
