import { SparrowError } from "../../errors.js";

/** What the effect is called that every row has. */
export const INTERCEPT = "(intercept)";

/** Effects are found and told by their names: one that is called as another would be lost, or be taken for it. */
export function refuseSameNames(table: string, names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (!seen.has(name)) {
      seen.add(name);
      continue;
    }
    const other = name === INTERCEPT ? "the intercept" : "a product or a value of others";
    throw new SparrowError(
      `${table}: two effects would be called "${name}", that of a column and that of ${other}; rename the column, or leave one of them out.`,
      "column",
    );
  }
}
