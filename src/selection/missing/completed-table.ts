/** The data as they came, with one draw in every hole: what other programs work with. */

import { decodedTable } from "../../store/open/decoded-table.js";
import type { ColumnTable } from "../../tables/table.js";
import { fillHoles, holesAmong } from "./holes.js";
import type { HoledProblem } from "./problem.js";

/** `values` are those of the holes of the candidates. Columns with holes that are no candidates were not drawn, and are left out. */
export function completedTable(
  { store, holes }: HoledProblem,
  candidates: readonly number[],
  values: Float32Array,
): ColumnTable {
  const whole = decodedTable(store, store.record.source, () => {});
  const places = holesAmong(holes, candidates);
  const drawn = new Set(candidates);
  const open = new Set(store.names.filter((_, j) => holes.missing[j] > 0 && !drawn.has(j)));
  const kept = whole.columns.flatMap(({ name, levels }, i) => {
    const variables = levels ? levels.slice(1).map((level) => `${name}=${level}`) : [name];
    return variables.some((variable) => open.has(variable)) ? [] : [i];
  });
  return {
    ...whole,
    columns: kept.map((i) => whole.columns[i]),
    chunks(wanted) {
      fillHoles(store, places, (_, h) => values[h]);
      return whole.chunks(wanted.map((i) => kept[i]));
    },
  };
}
