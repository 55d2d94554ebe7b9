/**
 * Of variables in the order of their probability, the largest selection whose expected share of false members, the mean of 1 − pip over it, stays within a rate
 * (Müller, Parmigiani, Robert and Rousseau 2004).
 */
export function falseDiscovery(
  variables: readonly { readonly name: string; readonly pip: number }[],
  rate: number,
): { readonly rate: number; readonly expected: number; readonly variables: readonly string[] } {
  let misses = 0;
  let count = 0;
  let expected = 0;
  for (const { pip } of variables) {
    misses += 1 - pip;
    if (misses / (count + 1) > rate) break;
    count += 1;
    expected = misses / count;
  }
  return { rate, expected, variables: variables.slice(0, count).map(({ name }) => name) };
}
