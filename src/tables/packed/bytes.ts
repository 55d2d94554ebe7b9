import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { needed } from "../needed.js";
import { damaged } from "../read-errors.js";
import { bounded } from "./bounded.js";
import { isAboutBytes, packingOf } from "./data-file.js";

/** The bytes of a file, unpacked according to the ending of its name; where they are damaged, that is said of the file. */
export async function* bytesOf(
  path: string,
  onRead: (bytes: number) => void = () => {},
): AsyncIterable<Buffer> {
  try {
    yield* unpackedBytes(path, onRead);
  } catch (error) {
    throw isAboutBytes(error) ? damaged(path) : error;
  }
}

/** Only rare formats need a package. */
async function* unpackedBytes(path: string, onRead: (bytes: number) => void): AsyncIterable<Buffer> {
  const packing = packingOf(path);
  if (packing !== undefined && packing !== "gz") {
    const { fileBytes } = await needed(() => import("./decompress.js"));
    yield* fileBytes(path, onRead);
    return;
  }
  const raw = createReadStream(path, { highWaterMark: 1 << 20 });
  let packed = 0;
  raw.on("data", (chunk) => {
    packed += chunk.length;
    onRead(chunk.length);
  });
  if (packing === undefined) {
    yield* raw;
    return;
  }
  const unpack = createGunzip({ chunkSize: 1 << 18 });
  raw.on("error", (error) => unpack.destroy(error));
  yield* bounded<Buffer>(raw.pipe(unpack), () => packed, path);
}
