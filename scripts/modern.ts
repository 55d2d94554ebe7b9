/**
 * A ClickHouse of today behind HTTP on this machine's own address, where `chdb` is installed: the engine in this process.
 * It is half a gigabyte, so nobody depends on it: `npm install chdb` somewhere else, and name its node_modules in
 * NODE_PATH. It answers queries that read; there are no users and no cluster.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Session {
  queryAsync(
    sql: string,
    options: { readonly format: string },
  ): Promise<{ bytes(): Uint8Array; readonly rowsRead: number; readonly bytesRead: number }>;
  cleanup(): void;
}

export interface Modern {
  readonly port: number;
  readonly version: string;
  run(sql: string): Promise<string>;
  stop(): Promise<void>;
}

function chdb(): { readonly Session: new (folder: string) => Session } {
  return createRequire(import.meta.url)("chdb");
}

/** Why there can be none here; undefined where there can. */
export function whyNoModern(): string | undefined {
  try {
    createRequire(import.meta.url).resolve("chdb");
    return undefined;
  } catch {
    return "chdb is not installed";
  }
}

export async function startModern(): Promise<Modern> {
  const folder = mkdtempSync(join(tmpdir(), "sparrow-modern-"));
  const session = new (chdb().Session)(folder);
  // One at a time: it is one session.
  let before: Promise<unknown> = Promise.resolve();
  const answer = (sql: string) => {
    const own = before.then(() => session.queryAsync(sql, { format: "TabSeparated" }));
    before = own.catch(() => {});
    return own;
  };
  const server = createServer(async (request, response) => {
    const sql = await bodyOf(request);
    try {
      const result = await answer(sql);
      const summary = { read_rows: String(result.rowsRead), read_bytes: String(result.bytesRead) };
      response.setHeader("X-ClickHouse-Summary", JSON.stringify(summary));
      response.end(result.bytes());
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      response.writeHead(500, { "X-ClickHouse-Exception-Code": /Code: (\d+)/.exec(text)?.[1] ?? "1000" });
      response.end(text);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const run = async (sql: string) => Buffer.from((await answer(sql)).bytes()).toString("utf8");
  return {
    port: (server.address() as AddressInfo).port,
    version: (await run("SELECT version()")).trim(),
    run,
    async stop() {
      await new Promise((resolve) => server.close(resolve));
      session.cleanup();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString("utf8");
}
