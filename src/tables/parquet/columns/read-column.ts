/** The numbers of one column of Parquet files, page by page. Whatever is not as it should be is a RangeError. */

import { closeSync, openSync, readSync } from "node:fs";
import * as zlib from "node:zlib";
import { CompactReader, I32, STRUCT } from "../compact.js";
import {
  type ColumnIndex,
  GZIP,
  type NumberKind,
  PLAIN,
  PLAIN_DICTIONARY,
  RLE_DICTIONARY,
  SNAPPY,
  UNCOMPRESSED,
} from "./column-index.js";
import { readHybrid } from "./hybrid.js";
import { unpackSnappy } from "./snappy.js";

export type Numbers = Float32Array | Float64Array;

/** Page types of parquet.thrift. */
const [DATA_PAGE, DICTIONARY_PAGE, DATA_PAGE_V2] = [0, 2, 3];
/** Some writers leave the header of a dictionary out when they say how long a column is. */
const MARGIN = 128;
/** What levels and headers may take up beside the numbers of a page. */
const ASIDE = 1 << 20;

const BYTES: Readonly<Record<NumberKind, number>> = {
  float: 4,
  double: 8,
  int32: 4,
  uint32: 4,
  int64: 8,
  uint64: 8,
};

/** Floats stay what they are; all other numbers are doubles. */
export function roomFor(kind: NumberKind, rows: number): Numbers {
  return kind === "float" ? new Float32Array(rows) : new Float64Array(rows);
}

export class ParquetColumns {
  private readonly files: (number | undefined)[] = [];
  private bytes = new Uint8Array(0);
  private unpacked = new Uint8Array(0);
  private levels = new Uint8Array(0);
  private places = new Uint32Array(0);

  constructor(private readonly index: ColumnIndex) {}

  /** The rows of a column from the first on, as many as `out` has room for; missing ones are NaN. Returns how many are missing. */
  read(column: number, out: Numbers): number {
    const { groupRows, columns } = this.index;
    const described = columns[column];
    if (!described) throw new RangeError("The column cannot be read in this way.");
    let [at, missing] = [0, 0];
    for (let group = 0; group < groupRows.length && at < out.length; group++) {
      const rows = groupRows[group];
      if (at + rows <= out.length) {
        missing += this.readPiece(group, column, out.subarray(at, at + rows));
      } else {
        // Of the last group only some rows are wanted.
        const whole = roomFor(described.kind, rows);
        this.readPiece(group, column, whole);
        out.set(whole.subarray(0, out.length - at), at);
      }
      at += rows;
    }
    return missing;
  }

  close(): void {
    for (const file of this.files) if (file !== undefined) closeSync(file);
    this.files.length = 0;
  }

  private readPiece(group: number, column: number, out: Numbers): number {
    const { index } = this;
    const piece = group * index.columns.length + column;
    const { kind, isOptional } = index.columns[column]!;
    const codec = index.codecs[piece];
    const bytes = this.bytesOf(index.files[group], index.starts[piece], index.sizes[piece]);
    let dictionary: Numbers | undefined;
    let [at, done, missing] = [0, 0, 0];
    while (done < out.length) {
      const page = pageHeader(bytes, at);
      const most = BYTES[kind] * out.length + ASIDE;
      if (page.end > bytes.length || page.size > most) throw new RangeError("A page is too long.");
      const body = bytes.subarray(page.start, page.end);
      at = page.end;
      if (page.type === DICTIONARY_PAGE) {
        if (page.count > out.length + ASIDE) throw new RangeError("There are more words than rows.");
        dictionary = roomFor(kind, page.count);
        plainNumbers(this.unpack(body, codec, page.size), kind, dictionary);
        continue;
      }
      if (page.type !== DATA_PAGE && page.type !== DATA_PAGE_V2) continue;
      if (page.count > out.length - done) throw new RangeError("There are more values than rows.");
      const { levels, values } = this.parts(page, body, codec, isOptional);
      const part = out.subarray(done, done + page.count);
      const present = levels ? this.present(levels, page.count) : page.count;
      this.numbers(values, page.encoding, kind, part.subarray(0, present), dictionary);
      if (present < page.count) spread(part, present, this.levels);
      missing += page.count - present;
      done += page.count;
    }
    return missing;
  }

  /** Which values are there, and the values themselves. */
  private parts(page: PageHeader, body: Uint8Array, codec: number, isOptional: boolean) {
    if (page.type === DATA_PAGE) {
      const all = this.unpack(body, codec, page.size);
      if (!isOptional) return { levels: undefined, values: all };
      if (all.length < 4) throw new RangeError("A page is too short.");
      const length = new DataView(all.buffer, all.byteOffset).getUint32(0, true);
      if (length > all.length - 4) throw new RangeError("Levels are longer than their page.");
      return { levels: all.subarray(4, 4 + length), values: all.subarray(4 + length) };
    }
    const { levels: length } = page;
    if (length > body.length || length > page.size)
      throw new RangeError("Levels are longer than their page.");
    const rest = body.subarray(length);
    const values = this.unpack(rest, page.isPacked ? codec : UNCOMPRESSED, page.size - length);
    return { levels: isOptional ? body.subarray(0, length) : undefined, values };
  }

  /** How many of so many values are there; which ones is in `levels`. */
  private present(levels: Uint8Array, count: number): number {
    if (this.levels.length < count) this.levels = new Uint8Array(count);
    readHybrid(levels, 1, count, this.levels);
    let present = 0;
    for (let i = 0; i < count; i++) present += this.levels[i];
    return present;
  }

  private numbers(
    values: Uint8Array,
    encoding: number,
    kind: NumberKind,
    out: Numbers,
    dictionary: Numbers | undefined,
  ): void {
    if (encoding === PLAIN) {
      plainNumbers(values, kind, out);
      return;
    }
    if ((encoding !== PLAIN_DICTIONARY && encoding !== RLE_DICTIONARY) || !dictionary)
      throw new RangeError("There is no such encoding here.");
    const count = out.length;
    if (count === 0) return;
    if (this.places.length < count) this.places = new Uint32Array(count);
    const { places } = this;
    readHybrid(values.subarray(1), values[0], count, places);
    const words = dictionary.length;
    for (let i = 0; i < count; i++) {
      if (places[i] >= words) throw new RangeError("There is no such word in the dictionary.");
      out[i] = dictionary[places[i]];
    }
  }

  private unpack(body: Uint8Array, codec: number, size: number): Uint8Array {
    if (codec === UNCOMPRESSED) return body;
    if (codec === SNAPPY) {
      if (this.unpacked.length < size) this.unpacked = new Uint8Array(size);
      const out = this.unpacked.subarray(0, size);
      unpackSnappy(body, out);
      return out;
    }
    const unpacked = codec === GZIP ? zlib.gunzipSync(body, { maxOutputLength: size }) : unzstd(body, size);
    if (unpacked.length !== size) throw new RangeError("A page has another length than it says.");
    return unpacked;
  }

  private bytesOf(file: number, start: number, size: number): Uint8Array {
    this.files[file] ??= openSync(this.index.paths[file], "r");
    const length = size + MARGIN;
    if (this.bytes.length < length) this.bytes = new Uint8Array(length);
    const count = readSync(this.files[file], this.bytes, 0, length, start);
    if (count < size) throw new RangeError("The file is too short.");
    return this.bytes.subarray(0, count);
  }
}

interface PageHeader {
  readonly type: number;
  /** Where what follows the header begins and ends. */
  readonly start: number;
  readonly end: number;
  /** Bytes once it is unpacked. */
  readonly size: number;
  readonly count: number;
  readonly encoding: number;
  /** Bytes of the levels, which are not packed in pages of the second version. */
  readonly levels: number;
  readonly isPacked: boolean;
}

function pageHeader(bytes: Uint8Array, from: number): PageHeader {
  const reader = new CompactReader(bytes);
  reader.at = from;
  let [type, size, packed, count, encoding, levels, repeated, isPacked] = [-1, -1, -1, -1, -1, 0, 0, true];
  reader.struct((field, kind) => {
    if (kind === I32) {
      const value = reader.integer();
      if (field === 1) type = value;
      else if (field === 2) size = value;
      else if (field === 3) packed = value;
      return;
    }
    if (kind !== STRUCT || (field !== 5 && field !== 7 && field !== 8)) return;
    const isSecond = field === 8;
    reader.struct((inner, type) => {
      // A truth is told by its kind: 1 or 2.
      if (isSecond && inner === 7) isPacked = type === 1;
      if (type !== I32) return;
      const value = reader.integer();
      if (inner === 1) count = value;
      else if (inner === (isSecond ? 4 : 2)) encoding = value;
      else if (isSecond && inner === 5) levels = value;
      else if (isSecond && inner === 6) repeated = value;
    });
  });
  if (size < 0 || packed < 0 || count < 0 || levels < 0 || repeated !== 0)
    throw new RangeError("A page does not say how long it is.");
  return { type, start: reader.at, end: reader.at + packed, size, count, encoding, levels, isPacked };
}

/** Numbers as they lie in memory, the lowest byte first. */
function plainNumbers(bytes: Uint8Array, kind: NumberKind, out: Numbers): void {
  const size = BYTES[kind] * out.length;
  if (bytes.length < size) throw new RangeError("A page is too short.");
  if (kind === "float" || kind === "double") {
    new Uint8Array(out.buffer, out.byteOffset, size).set(bytes.subarray(0, size));
    return;
  }
  // Words must lie at multiples of their length.
  const copy = new Uint8Array(size);
  copy.set(bytes.subarray(0, size));
  const words = copy.buffer;
  const [low, high] = [new Uint32Array(words), new Int32Array(words)];
  const { length } = out;
  if (kind === "int32") out.set(high);
  else if (kind === "uint32") out.set(low);
  else if (kind === "int64") for (let i = 0; i < length; i++) out[i] = 2 ** 32 * high[2 * i + 1] + low[2 * i];
  else for (let i = 0; i < length; i++) out[i] = 2 ** 32 * low[2 * i + 1] + low[2 * i];
}

/** From values without gaps to those of all rows. */
function spread(out: Numbers, present: number, levels: Uint8Array): void {
  let from = present;
  for (let i = out.length - 1; i >= 0; i--) out[i] = levels[i] === 1 ? out[--from] : Number.NaN;
}

function unzstd(body: Uint8Array, size: number): Uint8Array {
  const { zstdDecompressSync } = zlib as unknown as {
    zstdDecompressSync(body: Uint8Array, options: { maxOutputLength: number }): Uint8Array;
  };
  return zstdDecompressSync(body, { maxOutputLength: size });
}
