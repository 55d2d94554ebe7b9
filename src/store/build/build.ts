/** Reads a table once and lays it out: rows shuffled, columns contiguous within blocks, float32. */

import type { Kernels } from "../../kernels/interface.js";
import type { ColumnTable } from "../../tables/table.js";
import { type Blocks, encodedBlocks } from "./blocks.js";
import { encode } from "./encode.js";
import { type Family, type MissingRule, variableNames } from "../layout/encoding.js";
import { runOffset } from "../layout/layout.js";
import { readTable } from "./reading.js";
import { memoryStage, type Stage } from "./stage.js";
import { DATA_START, dataEnd, residentStore, type Store, type StoreRecord } from "../store.js";

export interface ReadSettings {
  readonly table: ColumnTable;
  /** Indices of the predictor columns and of the target in the table. */
  readonly predictors: readonly number[];
  readonly target: number;
  /** Rows of a block, chosen when the number of rows is known. */
  readonly blockRows: number | ((rows: number) => number);
  readonly seed: number;
  /** What to do about missing predictors; `error` unless said otherwise. */
  readonly missing?: MissingRule | undefined;
  /** `gaussian` unless said otherwise. */
  readonly family?: Family | "auto" | undefined;
  /** Keeps constant columns and takes any number of rows. */
  readonly plain?: boolean | undefined;
  readonly onProgress?: ((rows: number, share?: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface BuildSettings extends ReadSettings {
  /** Bytes to leave free behind the data for the threads that will work on it. */
  readonly scratch: number;
  readonly kernels: (bytes: number) => Promise<Kernels>;
}

/** Blocks in their final order, and what is known of them. Close the stage when they have been laid out. */
export interface Imported {
  readonly blocks: Blocks;
  readonly record: StoreRecord;
}

/** A store in memory of whatever columns are given, with no opinion on them. */
export async function buildStore(settings: BuildSettings): Promise<Store> {
  const stage = memoryStage(settings.predictors.length + 1, settings.seed);
  try {
    return await layOut(
      await readBlocks({ plain: true, ...settings }, stage),
      settings.kernels,
      settings.scratch,
    );
  } finally {
    stage.close();
  }
}

export async function readBlocks(settings: ReadSettings, stage: Stage): Promise<Imported> {
  const { table, predictors, target, missing = "error", family = "gaussian", seed, plain } = settings;
  const columns = [...predictors, target];
  const { signal, onProgress } = settings;
  const reading = await readTable({
    ...{ table, columns, stage, signal, onProgress },
    dropMissing: missing === "drop",
  });
  const encoded = encode(reading, { table, columns, missing, family, plain });
  const names = variableNames(encoded.encoding);
  const shuffled = stage.seal();
  const blocks = encodedBlocks(
    ...([shuffled, reading.facts, encoded, names, blockRowsFor(settings, shuffled.rows)] as const),
  );
  const { encoding, notes } = encoded;
  return {
    blocks,
    record: { source: table.name, encoding, family: encoded.family, seed, checksum: "", notes },
  };
}

export function blockRowsFor({ blockRows }: Pick<ReadSettings, "blockRows">, rows: number): number {
  return typeof blockRows === "number" ? blockRows : blockRows(rows);
}

/** Puts blocks into a memory of their own, with room behind them. */
export async function layOut(
  { blocks, record }: Imported,
  kernelsOf: (bytes: number) => Promise<Kernels>,
  scratch: number,
): Promise<Store> {
  const { layout, names, shift, slots } = blocks;
  const runs = layout.dense + 1;
  const parts: Uint32Array[] = [];
  /** Blocks that cost much to make are made once: their runs wait until the sparse parts tell how large it all is. */
  const made: Float32Array[] = [];
  const starts = new Float64Array(layout.blocks + 1).fill(layout.bytes);
  for (let b = 0; slots && b < layout.blocks; b++) {
    parts.push(blocks.sparse(b));
    starts[b + 1] = starts[b] + 16 * Math.ceil(parts[b].byteLength / 16);
    if (!blocks.byBlock) continue;
    made.push(new Float32Array(runs * layout.stride));
    for (let run = 0; run < runs; run++) blocks.run(b, run, made[b], run * layout.stride);
  }
  const sparse = slots && { slots, starts };
  const kernels = await kernelsOf(dataEnd({ layout, sparse }) + scratch);
  const numbers = new Float32Array(kernels.memory.buffer);
  const place = (b: number, run: number) => (DATA_START + runOffset(layout, b, run)) / 4;
  if (made.length > 0) for (let b = 0; b < layout.blocks; b++) numbers.set(made[b], place(b, 0));
  else {
    const [outer, inner] = blocks.byBlock ? [layout.blocks, runs] : [runs, layout.blocks];
    for (let i = 0; i < outer; i++) {
      for (let k = 0; k < inner; k++) {
        const [b, run] = blocks.byBlock ? [i, k] : [k, i];
        blocks.run(b, run, numbers, place(b, run));
      }
    }
  }
  const words = new Uint32Array(kernels.memory.buffer);
  parts.forEach((part, b) => {
    words.set(part, (DATA_START + starts[b]) / 4);
  });
  const handle = { kind: "resident", memory: kernels.memory, layout, names, shift, sparse } as const;
  return residentStore(handle, kernels, dataEnd(handle), record);
}
