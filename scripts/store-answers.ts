/**
 * Stores the answers that test/answers compares with: node --import tsx scripts/store-answers.ts [--only NAME].
 * To be run, and its changes to be read, only where answers are meant to change.
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { cases } from "../test/answers/cases.js";
import { engine, file, text } from "../test/answers/stored.js";

const { only } = parseArgs({ options: { only: { type: "string" } } }).values;
const wanted = cases.filter(({ name }) => only === undefined || name === only);
if (wanted.length === 0) throw new Error(`There is no case ${only}.`);

const write = (name: string, value: unknown) => writeFileSync(file(name), `${text(value)}\n`);

mkdirSync(new URL(".", file("engine")), { recursive: true });
for (const { name, run } of wanted) {
  const start = performance.now();
  write(name, await run());
  console.log(`${name} ${((performance.now() - start) / 1000).toFixed(2)} s`);
}
write("engine", engine);
