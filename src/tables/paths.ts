import { statSync } from "node:fs";

/** Bytes of all files together. */
export function totalSize(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + statSync(path).size, 0);
}
