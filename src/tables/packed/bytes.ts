import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { needed } from "../needed.js";
import { bounded } from "./bounded.js";
import { packingOf } from "./data-file.js";

/** The bytes of a file, unpacked according to the ending of its name; only rare formats need a package. */
export async function* bytesOf(
  path: string,
  onRead: (bytes: number) => void = () => {},
): AsyncIterable<Buffer> {
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
  yield* bounded<Buffer>(raw.pipe(unpack), () => packed);
}
