import type { FitResult } from "sparrow-bayes/browser";

/** Substitutes of one credible set go by one letter: its place among the sets of more than one. */
export function setMarks({
  credibleSets = [],
}: Pick<FitResult, "credibleSets">): ReadonlyMap<string, number> {
  const marks = new Map<string, number>();
  const sets = credibleSets.filter(({ variables }) => variables.length > 1);
  for (const [at, { variables }] of sets.entries())
    for (const name of variables) if (!marks.has(name)) marks.set(name, at);
  return marks;
}
