import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { SparrowError } from "../../errors.js";
import { MANIFEST } from "../../files/manifest.js";
import { entries } from "../../options/option.js";
import { outputs } from "../../options/outputs.js";
import { options } from "../../options/table.js";
import { readerOf } from "../../tables/source.js";
import type { Command } from "../command.js";
import { progressBar } from "../progress.js";
import type { Looking } from "../verify/data.js";
import type { Verified } from "../verify/verified.js";

const table = { ...entries(options, ["memory"]), ...entries(outputs, ["json", "quiet"]) };

export const verifyCommand: Command<typeof table> = {
  name: "verify",
  summary: "Check a run folder, a store or data as far as can be, and say what was checked.",
  details:
    "PATH is read from its first byte to its last. What is wrong is said in a sentence, with exit status 1.",
  positionals: ["PATH"],
  options: table,
  examples: [
    "sparrow verify run1",
    "sparrow verify data.sparrow --json",
    "sparrow verify examples/crime.csv",
  ],
  async run(args, effects) {
    const [path] = args.positionals;
    const { json = false, quiet = false, memory } = args.options;
    const bar = progressBar(effects, quiet);
    const onRows = (done: number, total = 0) => bar.show({ stage: "read", done, total });
    const verified = await verify(path, { memory, signal: effects.signal, onRows }).finally(bar.done);
    effects.out(json ? `${JSON.stringify(verified, null, 2)}\n` : verifiedText(verified));
  },
};

async function verify(path: string, how: Looking): Promise<Verified> {
  if (!existsSync(path))
    throw new SparrowError(`There is no file or folder ${path}; check the path.`, "file");
  if (statSync(path).isDirectory() && existsSync(join(path, MANIFEST)))
    return (await import("../verify/run.js")).verifyRun(path);
  const { readers } = await import("../../node/open.js");
  const { storeReader } = await import("../../store/open/reader.js");
  const { verifyData } = await import("../verify/data.js");
  const { verifyStore } = await import("../verify/store.js");
  return readerOf(path, readers) === storeReader ? verifyStore(path, how.onRows) : verifyData(path, how);
}

function verifiedText({ path, found, checked, unchecked }: Verified): string {
  const lines = [
    `${path}: no problems found`,
    `${found}.`,
    "",
    "Checked:",
    ...checked.map((line) => `  ${line}`),
    "Not checked:",
    ...unchecked.map((line) => `  ${line}`),
  ];
  return `${lines.join("\n")}\n`;
}
