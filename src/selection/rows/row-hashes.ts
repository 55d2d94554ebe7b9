/** Numbers that are the same for rows that hold the same in some columns, and else hardly ever. */

import { firstRow, rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";

export class RowHashes {
  private readonly high: Int32Array;
  private readonly low: Int32Array;

  /** Of the rows in so many blocks; of no column, so far. */
  constructor(
    private readonly store: Store,
    private readonly blocks: number,
  ) {
    const rows = firstRow(store.layout, blocks);
    this.high = new Int32Array(rows);
    this.low = new Int32Array(rows);
  }

  /** Takes a column along, or out again: what columns there are is all that counts, not their order. */
  take(column: number, sign: 1 | -1 = 1): this {
    const { store, high, low } = this;
    const [a, b] = [mixed(column, 0x2c1b3c6d), mixed(column, 0x297a2d39)];
    for (let block = 0; block < this.blocks; block++) {
      const first = firstRow(store.layout, block);
      const count = rowsIn(store.layout, block);
      const cells = new Int32Array(store.kernels.memory.buffer, store.run(block, column), count);
      for (let i = 0; i < count; i++) {
        // Zeros of either sign are the same, and so are holes.
        const bits = cells[i] === NEGATIVE_ZERO ? 0 : (cells[i] & NAN) === NAN ? NAN : cells[i];
        high[first + i] += sign * mixed(bits, a);
        low[first + i] += sign * mixed(bits, b);
      }
    }
    return this;
  }

  copy(): RowHashes {
    const copy = new RowHashes(this.store, this.blocks);
    copy.high.set(this.high);
    copy.low.set(this.low);
    return copy;
  }

  get rows(): number {
    return this.high.length;
  }

  /** How many rows repeat an earlier one. */
  repeated(): number {
    const keys = this.keys().sort();
    let count = 0;
    for (let i = 1; i < keys.length; i++) if (keys[i] === keys[i - 1]) count += 1;
    return count;
  }

  /** The rows that repeat none. */
  first(): number[] {
    const seen = new Set<number>();
    const rows: number[] = [];
    this.keys().forEach((key, row) => {
      if (!seen.has(key)) rows.push(row);
      seen.add(key);
    });
    return rows;
  }

  private keys(): Float64Array {
    return Float64Array.from(this.high, (high, i) => (high >>> 0) * 2 ** 21 + (this.low[i] >>> 11));
  }
}

const NEGATIVE_ZERO = -(2 ** 31);
const NAN = 0x7fc00000;

/** Every bit of the result depends on every bit of both (the finaliser of MurmurHash3). */
function mixed(bits: number, seed: number): number {
  let hash = bits ^ seed;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
