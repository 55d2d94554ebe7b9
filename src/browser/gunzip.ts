/**
 * Gzip by the browser's own unpacker, which checks length and checksum. A file may hold several members, one after the
 * other (bgzip, `cat a.gz b.gz`), while a browser takes one and fails at what comes behind it. So the bytes are handed
 * over in parts that begin where a member may begin: where a part fails, another unpacker begins with it, once all that
 * came before has been unpacked. Whether the members were whole, their checksums tell.
 */

/** Bytes that are unpacked at once, about: gzip packs up to a thousand times, and all of a piece comes together. */
const AT_ONCE = 1 << 26;
/** Bytes of a piece at most, so that one that packs far better than those before it does no harm. */
const [FIRST, MOST, LEAST] = [1 << 16, 1 << 20, 1 << 12];

export async function* unpackedGzip(raw: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let unpacker = gunzip();
  let isFresh = true;
  let size = FIRST;
  for await (const part of cut(parts(raw), () => size)) {
    const { out, error } = await unpacker.push(part);
    const unpacked = out.reduce((sum, { length }) => sum + length, 0);
    size = Math.min(MOST, Math.max(LEAST, Math.floor((AT_ONCE * part.length) / Math.max(1, unpacked))));
    yield* out;
    if (error === undefined) {
      isFresh = false;
      continue;
    }
    if (isFresh || !isMember(part, 0)) throw error;
    unpacker = gunzip();
    const again = await unpacker.push(part);
    yield* again.out;
    if (again.error !== undefined) throw again.error;
  }
  const { out, error } = await unpacker.end();
  yield* out;
  if (error !== undefined) throw error;
}

/** What a member begins with: two bytes of magic, and the only method that there is. */
const MAGIC = [0x1f, 0x8b, 8];
const isMember = (bytes: Uint8Array, at: number): boolean => MAGIC.every((byte, i) => bytes[at + i] === byte);

/** The bytes, cut where a member may begin; the last two of a piece wait for what follows them. */
async function* parts(raw: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting = new Uint8Array(0);
  for await (const piece of raw) {
    const bytes = new Uint8Array(waiting.length + piece.length);
    bytes.set(waiting);
    bytes.set(piece, waiting.length);
    const end = Math.max(0, bytes.length - MAGIC.length + 1);
    let from = 0;
    for (let at = bytes.indexOf(MAGIC[0], 1); at >= 0 && at < end; at = bytes.indexOf(MAGIC[0], at + 1)) {
      if (!isMember(bytes, at)) continue;
      yield bytes.subarray(from, at);
      from = at;
    }
    if (from < end) yield bytes.subarray(from, end);
    waiting = bytes.slice(end);
  }
  if (waiting.length > 0) yield waiting;
}

/** Parts in pieces; the first of a part begins where it does. */
async function* cut(all: AsyncIterable<Uint8Array>, size: () => number): AsyncGenerator<Uint8Array> {
  for await (const part of all) {
    for (let at = 0; at < part.length; ) {
      const end = at + size();
      yield part.subarray(at, end);
      at = end;
    }
  }
}

interface Unpacked {
  readonly out: readonly Uint8Array[];
  readonly error?: unknown;
}

/** Takes a part and gives all that it unpacks to: a stream that failed would forget what nobody had read yet. */
function gunzip() {
  const { readable, writable } = new DecompressionStream("gzip");
  const [reader, writer] = [readable.getReader(), writable.getWriter()];
  // Both ends tell of a failure; the one that is asked first is enough.
  reader.closed.catch(() => {});
  writer.closed.catch(() => {});
  let next = ask();
  function ask() {
    const read = reader.read();
    read.catch(() => {});
    return read;
  }
  async function during(work: Promise<void>): Promise<Unpacked> {
    const out: Uint8Array[] = [];
    const done = work.then(
      () => DONE,
      (error: unknown) => ({ error }),
    );
    try {
      for (;;) {
        const first = await Promise.race([next, done]);
        if ("error" in first) return { out, error: first.error };
        if (!("value" in first)) break;
        if (first.done) return { out };
        out.push(first.value as Uint8Array);
        next = ask();
      }
      for (;;) {
        const more = await Promise.race([next, soon()]);
        if (!("value" in more) || more.done) return { out };
        out.push(more.value as Uint8Array);
        next = ask();
      }
    } catch (error) {
      return { out, error };
    }
  }
  return {
    push: (part: Uint8Array) => during(writer.write(part as Uint8Array<ArrayBuffer>)),
    end: () => during(writer.close()),
  };
}

const DONE = { isDone: true } as const;

/** After all that is ready. */
const soon = (): Promise<typeof DONE> => new Promise((resolve) => setTimeout(() => resolve(DONE), 0));
