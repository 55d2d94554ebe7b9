/** For every kind of option: values that the library must refuse, and words that the command line must refuse. */

import * as kinds from "../../src/options/kinds.js";
import type { Option } from "../../src/options/option.js";

export interface Wrong {
  readonly values: readonly unknown[];
  readonly words: readonly string[];
}

const notNumbers = ["many", null, Number.NaN, Infinity, [1], {}];
const notLists = ["x", 5, [5], {}];

const byKind = new Map<unknown, Wrong>([
  // Any word is a text.
  [kinds.text, { values: [5, null, ["y"]], words: [] }],
  [kinds.flag, { values: ["yes", 1], words: ["yes"] }],
  [kinds.count, { values: [...notNumbers, 0, -3, 2.5], words: ["many", "", "0", "-3", "2.5", "1e400"] }],
  [kinds.whole, { values: [...notNumbers, -1, 0.5], words: ["many", "-1", "0.5"] }],
  [kinds.positive, { values: [...notNumbers, 0, -1], words: ["many", "0", "-1"] }],
  [kinds.notNegative, { values: [...notNumbers, -1], words: ["many", "-0.5"] }],
  [kinds.share, { values: [...notNumbers, 0, 1, 2], words: ["many", "0", "1"] }],
  [kinds.size, { values: [...notNumbers, "2GB", 0, -1], words: ["lots", "12", "1kB", "-2GB"] }],
  [
    kinds.steps,
    {
      values: [...notNumbers, 0, { a: 1 }, { a: 1, b: 0, kappa: 2 }],
      words: ["0", "x", "polynomial:1,2", "cyclical:1", "polynomial:1,0,2"],
    },
  ],
  // Any word is a list of names.
  [kinds.columns, { values: notLists, words: [] }],
  [kinds.columnsOrNone, { values: notLists, words: [] }],
  [
    kinds.countOrRange,
    { values: ["many", null, 0, 2.5, [0], ["1"]], words: ["x", "0", "2.5", "3..1", "0..2", "1..500"] },
  ],
  [kinds.counts, { values: [3, [0], ["1"]], words: ["x", "1,0", "2.5"] }],
]);

/** Kinds that are made for one option. */
const byName: Readonly<Record<string, Wrong>> = {
  noiseVariance: { values: ["known", 0, -1], words: ["known", "0"] },
  "compare holdout": { values: [...notNumbers, -0.1, 0.6], words: ["many", "-0.1", "0.6"] },
  "compare methods": { values: [...notLists, ["magic"]], words: ["magic", "lasso,magic"] },
  na: { values: notLists, words: [] },
  dateFormat: { values: ["often", 5, "%q"], words: ["often", "%q"] },
  presets: { values: [...notLists, ["fast"]], words: ["fast"] },
  users: { values: [...notNumbers, 1, 2.5], words: ["1", "2.5"] },
  // Which of them an experiment knows is for the experiment to say.
  "reproduce methods": { values: notLists, words: [] },
};

export function wrongFor(command: string, name: string, { kind }: Option): Wrong {
  const wrong = byName[`${command} ${name}`] ?? byName[name] ?? byKind.get(kind);
  if (wrong) return wrong;
  if (kind.choices) return { values: ["nonsense", 5, null], words: ["nonsense", ""] };
  throw new Error(`say here what is wrong for ${name} of ${command}`);
}
