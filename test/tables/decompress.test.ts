import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { fileBytes } from "../../src/tables/packed/decompress.js";

// small.svm and what gzip, bzip2, xz and zstd made of it.
const folder = join(import.meta.dirname, "../cases/packed");
const plain = readFileSync(join(folder, "small.svm"));
const scratch = mkdtempSync(join(tmpdir(), "sparrow-packed-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function unpacked(path: string): Promise<{ bytes: Buffer; read: number }> {
  let read = 0;
  const parts: Buffer[] = [];
  const stream = fileBytes(path, (bytes) => {
    read += bytes;
  });
  for await (const part of stream) parts.push(Buffer.from(part));
  return { bytes: Buffer.concat(parts), read };
}

describe.each(["gz", "bz2", "xz", "zst"])("a file packed as .%s", (ending) => {
  const path = join(folder, `small.svm.${ending}`);

  it("gives back its bytes, and tells how many were read", async () => {
    const { bytes, read } = await unpacked(path);
    expect(bytes.equals(plain)).toBe(true);
    expect(read).toBe(readFileSync(path).length);
  });

  it.each([1, 4, 5, 9, 30, 2000])(
    "is an error when it lacks its end (%d bytes), not less data",
    async (bytes) => {
      const whole = readFileSync(path);
      const cut = join(scratch, `cut.svm.${ending}`);
      writeFileSync(cut, whole.subarray(0, Math.max(20, whole.length - bytes)));
      await expect(unpacked(cut)).rejects.toThrow();
    },
  );
});
