/**
 * Serves the page on loopback, behind a path that nobody can guess. Other pages of the same browser, which can reach
 * loopback as well, neither know that path nor pass as this page: hosts and origins are checked.
 */

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname } from "node:path";

/** Answers one question of the page, by the last part of its path. */
export type Answering = (what: string, body: unknown, response: ServerResponse) => Promise<void>;

export interface Served {
  readonly address: string;
  close(): Promise<void>;
}

export interface Serving {
  /** The files of the page, with their content. */
  file(name: string): Uint8Array | string | undefined;
  /** Absent where there is nothing behind the page. */
  readonly answering?: Answering;
  /** 0 for one that is free. */
  readonly port: number;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};

/** What the page may load and ask: itself. */
export const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; worker-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS = {
  "content-security-policy": POLICY,
  // Threads share memory only in a page that is isolated from all others.
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
} as const;

/** Questions are settings: nobody needs more than this. */
const MOST_BYTES = 4_000_000;

export async function serveStudio({ file, answering, port }: Serving): Promise<Served> {
  const token = randomBytes(18).toString("base64url");
  const server = createServer((request, response) => {
    void handle(request, response).catch(() => refuse(response, 500));
  });
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const hosts = hostsOf(server);
    if (!hosts.includes(request.headers.host ?? "")) return refuse(response, 403);
    const { pathname } = new URL(request.url ?? "/", "http://loopback");
    if (!pathname.startsWith(`/${token}/`)) return refuse(response, 404);
    const name = pathname.slice(token.length + 2);
    const question = /^api\/([a-z]+)$/.exec(name)?.[1];
    if (question === undefined)
      return sendFile(request, response, {
        name,
        content: file(name || "index.html"),
        asks: answering !== undefined,
      });
    if (!answering || request.method !== "POST" || !isOwn(request, hosts)) return refuse(response, 403);
    const body = await bodyOf(request);
    return body === undefined ? refuse(response, 400) : answering(question, body, response);
  };
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    address: `http://${hostsOf(server)[0]}/${token}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function hostsOf(server: Server): readonly string[] {
  const { port } = server.address() as AddressInfo;
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}

/** Whether it was this page that asked, as the browser says. */
function isOwn({ headers }: IncomingMessage, hosts: readonly string[]): boolean {
  const site = headers["sec-fetch-site"];
  return (
    hosts.some((host) => headers.origin === `http://${host}`) &&
    (site === undefined || site === "same-origin") &&
    headers["content-type"] === "application/json"
  );
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MOST_BYTES) return undefined;
    pieces.push(piece);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString());
  } catch {
    return undefined;
  }
}

function sendFile(
  { method }: IncomingMessage,
  response: ServerResponse,
  { name, content, asks }: { name: string; content: Uint8Array | string | undefined; asks: boolean },
): void {
  if (content === undefined || (method !== "GET" && method !== "HEAD")) {
    refuse(response, 404);
    return;
  }
  const type = TYPES[name === "" ? ".html" : extname(name)] ?? "application/octet-stream";
  // Workers are held to the policy of their own file: where nobody answers, nobody is asked.
  const policy = asks ? POLICY : POLICY.replace("connect-src 'self'", "connect-src 'none'");
  response.writeHead(200, { ...HEADERS, "content-security-policy": policy, "content-type": type });
  response.end(method === "HEAD" ? undefined : content);
}

function refuse(response: ServerResponse, status: number): void {
  if (!response.headersSent) response.writeHead(status, HEADERS);
  response.end();
}

/** Lines of JSON, one after another, as they come. */
export function jsonLines(response: ServerResponse): (message: unknown) => void {
  response.writeHead(200, { ...HEADERS, "content-type": "application/x-ndjson" });
  return (message) => void response.write(`${JSON.stringify(message, plainNumbers)}\n`);
}

/** Numbers in bulk go as they lie in memory. */
function plainNumbers(_: string, value: unknown): unknown {
  if (!(value instanceof Float64Array)) return value;
  return { float64: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64") };
}

/** The files of a folder and nothing beside them; the page learns that something is behind it. */
export function filesOf(folder: URL, machine: object | undefined): Serving["file"] {
  return (name) => {
    if (!/^(parts\/)?[\w.-]+$/.test(name) || name.includes("..")) return undefined;
    try {
      const content = readFileSync(new URL(name, folder));
      return name === "index.html" ? pageOf(content.toString(), machine) : content;
    } catch {
      return undefined;
    }
  };
}

function pageOf(page: string, machine: object | undefined): string {
  if (machine === undefined) return page;
  const said = JSON.stringify(machine).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return page
    .replace("connect-src 'none'", "connect-src 'self'")
    .replace("<title>", `<meta name="sparrow-machine" content="${said}">\n<title>`);
}
