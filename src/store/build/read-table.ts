/**
 * Reads a table front to back into a stage, once, and turns it into blocks. What is particular to tables by columns
 * and by entries is in read-columns.ts and read-entries.ts.
 */

import { SparrowError } from "../../errors.js";
import type { Family } from "../../families/family.js";
import { type FamilyName, nameOf } from "../../families/register.js";
import type { Target } from "../../families/target.js";
import { span } from "../../profile.js";
import { noRows } from "../../tables/read-errors.js";
import type { Table } from "../../tables/table.js";
import { type MissingRule, variableNames } from "../layout/encoding.js";
import type { StoreRecord } from "../store.js";
import type { Blocks } from "./blocks.js";
import type { Reading } from "./column-facts.js";
import { type Encoded, encode, type TableColumns } from "./encode.js";
import type { RowStage, Shuffled } from "./row-stage.js";

export interface ReadSettings {
  /** Rows of a block, chosen when the number of rows is known and the target has been judged. */
  readonly blockRows: BlockRows;
  readonly seed: number;
  readonly family: FamilyName | "auto";
  readonly onProgress?: ((rows: number, share?: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type BlockRows = (rows: number, family: Family) => number;

/** Blocks in their final order, and what is known of them. Close the stage when they have been laid out. */
export interface Imported {
  readonly blocks: Blocks;
  readonly record: StoreRecord;
  readonly target: Target;
}

/** How a kind of table is read. */
export interface TableReader<Chunk, Part> {
  readonly table: Table;
  readonly missing: MissingRule;
  /** Keeps constant columns and takes any number of rows. */
  readonly plain: boolean;
  chunks(): AsyncIterable<Chunk> | Iterable<Chunk>;
  /** Looks at a chunk, whose first row is number `first` of the table, and hands it to the stage. */
  take(chunk: Chunk, first: number): void;
  /** No more chunks: which columns were read, and what is known of them. */
  end(rows: number): TableColumns & { readonly reading: Reading };
  blocks(shuffled: Shuffled<Part>, encoded: Encoded, settings: BlockSettings): Blocks;
}

export interface BlockSettings {
  readonly names: readonly string[];
  readonly blockRows: number;
}

export async function readTable<Chunk extends { readonly rows: number; readonly share?: number }, Part>(
  reader: TableReader<Chunk, Part>,
  stage: RowStage<never, Part>,
  settings: ReadSettings,
): Promise<Imported> {
  const { signal, onProgress } = settings;
  let rows = 0;
  for await (const chunk of awaited(reader.chunks())) {
    signal?.throwIfAborted();
    span("reading: handing over", () => reader.take(chunk, rows));
    rows += chunk.rows;
    onProgress?.(rows, chunk.share);
  }
  checkRows(reader.table, rows);
  return concluded(reader, rows, () => stage.seal(), settings);
}

/** Chunks, the time until each of which counts as waiting. */
async function* awaited<Chunk>(chunks: AsyncIterable<Chunk> | Iterable<Chunk>): AsyncIterable<Chunk> {
  const all = Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
  try {
    for (;;) {
      const { done, value } = await span("reading: waiting for rows", async () => all.next());
      if (done) return;
      yield value;
    }
  } finally {
    await all.return?.();
  }
}

/** What comes of so many rows, once all are read. */
export function concluded<Part>(
  reader: Omit<TableReader<never, Part>, "chunks" | "take">,
  rows: number,
  seal: () => Shuffled<Part>,
  { family, seed, blockRows }: Pick<ReadSettings, "family" | "seed" | "blockRows">,
): Imported {
  const { table, missing, plain } = reader;
  const { reading, ...columns } = reader.end(rows);
  const encoded = encode(reading, { ...columns, missing, family, plain });
  const { encoding, notes, treated, target } = encoded;
  const shuffled = span("reading: shuffling", seal);
  const blocks = reader.blocks(shuffled, encoded, {
    names: variableNames(encoding),
    blockRows: blockRows(shuffled.rows, target.family),
  });
  return {
    blocks,
    record: {
      source: table.name,
      encoding,
      family: nameOf(target.family),
      seed,
      checksum: "",
      notes,
      ...(treated && { treated }),
      ...((table.partial || reading.withoutTarget + reading.withoutPredictor > 0) && { partial: true }),
    },
    target,
  };
}

function checkRows(table: Table, rows: number): void {
  if (table.by === "columns" && table.rows !== undefined && rows !== table.rows) {
    throw new SparrowError(`${table.name} changed while it was being read.`, "file");
  }
  if (rows > 0) return;
  throw noRows(table.name, table.by === "columns");
}
