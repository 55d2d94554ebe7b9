/** Where the answers are stored, and by which engine: other engines round exp and log in other ways. */

import { readFileSync } from "node:fs";

export const file = (name: string): URL => new URL(`../reference/answers/${name}.json`, import.meta.url);

export const stored = (name: string): unknown => JSON.parse(readFileSync(file(name), "utf8"));

/** A line for each entry of the upper levels: short, and yet a change can be read. */
export function text(value: unknown, levels = 3, indent = ""): string {
  if (levels === 0 || typeof value !== "object" || value === null || Array.isArray(value)) {
    return JSON.stringify(value);
  }
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  const lines = entries.map(
    ([name, entry]) => `${indent} ${JSON.stringify(name)}: ${text(entry, levels - 1, `${indent} `)}`,
  );
  return `{\n${lines.join(",\n")}\n${indent}}`;
}

export const engine = { node: process.versions.node, v8: process.versions.v8, arch: process.arch };

export function sameEngine(): boolean {
  const { v8, arch } = stored("engine") as typeof engine;
  return v8 === engine.v8 && arch === engine.arch;
}
