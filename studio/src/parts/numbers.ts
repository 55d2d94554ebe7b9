/** Numbers as people read them, the same as in the report. */

/** By how much sums of probabilities miss what they would be without rounding. */
const ROUNDING = 1e-12;

export function probability(value: number): string {
  if (value > 0.9995 && value < 1 - ROUNDING) return ">0.999";
  if (value < 0.0005 && value > 0) return "<0.001";
  return value.toFixed(3);
}

export function amount(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e5 || size < 1e-4 ? value.toExponential(2) : value.toPrecision(4);
  return text.replaceAll("-", "−");
}

/** Short, where there is little room. */
export function brief(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e5) return value.toString().replace("-", "−");
  const size = Math.abs(value);
  const text = size >= 1e5 || size < 1e-3 ? value.toExponential(1) : value.toPrecision(3);
  return text.replaceAll("-", "−");
}

export const whole = (n: number): string => Math.round(n).toLocaleString("en-US");
export const count = (n: number, noun: string): string => `${whole(n)} ${noun}${n === 1 ? "" : "s"}`;

export function percent(share: number): string {
  const value = 100 * share;
  if (value > 99.9 && value < 100) return ">99.9%";
  if (value < 0.1 && value > 0) return "<0.1%";
  return `${value >= 99.95 || value < 0.05 ? value.toFixed(0) : value.toFixed(value < 10 ? 1 : 0)}%`;
}

export function bytes(n: number): string {
  if (n < 1000) return count(n, "byte");
  const units = ["kB", "MB", "GB", "TB"];
  let [value, at] = [n / 1000, 0];
  while (value >= 1000 && at < units.length - 1) {
    value /= 1000;
    at += 1;
  }
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ${units[at]}`;
}

export function seconds(s: number): string {
  if (s < 0.95) return "less than a second";
  if (s < 99.5) return count(Math.round(s), "second");
  return s < 5400 ? count(Math.round(s / 60), "minute") : `${(s / 3600).toFixed(1)} hours`;
}

export function list(items: readonly string[], most = Number.POSITIVE_INFINITY): string {
  const shown =
    items.length > most ? [...items.slice(0, most - 1), `${whole(items.length - most + 1)} more`] : items;
  if (shown.length < 2) return shown.join("");
  return `${shown.slice(0, -1).join(", ")} and ${shown[shown.length - 1]}`;
}
