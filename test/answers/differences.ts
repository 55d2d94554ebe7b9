/** Where two answers differ, as paths like `result.variables[3].pip` with what was stored and what was found. */

const TOLERANCE = 1e-9;
const HASH = /^sha256:/;
/** Numbers inside texts and file contents. */
const NUMBER = /-?\d+(?:\.\d+)?(?:e[-+]?\d+)?/gi;

/** With `exact` every bit counts; without it numbers may be off by rounding, and hashes say nothing. */
export function differences(stored: unknown, found: unknown, exact: boolean, path = ""): string[] {
  if (isRecord(stored) && isRecord(found) && Array.isArray(stored) === Array.isArray(found)) {
    const names = new Set([...Object.keys(stored), ...Object.keys(found)]);
    return [...names].flatMap((name) =>
      differences(stored[name], found[name], exact, step(path, name, Array.isArray(stored))),
    );
  }
  if (stored === found || (!exact && nearly(stored, found))) return [];
  return [`${path || "all"}: stored ${shown(stored)}, found ${shown(found)}`];
}

function nearly(stored: unknown, found: unknown): boolean {
  if (typeof stored === "number" && typeof found === "number") {
    return Math.abs(stored - found) <= TOLERANCE * Math.max(Math.abs(stored), Math.abs(found), TOLERANCE);
  }
  if (typeof stored !== "string" || typeof found !== "string") return false;
  if (HASH.test(stored) && HASH.test(found)) return true;
  const numbers = (text: string) => Array.from(text.matchAll(NUMBER), ([digits]) => Number(digits));
  const [before, after] = [numbers(stored), numbers(found)];
  const words = (text: string) => text.replaceAll(NUMBER, "#");
  return words(stored) === words(found) && before.every((value, i) => nearly(value, after[i]));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

function step(path: string, name: string, inList: boolean): string {
  if (inList) return `${path}[${name}]`;
  return path === "" ? name : `${path}.${name}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
