/** What a run says, in sentences and apart: for those who lay out an answer of their own. */

import { familyNamed } from "../families/register.js";
import { chainVerdict } from "./page/convergence.js";
import type { StoredRun } from "./stored-run.js";
import { count, whole } from "./text/numbers.js";
import {
  beyondSentence,
  capital,
  certificateSentence,
  conclusion,
  type Exactness,
  exactness,
  judgement,
  selectedOnce,
} from "./text/sentences.js";

/** The sentences of a report. */
export interface RunWords {
  /** How many variables are selected, for what. */
  readonly headline: string;
  /** The same with their names. */
  readonly conclusion: string;
  /** Whether the numbers can be trusted. */
  readonly verdict: string;
  /** What else the run has to say. */
  readonly notes: readonly string[];
  /** What was looked at beyond the candidates; empty where nothing was. */
  readonly checked: string;
  /** How far the numbers can be relied on. */
  readonly exactness: Exactness;
  /** What an effect is a change of. */
  readonly effectOf: string;
}

export function runWords(run: StoredRun): RunWords {
  const { result } = run;
  const judged = result.verdict ?? chainVerdict(run);
  const { verdict, notes } = judgement({ ...result, ...(judged !== undefined && { verdict: judged }) });
  const counted = selectedOnce(result).length;
  const checked = [certificateSentence(result), beyondSentence(result)].filter((text) => text !== undefined);
  const worth = exactness(result);
  return {
    headline:
      counted === 0
        ? `No variable is selected for ${result.target}`
        : `${whole(counted)} of ${count(result.columns, "variable")} ${counted === 1 ? "is" : "are"} selected for ${result.target}`,
    conclusion: conclusion(result),
    verdict,
    notes,
    checked: checked.join(" "),
    exactness: { ...worth, sentence: capital(worth.sentence) },
    effectOf: `${familyNamed(result.family).words.effectOn}${result.target}`,
  };
}
