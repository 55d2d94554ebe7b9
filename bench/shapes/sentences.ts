/** What the numbers of a shape come to, in words that follow from them. */

import type { Result, Success } from "./results.js";
import { succeeded } from "./results.js";

const OURS = "sparrow fit";

const errors = ({ wrong, missed }: Success): number => wrong + missed;

/** Those with the fewest variables wrong or missed, the fastest first. */
export function rightest(results: readonly Result[]): Success[] {
  const done = results.filter(succeeded);
  const fewest = Math.min(...done.map(errors));
  return done.filter((result) => errors(result) === fewest).sort((a, b) => a.seconds - b.seconds);
}

const times = (of: number, to: number): string => {
  const ratio = of / to;
  return ratio >= 9.95 ? ratio.toFixed(0) : ratio.toFixed(1);
};

const list = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

/** `why` gives the reason for which a method is faster, where somebody has found it. */
export function verdictOf(results: readonly Result[], why: (method: string) => string | undefined): string {
  const ours = results.find(({ method }) => method === OURS);
  if (!ours) return "Sparrow was not run.";
  if (!succeeded(ours)) return `Sparrow gave no answer: ${ours.failure}.`;
  const right = rightest(results);
  const [first] = right;
  const what = errors(first) === 0 ? "the right answer" : `the fewest errors (${errors(first)})`;
  if (!right.includes(ours)) {
    const who = list(right.map(({ method }) => method));
    return `Sparrow is not among those with ${what}: it has ${ours.wrong} too many and ${ours.missed} too few, and ${who} ${errors(first)}.`;
  }
  const faster = right.filter((other) => other.seconds < ours.seconds);
  const reasons = faster.map(({ method, seconds }) => {
    const reason = why(method) ?? "why has not been found out";
    return `${method} is ${times(ours.seconds, seconds)} times as fast after reading: ${reason}.`;
  });
  const slower = right.filter((other) => other.seconds > ours.seconds);
  const beside = slower.map(({ method, seconds }) => `${times(seconds, ours.seconds)} times for ${method}`);
  const others = results.filter((result) => result !== ours && !right.includes(result as Success));
  const rest = others.map((result) =>
    succeeded(result)
      ? `${result.method} (${result.wrong} too many, ${result.missed} too few)`
      : `${result.method} (${result.failure})`,
  );
  const without = rest.length > 0 ? ` Without it: ${list(rest)}.` : "";
  if (faster.length > 0)
    return `${reasons.join(" ")} ${faster.length > 1 ? "All of them" : "Both"} have ${what}.${without}`;
  if (slower.length === 0) return `Sparrow alone has ${what}.${without}`;
  return `Sparrow is the fastest of those with ${what}: the clock after reading shows ${list(beside)}.${without}`;
}
