/** Numbers as people read them. */

import { grouped } from "../../wording.js";

/** By how much sums of probabilities miss what they would be without rounding. */
const ROUNDING = 1e-12;

export function probability(value: number): string {
  if (value > 0.9995 && value < 1 - ROUNDING) return ">0.999";
  if (value < 0.0005 && value > 0) return "<0.001";
  return value.toFixed(3);
}

/** Small probabilities to one digit, where "<0.001" would say too little. */
export function smallProbability(value: number): string {
  if (Math.abs(value) < ROUNDING) return "0";
  if (value >= 0.001) return probability(value);
  return value < 1e-4 ? value.toExponential(0) : value.toPrecision(1);
}

export function effect(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  return size >= 1e5 || size < 1e-4 ? value.toExponential(2) : value.toPrecision(4);
}

export function interval(lower: number, upper: number): string {
  return `${effect(lower)} to ${effect(upper)}`;
}

export function count(n: number, noun: string): string {
  return `${whole(n)} ${noun}${n === 1 ? "" : "s"}`;
}

export function whole(n: number): string {
  return grouped(Math.round(n));
}

/** By how much a process grew: often by nothing that can be seen. */
export function megabytes(bytes: number): string {
  return bytes < 2 ** 20 ? "<1 MB" : `${whole(bytes / 2 ** 20)} MB`;
}

export function percent(share: number): string {
  const value = 100 * share;
  if (value > 99.9 && value < 100) return ">99.9%";
  if (value < 0.1 && value > 0) return "<0.1%";
  return `${value >= 99.95 || value < 0.05 ? value.toFixed(0) : value.toFixed(value < 10 ? 1 : 0)}%`;
}

/** "a", "a and b", "a, b and c", "a, b, c and 7 more". */
export function list(items: readonly string[], most = Number.POSITIVE_INFINITY): string {
  const shown =
    items.length > most ? [...items.slice(0, most - 1), `${whole(items.length - most + 1)} more`] : items;
  if (shown.length < 2) return shown.join("");
  return `${shown.slice(0, -1).join(", ")} and ${shown[shown.length - 1]}`;
}
