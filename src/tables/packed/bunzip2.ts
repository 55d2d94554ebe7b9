/**
 * bzip2, block by block: at most 900 kB of a block are held at a time, whatever they unpack to, and every block and the
 * whole have the checksums that they carry. (The package that did this before unpacked a whole file at once when it
 * was small, which a file of 11 kB that unpacks to gigabytes does not survive, and checked nothing.)
 */

import { ByteQueue } from "./byte-queue.js";

const BLOCK = 0x314159265359;
const END = 0x177245385090;
/** A packed block is never longer than this: 900,000 symbols of at most 20 bits, and tables. */
const LONGEST_BLOCK = 2_400_000;
const PIECE = 1 << 16;

export async function* unpackedBzip2(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const queue = new ByteQueue(source);
  let streams = 0;
  while ((await queue.fill(4)) > 0) {
    const head = queue.take(4);
    const level = head[3] - 48;
    if (head[0] !== 0x42 || head[1] !== 0x5a || head[2] !== 0x68 || !(level >= 1 && level <= 9)) {
      throw new Error(
        streams === 0 ? "it is not packed by bzip2" : "something else follows the packed bytes",
      );
    }
    streams += 1;
    yield* stream(queue, 100_000 * level);
  }
  if (streams === 0) throw new Error("it is empty");
}

async function* stream(queue: ByteQueue, most: number): AsyncGenerator<Uint8Array> {
  const symbols = new Uint32Array(most);
  let whole = 0;
  let bit = 0;
  for (;;) {
    await queue.fill(LONGEST_BLOCK);
    const bits = new Bits(queue.view(), bit);
    const magic = bits.take(24) * 2 ** 24 + bits.take(24);
    const stated = bits.take(16) * 65536 + bits.take(16);
    if (magic === END) {
      if (stated !== whole) throw new Error("its checksum is not that of its content");
      queue.take(bits.bytes);
      return;
    }
    if (magic !== BLOCK) throw new Error("a block does not begin where it should");
    const { count, start } = readBlock(bits, symbols);
    queue.take(Math.floor(bits.position / 8));
    bit = bits.position % 8;
    const checksum = yield* content(symbols, count, start);
    if (checksum !== stated) throw new Error("the checksum of a block is not that of its content");
    whole = (((whole << 1) | (whole >>> 31)) ^ checksum) >>> 0;
  }
}

/** Most significant bit first. */
class Bits {
  constructor(
    private readonly data: Uint8Array,
    public position: number,
  ) {}

  /** Whole bytes up to here. */
  get bytes(): number {
    return Math.ceil(this.position / 8);
  }

  /** The next twenty, zeros where there are no more; taking them tells. */
  peek(): number {
    const { data } = this;
    const at = this.position >> 3;
    if (at >= data.length) throw new Error("it was cut short");
    const four = (data[at] << 24) | (data[at + 1] << 16) | (data[at + 2] << 8) | data[at + 3];
    return (four << (this.position & 7)) >>> 12;
  }

  take(count: number): number {
    let value = 0;
    for (let left = count; left > 0; ) {
      const at = this.position >> 3;
      if (at >= this.data.length) throw new Error("it was cut short");
      const within = this.position & 7;
      const some = Math.min(left, 8 - within);
      value = (value << some) | ((this.data[at] >> (8 - within - some)) & ((1 << some) - 1));
      this.position += some;
      left -= some;
    }
    return value;
  }
}

/** Leaves the bytes of the block in the low 8 bits of `symbols`, and what follows each in the others. */
function readBlock(bits: Bits, symbols: Uint32Array): { count: number; start: number } {
  if (bits.take(1) !== 0) throw new Error("it is randomised, as no bzip2 has been since 1997");
  const start = bits.take(24);
  const used = usedBytes(bits);
  const { tables, selectors } = readTables(bits, used.length + 2);
  const counts = new Uint32Array(256);
  const order = Uint8Array.from(used);
  const end = used.length + 1;
  let count = 0;
  let [group, left] = [-1, 0];
  let table = tables[0];
  let [run, weight] = [0, 1];
  const put = (byte: number, times: number): void => {
    if (count + times > symbols.length) throw new Error("a block is too long");
    counts[byte] += times;
    symbols.fill(byte, count, count + times);
    count += times;
  };
  for (;;) {
    if (left === 0) {
      group += 1;
      if (group >= selectors.length) throw new Error("a block has too many symbols");
      table = tables[selectors[group]];
      left = 50;
    }
    left -= 1;
    const symbol = decode(bits, table);
    if (symbol <= 1) {
      run += weight << symbol;
      weight *= 2;
      if (run > symbols.length) throw new Error("a block is too long");
      continue;
    }
    if (run > 0) put(order[0], run);
    [run, weight] = [0, 1];
    if (symbol === end) break;
    // The byte comes to the front.
    const byte = order[symbol - 1];
    order.copyWithin(1, 0, symbol - 1);
    order[0] = byte;
    put(byte, 1);
  }
  if (start >= count) throw new Error("a block does not begin within itself");
  let sum = 0;
  for (let byte = 0; byte < 256; byte++) {
    const size = counts[byte];
    counts[byte] = sum;
    sum += size;
  }
  for (let i = 0; i < count; i++) symbols[counts[symbols[i] & 0xff]++] |= i << 8;
  return { count, start };
}

function usedBytes(bits: Bits): number[] {
  const used: number[] = [];
  const groups = bits.take(16);
  for (let i = 0; i < 16; i++) {
    if (((groups >> (15 - i)) & 1) === 0) continue;
    const within = bits.take(16);
    for (let j = 0; j < 16; j++) if ((within >> (15 - j)) & 1) used.push(16 * i + j);
  }
  if (used.length === 0) throw new Error("a block is empty");
  return used;
}

interface Table {
  /** By length of code: the first code beyond it, and what to subtract to find its symbol. */
  readonly limits: Int32Array;
  readonly offsets: Int32Array;
  readonly symbols: Uint16Array;
  readonly shortest: number;
  readonly longest: number;
}

const MAX_LENGTH = 20;

function readTables(bits: Bits, alphabet: number): { tables: Table[]; selectors: Uint8Array } {
  const count = bits.take(3);
  const groups = bits.take(15);
  if (count < 2 || count > 6 || groups < 1) throw new Error("a block has no tables");
  const order = Array.from({ length: count }, (_, i) => i);
  const selectors = Uint8Array.from({ length: groups }, () => {
    let place = 0;
    while (bits.take(1) === 1) place += 1;
    if (place >= count) throw new Error("a table is not there");
    const [chosen] = order.splice(place, 1);
    order.unshift(chosen);
    return chosen;
  });
  const tables = Array.from({ length: count }, () => {
    let length = bits.take(5);
    const lengths = Uint8Array.from({ length: alphabet }, () => {
      while (bits.take(1) === 1) length += bits.take(1) === 0 ? 1 : -1;
      if (length < 1 || length > MAX_LENGTH) throw new Error("a code is too long");
      return length;
    });
    return tableOf(lengths);
  });
  return { tables, selectors };
}

function tableOf(lengths: Uint8Array): Table {
  const symbols = Uint16Array.from(lengths.keys()).sort((a, b) => lengths[a] - lengths[b] || a - b);
  const limits = new Int32Array(MAX_LENGTH + 1);
  const offsets = new Int32Array(MAX_LENGTH + 1);
  let code = 0;
  let at = 0;
  for (let length = 1; length <= MAX_LENGTH; length++) {
    code <<= 1;
    offsets[length] = at - code;
    const size = lengths.reduce((sum, each) => sum + (each === length ? 1 : 0), 0);
    code += size;
    at += size;
    limits[length] = code;
  }
  return { limits, offsets, symbols, shortest: Math.min(...lengths), longest: Math.max(...lengths) };
}

function decode(bits: Bits, { limits, offsets, symbols, shortest, longest }: Table): number {
  const next = bits.peek();
  for (let length = shortest; length <= longest; length++) {
    const code = next >> (MAX_LENGTH - length);
    if (code >= limits[length]) continue;
    bits.position += length;
    return symbols[code + offsets[length]];
  }
  throw new Error("a code means nothing");
}

/** CRC-32 as bzip2 has it: most significant bit first. */
const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24;
  for (let i = 0; i < 8; i++) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1;
  return value;
});

/** The bytes of a block: four alike are followed by how many more there are. Returns their checksum. */
function* content(symbols: Uint32Array, count: number, start: number): Generator<Uint8Array, number> {
  let piece = new Uint8Array(PIECE);
  let filled = 0;
  let crc = 0xffffffff;
  let alike = 0;
  let previous = -1;
  let at = symbols[start];
  at = at >>> 8;
  for (let i = 0; i < count; i++) {
    const byte = symbols[at] & 0xff;
    at = symbols[at] >>> 8;
    let times = 1;
    let value = byte;
    if (alike === 4) {
      [times, value, alike, previous] = [byte, previous, 0, -1];
    } else {
      alike = byte === previous ? alike + 1 : 1;
      previous = byte;
    }
    for (let k = 0; k < times; k++) {
      crc = (crc << 8) ^ CRC[(crc >>> 24) ^ value];
      piece[filled++] = value;
      if (filled < PIECE) continue;
      yield piece;
      piece = new Uint8Array(PIECE);
      filled = 0;
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
  return ~crc >>> 0;
}
