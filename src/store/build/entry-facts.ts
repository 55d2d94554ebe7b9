import { ANY_COLUMNS, checkReach, tooFar } from "../../tables/libsvm/far-index.js";
import type { SparseChunk } from "../../tables/table.js";
import { HEAD_ROWS } from "./column-facts.js";

/** Packed, an entry takes two bytes or more. */
const COLUMNS_PER_BYTE = 2;

/** What is learnt of the columns of rows of entries while they are read, of which there may be millions. */
export class EntryFacts {
  private total = 0;
  /** Chunks with the first rows, by which shifts are decided. */
  readonly head: SparseChunk[] = [];
  rows = 0;
  columns = 0;
  private entries = new Uint32Array(1024);
  private first = new Float64Array(1024);
  private varies = new Uint8Array(1024);

  constructor(private readonly table: { readonly name: string; readonly bytes?: number }) {}

  look(chunk: SparseChunk): void {
    if (this.rows < HEAD_ROWS) this.head.push(chunk);
    this.rows += chunk.rows;
    this.total += chunk.columns.length;
    for (let i = 0; i < chunk.columns.length; i++) {
      const j = chunk.columns[i];
      if (j >= this.columns) this.reach(j);
      const value = chunk.values[i];
      if (this.entries[j]++ === 0) this.first[j] = value;
      else if (value !== this.first[j]) this.varies[j] = 1;
    }
  }

  entriesOf(j: number): number {
    return this.entries[j];
  }

  isConstant(j: number): boolean {
    return this.entries[j] === 0 || (this.entries[j] === this.rows && this.varies[j] === 0);
  }

  /** Once all rows have been seen. */
  checkColumns(): void {
    checkReach(this.table.name, this.columns, this.total);
  }

  private reach(j: number): void {
    const most = this.table.bytes === undefined ? j : COLUMNS_PER_BYTE * this.table.bytes;
    if (j > Math.max(ANY_COLUMNS, most)) throw tooFar(this.table.name, j + 1);
    this.columns = j + 1;
    if (j < this.entries.length) return;
    const size = Math.max(j + 1, 2 * this.entries.length);
    this.entries = grown(new Uint32Array(size), this.entries);
    this.first = grown(new Float64Array(size), this.first);
    this.varies = grown(new Uint8Array(size), this.varies);
  }
}

function grown<T extends Uint32Array | Float64Array | Uint8Array>(to: T, from: T): T {
  to.set(from);
  return to;
}
