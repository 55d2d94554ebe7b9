/** The library as a page loads it, served on loopback with the headers that let threads share memory, or without. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";
import { type Browser, chromium } from "playwright-core";

export const browserPath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const launched = (): Promise<Browser> => chromium.launch({ executablePath: browserPath, args: flags });

const source = (name: string) => join(import.meta.dirname, "../../src", name);

/** The scripts of the page, by name: readers are loaded when a file needs them. */
export async function scripts(...more: readonly string[]): Promise<Map<string, Uint8Array>> {
  const { outputFiles } = await build({
    entryPoints: ["browser.ts", "browser-worker.ts", ...more].map(source),
    bundle: true,
    splitting: true,
    write: false,
    outdir: "/",
    format: "esm",
    platform: "browser",
    target: "es2022",
    minify: true,
    logLevel: "silent",
  });
  return new Map(outputFiles.map(({ path, contents }) => [path, contents]));
}

/** The library is `sparrow` there. */
const PAGE = `<!doctype html><title>page</title><script type="module">
import * as sparrow from "/browser.js";
globalThis.sparrow = sparrow;
</script>`;

const ISOLATED = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};

export interface Served {
  readonly address: string;
  close(): void;
}

export async function served(files: ReadonlyMap<string, Uint8Array>, isIsolated: boolean): Promise<Served> {
  const server = createServer(({ url = "/" }, response) => {
    const headers = isIsolated ? ISOLATED : {};
    const file = files.get(url);
    const type = url.endsWith(".js")
      ? "text/javascript"
      : url === "/"
        ? "text/html"
        : "application/octet-stream";
    if (!file && url !== "/") response.writeHead(404, headers).end();
    else response.writeHead(200, { ...headers, "content-type": type }).end(file ?? PAGE);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => server.close(),
  };
}
