import type { DataFile } from "../tables/packed/data-file.js";
import { decodedText, type Encoding } from "../tables/packed/encoding.js";

/** A file that is not UTF-8, as one that is: its letters are written anew whenever it is read. */
export function utf8File(file: DataFile, encoding: Encoding): DataFile {
  const encoder = new TextEncoder();
  return {
    ...file,
    async *bytes(onRead) {
      const text = decodedText({ ...file, bytes: () => file.bytes(onRead) }, encoding);
      for await (const piece of text) yield encoder.encode(piece);
    },
  };
}
