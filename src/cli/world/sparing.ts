/**
 * Where little memory is allowed, garbage is collected sooner: a fit that samples models leaves 150 MB of it lying
 * otherwise, and takes up to half as long again so.
 */

import type { Effects } from "../effects.js";

/** Bytes. With more than this there is room for garbage within what a process may hold. */
const LITTLE = 500e6;

export function spareMemory(options: object, { spare }: Pick<Effects, "spare">): void {
  const { memory } = options as { readonly memory?: number };
  if (memory !== undefined && memory < LITTLE) spare?.();
}
