import { readThrough, streamOf } from "./streams.js";

/** Gzip by the browser's own unpacker, which checks length and checksum. */
export async function* unpackedGzip(raw: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* readThrough(streamOf(raw).pipeThrough(new DecompressionStream("gzip")));
}
