/** Whether a name matches a pattern of `*` (any characters) and `?` (one), in time of at most the product of their lengths. */
export function matchesPattern(pattern: string, name: string): boolean {
  const [wanted, letters] = [Array.from(pattern), Array.from(name)];
  let [p, n] = [0, 0];
  // Only the last star ever has to take one letter more: whatever stood before it has been found as early as can be.
  let [star, from] = [-1, 0];
  while (n < letters.length) {
    if (wanted[p] === "*") {
      star = p++;
      from = n;
    } else if (p < wanted.length && (wanted[p] === "?" || wanted[p] === letters[n])) {
      p += 1;
      n += 1;
    } else if (star >= 0) {
      p = star + 1;
      n = ++from;
    } else return false;
  }
  while (wanted[p] === "*") p += 1;
  return p === wanted.length;
}
