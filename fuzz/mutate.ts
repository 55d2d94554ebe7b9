/** Changes to bytes and texts, by a generator: the same seed makes the same case. */

import type { Rng } from "../src/math/rng.js";

export const below = (rng: Rng, bound: number): number => (bound > 0 ? rng.below(bound) : 0);
export const pick = <T>(rng: Rng, of: readonly T[]): T => of[below(rng, of.length)];

/** What readers trip over: ends of ranges, marks of formats, blanks, escapes. */
export const TOKENS: readonly string[] = [
  ...["0", "-1", "1e309", "1e-320", "NaN", "Infinity", "-0", "0x10", "1_000", "9".repeat(40), "2147483648"],
  ...["\0", "\r", "\n", "\r\n\r\n", "\t", " ", ",", ";", '"', "'", "\\", '""', "#", ":", "{", "}", "[", "]"],
  ...[
    "\x1b[2J",
    "\u202e",
    "\ufeff",
    "é",
    "\ud83d\ude00",
    "null",
    "true",
    "[".repeat(300),
    "-",
    "../",
    "*",
    "?",
  ],
];

type Change = (rng: Rng, bytes: Buffer) => Buffer;

const CHANGES: readonly Change[] = [
  (rng, bytes) => {
    bytes[below(rng, bytes.length)] ^= 1 << below(rng, 8);
    return bytes;
  },
  (rng, bytes) => {
    bytes[below(rng, bytes.length)] = below(rng, 256);
    return bytes;
  },
  (rng, bytes) => bytes.subarray(0, below(rng, bytes.length)),
  (rng, bytes) => {
    const at = below(rng, bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(rng, 40))]);
  },
  (rng, bytes) => {
    const at = below(rng, bytes.length);
    return Buffer.concat([bytes.subarray(0, at), Buffer.from(pick(rng, TOKENS)), bytes.subarray(at)]);
  },
  (rng, bytes) => {
    const at = below(rng, bytes.length);
    const part = bytes.subarray(at, at + 1 + below(rng, 200));
    const to = below(rng, bytes.length);
    return Buffer.concat([bytes.subarray(0, to), part, bytes.subarray(to)]);
  },
  (rng, bytes) => {
    bytes.fill(pick(rng, [0, 255, 32, 10]), below(rng, bytes.length)).subarray(0);
    return bytes;
  },
];

/** One change or a few. */
export function mutated(rng: Rng, bytes: Uint8Array): Buffer {
  let out: Buffer = Buffer.from(bytes);
  const times = 1 + (below(rng, 4) === 0 ? below(rng, 5) : 0);
  for (let i = 0; i < times && out.length > 0; i++) out = Buffer.from(pick(rng, CHANGES)(rng, out));
  return out;
}

/** Another value somewhere in plain data. */
export function mutatedJson(rng: Rng, value: unknown): unknown {
  if (typeof value === "object" && value !== null && below(rng, 12) !== 0) {
    const entries = Object.entries(value);
    if (entries.length > 0) {
      const at = below(rng, entries.length);
      if (below(rng, 10) === 0) entries.splice(at, 1);
      else entries[at] = [entries[at][0], mutatedJson(rng, entries[at][1])];
      return Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries);
    }
  }
  return pick(rng, [
    null,
    -1,
    0.5,
    1e300,
    -1e300,
    1e-300,
    0,
    2 ** 31,
    "text",
    "",
    [],
    {},
    [[]],
    true,
    "\x1b[31m",
  ]);
}

/** Cells that look like numbers to some, or nearly so. */
const CELLS: readonly string[] = [
  ...["0", "-0", "-1", "+5", "007", "1e5", "1E-7", "1e309", "1e-320", ".5", "5.", "1_000", "0x10", "1.234"],
  ...[
    "9".repeat(40),
    "2147483648",
    "9007199254740993",
    "18446744073709551616",
    "0.1000000000000000055511151231257827",
  ],
  ...[
    "",
    "NA",
    "null",
    "NaN",
    "inf",
    "-Infinity",
    "true",
    "t",
    "2024-01-02",
    "20240102",
    "12:30",
    "$5",
    "5%",
    "x",
  ],
];

/** Other digits, lines and cells: a text that can mostly still be read. */
export function mutatedText(rng: Rng, bytes: Uint8Array): Buffer {
  const lines = Buffer.from(bytes).toString("latin1").split("\n");
  const at = 1 + below(rng, lines.length - 2);
  const cell = /-?[\d.]+(e-?\d+)?|\b[xy]\b/g;
  const changes: readonly (() => void)[] = [
    () => {
      lines[at] = lines[at].replace(/\d(?=\d*$)/, String(below(rng, 10)));
    },
    () => lines.splice(at, 1),
    () => lines.splice(at, 0, lines[at]),
    () => {
      lines.splice(at, 0, ...lines.splice(1 + below(rng, lines.length - 2), 1));
    },
    () => {
      const wanted = below(rng, 4);
      let seen = 0;
      lines[at] = lines[at].replace(cell, (found) => (seen++ === wanted ? pick(rng, CELLS) : found));
    },
  ];
  for (let times = 1 + below(rng, 3); times > 0; times--) pick(rng, changes)();
  return Buffer.from(lines.join("\n"), "latin1");
}
