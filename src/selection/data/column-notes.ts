/** What to tell about columns that say the same: copies, multiples and linear combinations. */

import type { Store } from "../../store/store.js";
import type { VariableSummary } from "../answer/result.js";
import { dependencyNotes, findDependencies, MOST_COMPARED } from "./dependencies.js";
import type { Screen } from "./screen.js";
import { standInNotes } from "./stand-in-notes.js";
import { findTwins, twinNotes } from "./twins.js";

/** Columns with less inclusion probability than this are not looked at for what they depend on. */
const LIKELY = 0.01;

export interface ColumnNotes {
  readonly notes: readonly string[];
  /** Variables that repeat another one, or its pattern. */
  readonly copies: readonly { readonly name: string; readonly of: string }[];
  /** Of very many columns those that the models hold are compared: there it matters. */
  likely(variables: readonly VariableSummary[]): string[];
}

/** Rows that nobody has read say nothing of the kind. */
export const NOTHING_ALIKE: ColumnNotes = { notes: [], copies: [], likely: () => [] };

export function columnNotes(store: Store, screen: Screen): ColumnNotes {
  const { names } = store;
  const { columns } = store.layout;
  const twins = findTwins(store, screen);
  const repeated = new Set(twins.map(({ second }) => second));
  const once = Array.from({ length: columns }, (_, j) => j).filter((j) => !repeated.has(j));
  const dependent = (among: readonly number[]) =>
    dependencyNotes(findDependencies(store, screen, among), names);
  const few = columns <= MOST_COMPARED;
  return {
    copies: twins.map(({ first, second }) => ({ name: names[second], of: names[first] })),
    notes: [...twinNotes(twins, names), ...(few ? dependent(once) : []), ...standInNotes(store, screen)],
    likely(variables) {
      if (few) return [];
      const held = variables.slice(0, MOST_COMPARED).filter(({ pip }) => pip > LIKELY);
      const likely = new Set(held.map(({ name }) => name));
      return dependent(once.filter((j) => likely.has(names[j])));
    },
  };
}
