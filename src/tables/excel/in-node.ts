import { promisify } from "node:util";
import { crc32, inflateRaw } from "node:zlib";
import readWorkbook from "read-excel-file/node";
import type { Sheet, Unpacking } from "./unpacking.js";

const unpack = promisify(inflateRaw);

export const inNode: Unpacking = {
  inflate: (packed, most) => unpack(packed, { maxOutputLength: most }),
  crc32,
  async sheets(zip) {
    const sheets = await readWorkbook(Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength));
    return sheets.map(({ sheet, data }) => ({ name: sheet, rows: data as unknown as Sheet["rows"] }));
  },
};
