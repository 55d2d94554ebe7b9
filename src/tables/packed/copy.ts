import { createWriteStream } from "node:fs";
import { tmpdir } from "node:os";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { temporaryError } from "../../errors.js";
import { damaged } from "../read-errors.js";
import { isAboutBytes } from "./data-file.js";

/** Writes bytes or text to a temporary file, until a signal stops it; `name` is whose bytes may turn out damaged. */
export async function copyTo(
  path: string,
  source: AsyncIterable<Uint8Array | string>,
  { name, signal }: { readonly name: string; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  try {
    await pipeline(Readable.from(source), createWriteStream(path), signal ? { signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    throw isAboutBytes(error) ? damaged(name) : temporaryError(tmpdir(), error);
  }
}
