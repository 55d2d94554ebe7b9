/** Answers as plain JSON: what differs between two runs of the same code is left out, what is long is hashed. */

import { createHash } from "node:crypto";

/** Entries that a long list keeps, itself and in lists of records; the others are there as a hash alone. */
const LONG = { numbers: 50, records: 8 };
const NESTED = { numbers: 9, records: 6 };
/** What the clock and the machine decide. */
const MEASURED = new Set(["timing", "seconds", "cpuSeconds"]);

export function sha256(bytes: string | NodeJS.ArrayBufferView): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

export function plain(value: unknown, most = LONG): unknown {
  // JSON has no such numbers, and would write null for all of them.
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value !== "object" || value === null) return value;
  if (ArrayBuffer.isView(value)) return list(Array.from(value as unknown as ArrayLike<number>), most);
  if (Array.isArray(value)) return list(value, most);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, entry]) => !MEASURED.has(name) && entry !== undefined && typeof entry !== "function")
      .map(([name, entry]) => [name, plain(entry, most)]),
  );
}

function list(values: readonly unknown[], most: typeof LONG): unknown {
  const all = values.map((value) => plain(value, NESTED));
  const kept = typeof values[0] === "object" ? most.records : most.numbers;
  if (all.length <= kept) return all;
  return { length: all.length, first: all.slice(0, kept), rest: sha256(JSON.stringify(all.slice(kept))) };
}
