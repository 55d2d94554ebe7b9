/** Writes the folder of messy files: node --import tsx test/messy/make-files.ts */

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cases } from "./cases.js";

const folder = join(import.meta.dirname, "files");
rmSync(folder, { recursive: true, force: true });
const { mkdirSync } = await import("node:fs");
mkdirSync(folder);
for (const { file, content } of cases) writeFileSync(join(folder, file), content());
