/** Structs in Thrift's compact protocol, as the parts of a Parquet file that describe it are written. */

/** Fields by their numbers, which rise. */
export type Struct = readonly (readonly [number, Value])[];
export type Value =
  | number
  | string
  | Struct
  | { readonly long: number }
  | { readonly numbers: readonly number[] }
  | { readonly texts: readonly string[] }
  | { readonly structs: Listed<Struct> };

/** Members that may be made as they are written: of very many none has to wait for the others. */
export interface Listed<T> extends Iterable<T> {
  readonly length: number;
}

export function listed<T>(length: number, member: (i: number) => T): Listed<T> {
  return {
    length,
    *[Symbol.iterator]() {
      for (let i = 0; i < length; i++) yield member(i);
    },
  };
}

/** Bytes that grow. */
class Bytes {
  private held = new Uint8Array(256);
  private length = 0;

  push(byte: number): void {
    if (this.length === this.held.length) {
      const more = new Uint8Array(2 * this.length);
      more.set(this.held);
      this.held = more;
    }
    this.held[this.length++] = byte;
  }

  get written(): Uint8Array {
    return this.held.slice(0, this.length);
  }
}

const [I32, I64, BINARY, LIST, STRUCT] = [5, 6, 8, 9, 12];
const utf8 = new TextEncoder();

export function thrift(struct: Struct): Uint8Array {
  const out = new Bytes();
  writeStruct(out, struct);
  return out.written;
}

function writeStruct(out: Bytes, struct: Struct): void {
  let before = 0;
  for (const [field, value] of struct) {
    // No two fields here are more than fifteen apart.
    out.push(((field - before) << 4) | kindOf(value));
    before = field;
    writeValue(out, value);
  }
  out.push(0);
}

function kindOf(value: Value): number {
  if (typeof value === "number") return I32;
  if (typeof value === "string") return BINARY;
  if (Array.isArray(value)) return STRUCT;
  return "long" in value ? I64 : LIST;
}

function writeValue(out: Bytes, value: Value): void {
  if (typeof value === "number") writeInteger(out, value);
  else if (typeof value === "string") writeText(out, value);
  else if ("long" in value) writeInteger(out, value.long);
  else if ("numbers" in value) writeList(out, I32, value.numbers, writeInteger);
  else if ("texts" in value) writeList(out, BINARY, value.texts, writeText);
  else if ("structs" in value) writeList(out, STRUCT, value.structs, writeStruct);
  else writeStruct(out, value);
}

/** A long list has its length behind the kind of its values, a short one beside it. */
function writeList<T>(
  out: Bytes,
  kind: number,
  values: Listed<T>,
  write: (out: Bytes, value: T) => void,
): void {
  if (values.length < 15) out.push((values.length << 4) | kind);
  else {
    out.push(0xf0 | kind);
    writeCount(out, values.length);
  }
  for (const value of values) write(out, value);
}

function writeText(out: Bytes, text: string): void {
  const bytes = utf8.encode(text);
  writeCount(out, bytes.length);
  for (const byte of bytes) out.push(byte);
}

/** Zigzag: what is written here is never negative. */
const writeInteger = (out: Bytes, value: number): void => writeCount(out, 2 * value);

/** Seven bits at a time, the lowest first; numbers may go beyond 32 bits. */
function writeCount(out: Bytes, value: number): void {
  let rest = value;
  while (rest >= 128) {
    out.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  out.push(rest);
}
