import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, describe, expect, it } from "vitest";
import { SparrowError } from "../../src/errors.js";
import { Rng } from "../../src/math/rng.js";
import { open } from "../../src/node.js";
import { fileBytes } from "../../src/tables/packed/decompress.js";
import { Xxh64 } from "../../src/tables/packed/xxh64.js";
import { received } from "../../src/tables/standard-input.js";

const cases = join(import.meta.dirname, "../cases/packed");
const plain = readFileSync(join(cases, "small.svm"));
const scratch = mkdtempSync(join(tmpdir(), "packed-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function unpacked(bytes: Uint8Array, ending: string): Promise<Buffer> {
  const path = join(scratch, `file.${ending}`);
  writeFileSync(path, bytes);
  const parts: Buffer[] = [];
  for await (const part of fileBytes(path, () => {})) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}

/** XXH64 as its specification has it, word by word. */
function xxh64(bytes: Uint8Array): bigint {
  const M = (1n << 64n) - 1n;
  const P = [
    11400714785074694791n,
    14029467366897019727n,
    1609587929392839161n,
    9650029242287828579n,
    2870177450012600261n,
  ];
  const rot = (x: bigint, r: bigint) => ((x << r) | (x >> (64n - r))) & M;
  const read = (at: number, n: number) => {
    let value = 0n;
    for (let i = n - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[at + i]);
    return value;
  };
  const round = (acc: bigint, lane: bigint) => (rot((acc + lane * P[1]) & M, 31n) * P[0]) & M;
  let at = 0;
  let acc = P[4];
  if (bytes.length >= 32) {
    const v = [(P[0] + P[1]) & M, P[1], 0n, (M + 1n - P[0]) & M];
    for (; at + 32 <= bytes.length; at += 32)
      for (let i = 0; i < 4; i++) v[i] = round(v[i], read(at + 8 * i, 8));
    acc = (rot(v[0], 1n) + rot(v[1], 7n) + rot(v[2], 12n) + rot(v[3], 18n)) & M;
    for (const lane of v) acc = ((acc ^ round(0n, lane)) * P[0] + P[3]) & M;
  }
  acc = (acc + BigInt(bytes.length)) & M;
  for (; at + 8 <= bytes.length; at += 8) acc = (rot(acc ^ round(0n, read(at, 8)), 27n) * P[0] + P[3]) & M;
  if (at + 4 <= bytes.length) {
    acc = (rot(acc ^ ((read(at, 4) * P[0]) & M), 23n) * P[1] + P[2]) & M;
    at += 4;
  }
  for (; at < bytes.length; at++) acc = (rot(acc ^ ((read(at, 1) * P[4]) & M), 11n) * P[0]) & M;
  acc = ((acc ^ (acc >> 33n)) * P[1]) & M;
  acc = ((acc ^ (acc >> 29n)) * P[2]) & M;
  return acc ^ (acc >> 32n);
}

describe("the checksum of zstd", () => {
  it("is that of the specification, however the bytes come", () => {
    expect(new Xxh64().digest()).toBe(0xef46db3751d8e999n);
    const rng = Rng.seeded(1);
    for (let length = 0; length < 200; length++) {
      const bytes = Uint8Array.from({ length }, () => Math.floor(256 * rng.uniform()));
      const hash = new Xxh64();
      for (let at = 0; at < length; ) {
        const size = 1 + Math.floor(40 * rng.uniform());
        hash.update(bytes.subarray(at, at + size));
        at += size;
      }
      expect(hash.digest()).toBe(xxh64(bytes));
    }
  });
});

describe.each(["bz2", "zst", "xz", "gz"])("a file packed as .%s", (ending) => {
  const whole = readFileSync(join(cases, `small.svm.${ending}`));

  it("with any byte changed is an error or the same bytes, never others", async () => {
    const rng = Rng.seeded(2);
    for (let trial = 0; trial < 150; trial++) {
      const bytes = Buffer.from(whole);
      bytes[Math.floor(rng.uniform() * bytes.length)] ^= 1 << Math.floor(8 * rng.uniform());
      const found = await unpacked(bytes, ending).catch(() => undefined);
      if (found) expect(found.equals(plain)).toBe(true);
    }
  });

  it("twice, one after the other, gives its bytes twice", async () => {
    if (ending === "xz") return;
    expect((await unpacked(Buffer.concat([whole, whole]), ending)).toString()).toBe(`${plain}${plain}`);
  });

  it("with something behind it is an error", async () => {
    await expect(unpacked(Buffer.concat([whole, Buffer.from("and more")]), ending)).rejects.toThrow();
  });
});

describe("a packed table", () => {
  const problemOf = async (name: string, bytes: Uint8Array): Promise<unknown> => {
    const path = join(scratch, name);
    writeFileSync(path, bytes);
    try {
      const table = await open(path);
      for await (const _ of table.by === "columns" ? table.chunks([0]) : table.chunks());
    } catch (error) {
      return error;
    }
    return undefined;
  };
  const names = ["table.csv", "lines.jsonl", "array.json", "small.svm"];

  it.each(names.flatMap((name) => ["gz", "bz2", "xz", "zst"].map((ending) => `${name}.${ending}`)))(
    "that is cut says so: %s",
    async (name) => {
      const whole = readFileSync(join(cases, name));
      expect(await problemOf(name, whole)).toBeUndefined();
      const problem = await problemOf(name, whole.subarray(0, 0.7 * whole.length));
      expect(problem).toBeInstanceOf(SparrowError);
      expect((problem as Error).message).toBe(
        `${join(scratch, name)} is damaged or was cut short; make or copy it again.`,
      );
    },
  );

  it.each(["bz2", "xz"])("keeps its letters: %s", async (ending) => {
    const path = join(cases, `letters.csv.${ending}`);
    const table = await open(path);
    expect(table.by === "columns" && table.columns.map(({ name }) => name)).toEqual(["é", "b", "y"]);
    table.close?.();
  });

  it("by what cannot be read here says so, in a file and on standard input", async () => {
    const sha256 = readFileSync(join(cases, "sha256.csv.xz"));
    const words = /^(.*sha256.csv.xz|standard input) is packed by xz with a SHA-256 checksum or a filter/;
    expect((await problemOf("sha256.csv.xz", sha256)) as Error).toMatchObject({
      message: expect.stringMatching(words),
    });
    await expect(received(Readable.from([sha256]))).rejects.toThrow(words);
  });
});

describe("what unpacks to far more than it is", () => {
  /** A frame of blocks that each say: this byte, 128 KiB of it. */
  const zstdOf = (blocks: number): Buffer => {
    const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]);
    const block = (last: number) =>
      Buffer.from([last | 2 | ((131072 & 31) << 3), (131072 >> 5) & 0xff, 131072 >> 13, 65]);
    return Buffer.concat([head, ...Array.from({ length: blocks - 1 }, () => block(0)), block(1)]);
  };

  it("comes a little at a time", async () => {
    const path = join(scratch, "bomb.zst");
    writeFileSync(path, zstdOf(1000));
    let largest = 0;
    let total = 0;
    for await (const part of fileBytes(path, () => {})) {
      largest = Math.max(largest, part.length);
      total += part.length;
    }
    expect(total).toBe(1000 * 131072);
    expect(largest).toBe(131072);
  });

  it("may not ask for any window it likes", async () => {
    const wide = zstdOf(2);
    wide[5] = 0xf0;
    await expect(unpacked(wide, "zst")).rejects.toThrow(/window/);
  });
});
