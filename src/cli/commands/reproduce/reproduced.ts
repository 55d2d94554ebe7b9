/** What all experiments share: numbers as text or JSON, a folder for them, and going on after a stop. */

import { type Keeping, keeping } from "../../../experiments/simulation-study.js";
import type { Effects } from "../../effects.js";
import { savedAndShown, writingTo } from "../../outputs.js";
import { RUN_FOLDER, saveRun } from "../../run-folder.js";
import { keepingState } from "../../unfinished.js";
import type { ReproduceAsked } from "./options.js";

/** An experiment that was asked for, and whether it was begun before. */
export interface Reproduction {
  readonly experiment: string;
  readonly asked: ReproduceAsked;
  readonly effects: Effects;
  readonly resumed: boolean;
}

export interface Reproduced {
  /** Everything, as plain data. */
  readonly numbers: object;
  readonly text: string;
  /** What is written beside the numbers, by the ending of its name. */
  readonly files: Readonly<Record<string, string>>;
}

export async function reproduced(
  { experiment, asked, effects, resumed }: Reproduction,
  work: (keeping: Keeping) => Promise<Reproduced>,
): Promise<void> {
  const { out, json = false, quiet = false } = asked;
  const command = { command: "reproduce", positionals: [experiment], options: asked };
  await writingTo(out, RUN_FOLDER, (claimed) =>
    keepingState(command, { resumed, signal: effects.signal }, async (journal) => {
      const { numbers, text, files } = await work(keeping(journal));
      const spelt = `${JSON.stringify({ experiment, ...numbers }, null, 2)}\n`;
      const named = Object.entries({ ...files, json: spelt }).map(([ending, content]) => [
        `${experiment}.${ending}`,
        content,
      ]);
      await savedAndShown(
        () => claimed && saveRun(claimed, Object.fromEntries(named)),
        () => effects.out(json ? spelt : text),
      );
      return { whole: true };
    }),
  );
  if (out !== undefined && !quiet) effects.err(`Written to ${out}\n`);
}
