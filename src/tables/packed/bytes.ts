import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { needed } from "../needed.js";

/** The bytes of a file, unpacked according to the ending of its name; only rare formats need a package. */
export async function* bytesOf(
  path: string,
  onRead: (bytes: number) => void = () => {},
): AsyncIterable<Buffer> {
  const ending = /\.(gz|zst|bz2|xz)$/i.exec(path)?.[1].toLowerCase();
  if (ending !== undefined && ending !== "gz") {
    const { fileBytes } = await needed(() => import("./decompress.js"));
    yield* fileBytes(path, onRead);
    return;
  }
  const raw = createReadStream(path, { highWaterMark: 1 << 20 });
  raw.on("data", (chunk) => onRead(chunk.length));
  if (ending === undefined) {
    yield* raw;
    return;
  }
  const unpack = createGunzip({ chunkSize: 1 << 18 });
  raw.on("error", (error) => unpack.destroy(error));
  yield* raw.pipe(unpack);
}
