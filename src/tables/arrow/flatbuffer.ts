/**
 * Whether a FlatBuffer is what it should be: every table, list and text that it refers to lies within it. Those who
 * made the format have a verifier in C++; the JavaScript that reads it trusts every length, so that one changed byte
 * makes a loop of 2³¹ turns.
 */

export type Kind =
  | { readonly is: "number" }
  | { readonly is: "text" }
  | { readonly is: "table"; readonly of: () => Shape }
  /** A list of values of so many bytes. */
  | { readonly is: "list"; readonly bytes: number }
  | { readonly is: "tables"; readonly of: () => Shape }
  /** One of several tables, chosen by the number in the field before. */
  | { readonly is: "choice"; readonly of: (which: number) => Shape | undefined };

/** The fields of a table, in the order of their slots. */
export type Shape = readonly Kind[];

/** Tables that may be met: lists can name the same one again and again. */
const MOST_TABLES = 1 << 20;
const DEEPEST = 64;

export class FlatBuffer {
  private readonly view: DataView;
  private met = 0;

  constructor(bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Fails where the buffer does not hold a table of this shape; returns where it is. */
  check(shape: Shape): number {
    const root = this.target(0);
    this.table(root, shape, 0);
    return root;
  }

  /** Where a field of a table that was checked is; undefined where it is left out. */
  field(table: number, slot: number): number | undefined {
    const start = table - this.view.getInt32(table, true);
    const at = 4 + 2 * slot;
    const offset = at < this.view.getUint16(start, true) ? this.view.getUint16(start + at, true) : 0;
    return offset === 0 ? undefined : table + offset;
  }

  /** The places of the values of a list, for a field that holds one. */
  places(field: number | undefined, bytes: number): number[] {
    if (field === undefined) return [];
    const list = this.target(field);
    return Array.from({ length: this.view.getUint32(list, true) }, (_, i) => list + 4 + i * bytes);
  }

  private table(table: number, shape: Shape, depth: number): void {
    if (++this.met > MOST_TABLES || depth > DEEPEST) throw new Error("A FlatBuffer has too many tables");
    this.within(table, 4);
    const start = table - this.view.getInt32(table, true);
    this.within(start, 4);
    const [length, size] = [this.view.getUint16(start, true), this.view.getUint16(start + 2, true)];
    this.within(start, Math.max(4, length));
    this.within(table, size);
    shape.forEach((kind, slot) => {
      const field = this.field(table, slot);
      if (field === undefined) return;
      if (field - table >= size) throw new Error("A field of a FlatBuffer is not in its table");
      this.value(field, kind, depth, () => this.field(table, slot - 1));
    });
  }

  private value(field: number, kind: Kind, depth: number, before: () => number | undefined): void {
    if (kind.is === "number") return;
    const at = this.target(field);
    if (kind.is === "table") this.table(at, kind.of(), depth + 1);
    else if (kind.is === "choice") {
      const which = before();
      const shape = which === undefined ? undefined : kind.of(this.view.getUint8(which));
      this.table(at, shape ?? [], depth + 1);
    } else {
      const count = this.view.getUint32(at, true);
      this.within(at + 4, count * (kind.is === "list" ? kind.bytes : kind.is === "text" ? 1 : 4));
      if (kind.is !== "tables") return;
      for (let i = 0; i < count; i++) this.table(this.target(at + 4 + 4 * i), kind.of(), depth + 1);
    }
  }

  /** What the offset at a place refers to. */
  private target(at: number): number {
    this.within(at, 4);
    const target = at + this.view.getUint32(at, true);
    this.within(target, 4);
    return target;
  }

  private within(at: number, bytes: number): void {
    if (at < 0 || at + bytes > this.view.byteLength) throw new Error("A FlatBuffer refers beyond its end");
  }
}
