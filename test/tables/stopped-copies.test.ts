import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test, vi } from "vitest";
import { describe as describeData, fit } from "../../src/node.js";
import { copyTo } from "../../src/tables/packed/copy.js";
import { received } from "../../src/tables/standard-input.js";

const scratch = mkdtempSync(join(tmpdir(), "stopped-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** As a bomb would: the event loop has a turn after every piece. */
async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) {
    yield new Uint8Array(1 << 16);
    await new Promise(setImmediate);
  }
}

test("a copy that never ends can be stopped", async () => {
  const path = join(scratch, "copy");
  const stop = new AbortController();
  const copying = copyTo(path, endless(), { name: "data.csv.bz2", signal: stop.signal });
  const ended = expect(copying).rejects.toBe("enough");
  await vi.waitFor(() => expect(statSync(path).size).toBeGreaterThan(1 << 18));
  stop.abort("enough");
  await ended;
});

test("standard input that never ends can be stopped, and leaves nothing behind", async () => {
  const folder = join(scratch, "temporary");
  vi.stubEnv("TMPDIR", mkdtempSync(`${folder}-`));
  try {
    const stop = new AbortController();
    const receiving = received(Readable.from(endless()), () => stop.abort("enough"), undefined, stop.signal);
    await expect(receiving).rejects.toBe("enough");
    expect(readdirSync(tmpdir()).filter((name) => !name.includes("lock"))).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
  }
});

test("a run that is stopped while packed data are copied says so", async () => {
  const path = join(scratch, "table.arrow.gz");
  writeFileSync(path, gzipSync("not that anybody will read it"));
  const stop = new AbortController();
  stop.abort();
  const stopped = { code: "stopped", message: "Stopped before there was a result." };
  await expect(fit(path, { target: "y", signal: stop.signal })).rejects.toMatchObject(stopped);
  await expect(describeData(path, { signal: stop.signal })).rejects.toMatchObject(stopped);
});
