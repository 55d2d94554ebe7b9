/** Standard input waits in a file until it has all come, because its first rows must be read twice. */

import { createWriteStream, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { SparrowError, temporaryError } from "../errors.js";
import { temporaryFolder } from "../files/temporary.js";
import { needed } from "./needed.js";
import { copyTo } from "./packed/copy.js";
import { firstBytes } from "./source.js";

/** The file that holds what came, unpacked. Whoever asks must remove it. */
export async function received(
  input: Readable,
  /** Hears of the bytes that have come. */
  onReceived?: (bytes: number) => void,
  /** For messages. */
  name = "Standard input",
  signal?: AbortSignal,
): Promise<{ readonly path: string; remove(): void }> {
  const { path: folder, remove } = temporaryFolder();
  try {
    const path = join(folder, "input");
    let bytes = 0;
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        onReceived?.(bytes);
        done(null, chunk);
      },
    });
    await pipeline(input, counted, createWriteStream(path), signal ? { signal } : {}).catch((error) => {
      signal?.throwIfAborted();
      throw temporaryError(tmpdir(), error);
    });
    if (statSync(path).size === 0) throw new SparrowError(`${name} is empty.`, "format");
    await unpack(path, signal);
    return { path, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** What packed files start with. */
const PACKED = { gz: "1f8b", zst: "28b52ffd", bz2: "425a68", xz: "fd377a585a00" } as const;

/** There is no name whose ending would tell that it is packed. */
async function unpack(path: string, signal: AbortSignal | undefined): Promise<void> {
  const start = firstBytes(path, 6).toString("hex");
  const ending = Object.entries(PACKED).find(([, magic]) => start.startsWith(magic))?.[0];
  if (ending === undefined) return;
  const packed = `${path}.${ending}`;
  renameSync(path, packed);
  const { fileBytes } = await needed(() => import("./packed/decompress.js"));
  const name = "standard input";
  await copyTo(
    path,
    fileBytes(packed, () => {}, name),
    { name, signal },
  );
  rmSync(packed);
}
