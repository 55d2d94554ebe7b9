/** The rows of a table that were asked for: which methods, and which settings of ours. */

import { SparrowError } from "../../../errors.js";
import { option } from "../../../wording.js";

/** Settings of a row of ours. */
export interface RowSettings {
  readonly preset: "paper" | "auto";
  readonly moves?: number;
}

/** All that the experiment knows, unless told. */
export function methodsOf(
  experiment: string,
  known: readonly string[],
  asked: readonly string[] | undefined,
): readonly string[] {
  const other = asked?.find((method) => !known.includes(method));
  if (other === undefined) return asked ?? known;
  throw new SparrowError(
    `${option("methods")} of ${experiment} knows ${known.join(", ")}, not "${other}".`,
    "option",
  );
}

/** A row for `auto`, and one of the paper's settings for each number of moves; none where ours is not asked for. */
export function ourRows(
  methods: readonly string[],
  presets: readonly string[] = ["paper", "auto"],
  moves: readonly number[],
): (RowSettings & { readonly label: string })[] {
  if (!methods.includes("esgld")) return [];
  return presets.flatMap((preset): (RowSettings & { label: string })[] =>
    preset === "auto"
      ? [{ preset, label: "auto" }]
      : moves.map((each) => ({ preset: "paper", moves: each, label: `moves ${each}` })),
  );
}
