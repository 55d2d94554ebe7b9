import readWorkbook from "read-excel-file/universal";
import { storedZip } from "./stored-zip.js";
import type { Sheet, Unpacking } from "./unpacking.js";

export const inPage: Unpacking = {
  async inflate(packed, most) {
    const stream = new Blob([packed as Uint8Array<ArrayBuffer>])
      .stream()
      .pipeThrough(new DecompressionStream("deflate-raw"));
    const out = new Uint8Array(most);
    let length = 0;
    for (const reader = stream.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) return out.subarray(0, length);
      if (length + value.length > most) throw new Error("It unpacks to more than it says");
      out.set(value, length);
      length += value.length;
    }
  },
  crc32,
  /**
   * The package unpacks what is large in workers that it makes of texts, which the policy of a page forbids; so it is
   * given what is unpacked already.
   */
  async sheets(_, entries) {
    const sheets = await readWorkbook(storedZip(entries).buffer);
    return sheets.map(({ sheet, data }) => ({ name: sheet, rows: data as unknown as Sheet["rows"] }));
  },
};

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1;
  return rest;
});

/** The checksum of zip files (ISO 3309). */
export function crc32(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  for (const byte of bytes) rest = TABLE[(rest ^ byte) & 255] ^ (rest >>> 8);
  return ~rest >>> 0;
}
