/** Thrift's compact protocol, as far as the parts of a structure have to be told apart without being understood. */

export const [I32, I64, BINARY, LIST, STRUCT] = [5, 6, 8, 9, 12];
const [TRUE, FALSE, BYTE, I16, DOUBLE, SET, MAP] = [1, 2, 3, 4, 7, 10, 11];
/** Structures of structures: those of a Parquet file are four deep. */
const DEEPEST = 30;

/** Goes through bytes; fails where they end too early or make no sense. */
export class CompactReader {
  at = 0;
  private depth = 0;

  constructor(readonly bytes: Uint8Array) {}

  byte(): number {
    if (this.at >= this.bytes.length) throw new RangeError("The bytes end too early.");
    return this.bytes[this.at++];
  }

  /** Seven bits at a time, the lowest first. */
  count(): number {
    let [value, place] = [0, 1];
    for (;;) {
      const byte = this.byte();
      value += (byte & 127) * place;
      if (byte < 128) break;
      place *= 128;
    }
    if (!Number.isSafeInteger(value)) throw new RangeError("A number is too large.");
    return value;
  }

  integer(): number {
    const zigzag = this.count();
    return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
  }

  text(): string {
    const length = this.count();
    this.move(length);
    return Buffer.from(this.bytes.subarray(this.at - length, this.at)).toString("utf8");
  }

  /** Every field of a structure; those that `visit` does not read are passed over. */
  struct(visit: (field: number, kind: number) => void = () => {}): void {
    if (++this.depth > DEEPEST) throw new RangeError("Structures are too deep.");
    for (let field = 0, head = this.byte(); head !== 0; head = this.byte()) {
      field = head >> 4 === 0 ? this.integer() : field + (head >> 4);
      const before = this.at;
      visit(field, head & 15);
      if (this.at === before) this.pass(head & 15);
    }
    this.depth -= 1;
  }

  /** The length of a list whose values follow, and what they are. */
  list(): { readonly length: number; readonly kind: number } {
    const head = this.byte();
    const length = head >> 4 === 15 ? this.count() : head >> 4;
    // Every value takes a byte at least.
    if (length > this.bytes.length - this.at) throw new RangeError("A list is longer than the bytes.");
    return { length, kind: head & 15 };
  }

  private pass(kind: number, isInList = false): void {
    if (kind === TRUE || kind === FALSE) this.move(isInList ? 1 : 0);
    else if (kind === BYTE) this.move(1);
    else if (kind === I16 || kind === I32 || kind === I64) while (this.byte() >= 128);
    else if (kind === DOUBLE) this.move(8);
    else if (kind === BINARY) this.move(this.count());
    else if (kind === LIST || kind === SET) {
      const { length, kind: each } = this.list();
      for (let i = 0; i < length; i++) this.pass(each, true);
    } else if (kind === STRUCT) this.struct();
    else if (kind === MAP && this.byte() === 0) return;
    else throw new RangeError("There is no such kind of value here.");
  }

  private move(count: number): void {
    if (count > this.bytes.length - this.at) throw new RangeError("The bytes end too early.");
    this.at += count;
  }
}

/** As `count` reads it. */
export function countBytes(value: number): number[] {
  const out: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) out.push((rest % 128) | 128);
  return [...out, rest];
}

export function listHead(length: number, kind: number): number[] {
  return length < 15 ? [(length << 4) | kind] : [0xf0 | kind, ...countBytes(length)];
}
