/** Sums of products of names, in tiles that keep every query within its engine's limits and its columns few. */

import type { Asker } from "../asker.js";
import type { Limits } from "../engine.js";
import type { Layer } from "../question.js";

/** Pairs of names whose products one query sums. */
export interface Tile {
  readonly pairs: readonly (readonly [number, number])[];
}

/** All pairs a ≤ b of `size` names: square tiles, so that a tile of m products reads about 2√m columns. */
export function triangleTiles(size: number, limits: Limits): Tile[] {
  if (size === 0) return [];
  const whole = (size * (size + 1)) / 2;
  const width =
    whole <= limits.aggregates && size <= limits.columns
      ? size
      : Math.max(1, Math.min(Math.floor(Math.sqrt(limits.aggregates)), limits.columns >> 1));
  const tiles: Tile[] = [];
  for (let top = 0; top < size; top += width) {
    for (let left = top; left < size; left += width) {
      const pairs: [number, number][] = [];
      for (let a = top; a < Math.min(size, top + width); a++) {
        for (let b = Math.max(a, left); b < Math.min(size, left + width); b++) pairs.push([a, b]);
      }
      tiles.push({ pairs });
    }
  }
  return tiles;
}

/** All pairs of one of `tall` names with one of `wide`: as many of the wide ones at a time as the limits allow. */
export function rectangleTiles(tall: number, wide: number, limits: Limits): Tile[] {
  if (tall === 0 || wide === 0) return [];
  const rows = Math.min(tall, limits.columns >> 1, limits.aggregates);
  const across = Math.max(1, Math.min(Math.floor(limits.aggregates / rows), limits.columns - rows));
  const tiles: Tile[] = [];
  for (let top = 0; top < tall; top += rows) {
    for (let left = 0; left < wide; left += across) {
      const pairs: [number, number][] = [];
      for (let b = left; b < Math.min(wide, left + across); b++) {
        for (let a = top; a < Math.min(tall, top + rows); a++) pairs.push([a, b]);
      }
      tiles.push({ pairs });
    }
  }
  return tiles;
}

export interface Products {
  readonly purpose: string;
  readonly layers: readonly Layer[];
  expression(a: number, b: number): string;
}

/** Σ of each pair's expression, tile by tile. */
export async function tiled(
  asker: Asker,
  { purpose, layers, expression }: Products,
  tiles: readonly Tile[],
  use: (a: number, b: number, sum: number) => void,
): Promise<void> {
  for (const { pairs } of tiles) {
    const aggregates = pairs.map(([a, b]) => `sum(${expression(a, b)})`);
    const sums = await asker.sums(purpose, { layers, aggregates });
    pairs.forEach(([a, b], i) => {
      use(a, b, sums[i]);
    });
  }
}
