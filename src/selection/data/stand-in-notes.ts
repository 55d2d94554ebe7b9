/** What to tell of numbers that may stand for missing values, from the store: the same as `describe` says. */

import { rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import { Ends, isStandIn, standInWords } from "../../tables/judge/stand-ins.js";
import type { Screen } from "./screen.js";

/** At most so many are named. */
const NAMED = 5;
/** Numbers by which it is decided whether all of a column are looked at: of each of many columns fewer. */
const SAMPLED = { most: 1000, least: 100, all: 2e5 };
/** How much wider than these all are then. */
const WIDER = 1.5;
/** The least that stands in. */
const LEAST = 99;

export function standInNotes(store: Store, screen: Screen): string[] {
  const { layout, names, record } = store;
  const { columns, target } = record.encoding;
  const kinds = columns.flatMap((code) =>
    code.kind === "text" ? code.levels.map(() => "text") : [code.kind],
  );
  const found: string[] = [];
  [...kinds, target.kind].forEach((kind, j) => {
    if (kind !== "number" || found.length > NAMED || !mayHold(store, screen, j)) return;
    const ends = new Ends();
    for (let b = 0; b < layout.blocks; b++) for (const value of values(store, b, j)) ends.look(value);
    const { standIn } = ends;
    if (standIn) found.push(`"${names[j] ?? target.column}": ${standInWords(standIn)}.`);
  });
  return found.length > NAMED
    ? [...found.slice(0, NAMED), "Other columns hold such numbers as well."]
    : found;
}

/** Whether the first rows hold such a number, or all rows vary more than these: rows were shuffled. */
function mayHold(store: Store, { mean, sd }: Screen, j: number): boolean {
  const { layout, shift } = store;
  // No number is farther from the mean.
  const reach = Math.abs(mean[j] + shift[j]) + Math.sqrt(layout.rows) * sd[j];
  if (!(sd[j] > 0 && reach >= LEAST)) return false;
  const { most, least, all } = SAMPLED;
  const size = Math.min(Math.max(least, Math.min(most, Math.floor(all / layout.columns))), rowsIn(layout, 0));
  const some = new Float32Array(store.kernels.memory.buffer, store.run(0, j), size);
  let [count, middle, squares] = [0, 0, 0];
  for (let i = 0; i < size; i++) {
    const value = some[i] + shift[j];
    if (Math.abs(value) > LEAST - 1 && isStandIn(value)) return true;
    count += 1;
    const away = value - middle;
    middle += away / count;
    squares += away * (value - middle);
  }
  return squares < (count - 1) * (sd[j] / WIDER) ** 2;
}

function values(store: Store, block: number, column: number): Float64Array {
  const { layout, kernels, shift } = store;
  const run = new Float32Array(kernels.memory.buffer, store.run(block, column), rowsIn(layout, block));
  return Float64Array.from(run, (value) => value + shift[column]);
}
