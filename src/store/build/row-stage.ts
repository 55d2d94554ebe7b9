/**
 * Rows wait in a stage, in the order of arrival, until all have been read and their number is known; then they come
 * back shuffled, as order.ts says. Where rows wait is one question and what a row is another: a stage in memory and
 * one that spills to disk (spilling-stage.ts) take numbers in columns (column-rows.ts) and entries (entry-rows.ts).
 */

import { rowOrder } from "./order.js";

/** `Chunk` are rows as they come, `Part` is how those that lie together are asked for once they are shuffled. */
export interface RowStage<Chunk, Part> {
  /** Takes the rows of a chunk, for good. */
  append(chunk: Chunk): void;
  /** No more rows: from now on they can be asked for in shuffled order. */
  seal(): Shuffled<Part>;
  /** Whether the rows are on disk. */
  readonly spilled: boolean;
  /** Gives up what is held, on disk too. */
  close(): void;
}

export interface Shuffled<Part> {
  readonly rows: number;
  /**
   * Calls `use` with every part that holds rows of the places from … to, in order, and with their places within the
   * part. Stages on disk want `from` to rise.
   */
  visit(from: number, to: number, use: (part: Part, from: number, to: number) => void): void;
}

/** What a row is. All loops over numbers are here, so that stages are written once. */
export interface RowLayout<Chunk, Part> {
  pile(): Pile<Chunk, Part>;
  trays(count: number): Trays<Chunk>;
  /** Rows of one tray that have come back from disk: place i belongs to row order[i]. */
  joined(fields: readonly Field[], order: Uint32Array): Part;
}

/** Rows that wait in memory. */
export interface Pile<Chunk, Part> {
  readonly rows: number;
  readonly bytes: number;
  add(chunk: Chunk): void;
  /** The rows in another order: place i belongs to row order[i]. */
  inOrder(order: Uint32Array): Part;
  /** Hands on all rows as they came, and keeps none. */
  pour(use: (chunk: Chunk) => void): void;
  clear(): void;
}

/** Rows that wait, sorted, to be written. */
export interface Trays<Chunk> {
  /** Puts every row into the tray that is drawn for it, and says when one is full. */
  deal(chunk: Chunk, draw: () => number, full: (tray: number) => void): void;
  /** What is in a tray. Fields can be joined: where the rows of one piece end, those of the next go on. */
  fields(tray: number): readonly Field[];
  empty(tray: number): void;
}

export type Field = Float32Array | Float64Array | Uint32Array;

export function memoryStage<Chunk, Part>(rows: RowLayout<Chunk, Part>, seed: number): RowStage<Chunk, Part> {
  const pile = rows.pile();
  return {
    spilled: false,
    append: (chunk) => pile.add(chunk),
    seal: () => shuffledPile(pile, seed),
    close: () => pile.clear(),
  };
}

export function shuffledPile<Part>(
  pile: Pick<Pile<never, Part>, "rows" | "inOrder">,
  seed: number,
): Shuffled<Part> {
  return onePart(pile.rows, pile.inOrder(rowOrder(seed, pile.rows)));
}

/** Rows in memory are one part. */
export function onePart<Part>(rows: number, part: Part): Shuffled<Part> {
  return { rows, visit: (from, to, use) => use(part, from, to) };
}
