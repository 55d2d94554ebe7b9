/** What a fit of the complete rows alone says, set beside the one that imputed. */

import { SparrowError } from "../../errors.js";
import type { FitOptions } from "../../options/fit.js";
import type { FitResult, MissingSummary } from "../answer/result.js";

/** Data of up to so many entries are held twice for it. */
const ENTRIES = 2e8;

/** As it is where complete rows are too few, or time or memory is short. */
export async function withDropping(
  imputed: FitResult,
  options: FitOptions,
  fit: (options: FitOptions) => Promise<FitResult>,
): Promise<FitResult> {
  const missing = imputed.missing!;
  const inTime = options.seconds === undefined && options.signal?.aborted !== true;
  const small = imputed.rows * imputed.columns <= ENTRIES;
  if (!inTime || !small || !missing.enoughRows) return imputed;
  // Lengths that were asked for are those of the sweeps.
  const { iterations: _, burnIn: __, chains: ___, batch: ____, onProgress: _____, ...asked } = options;
  try {
    const dropped = await fit({ ...asked, missing: "drop" });
    return { ...imputed, missing: { ...missing, dropping: compared(imputed, dropped) } };
  } catch (error) {
    // What is left may have a constant target, or fewer rows than some option allows.
    if (error instanceof SparrowError || options.signal?.aborted) return imputed;
    throw error;
  }
}

/** Variables that either of the two selects. */
function compared(imputed: FitResult, dropped: FitResult): NonNullable<MissingSummary["dropping"]> {
  const wanted = new Set(
    [imputed, dropped].flatMap(({ variables }) =>
      variables.filter(({ selected }) => selected).map(({ name }) => name),
    ),
  );
  return {
    rows: dropped.rows,
    variables: dropped.variables
      .filter(({ name }) => wanted.has(name))
      .map(({ name, pip, mean, lower, upper, selected }) => ({ name, pip, mean, lower, upper, selected })),
  };
}
