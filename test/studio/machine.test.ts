import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { few, fitted, needsBrowser, resultOf, Studio } from "./page.js";

const studio = new Studio();
const folder = mkdtempSync(join(tmpdir(), "sparrow-machine-"));
const data = join(folder, few.name);
writeFileSync(data, few.buffer);
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await studio.close();
});

const program = join(import.meta.dirname, "../../dist/cli/main.js");

interface Started {
  readonly address: string;
  /** Ctrl-C; how it ended. */
  end(): Promise<number | null>;
}

/** `sparrow studio` as its user starts it. */
async function start(...words: string[]): Promise<Started> {
  const child = spawn(process.execPath, [program, "studio", ...words, "--no-open"]);
  const address = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stderr.on("data", (piece) => {
      said += String(piece);
      const found = /http:\/\/127\.0\.0\.1:\d+\/[\w-]+\//.exec(said);
      if (found) resolve(found[0]);
    });
    child.on("exit", () => reject(new Error(`it ended: ${said}`)));
  });
  return {
    address,
    end: () =>
      new Promise((resolve) => {
        child.on("exit", (status) => resolve(status));
        child.kill("SIGINT");
      }),
  };
}

test("data that were named are read by the command, with the same answer as in the tab", async (context) => {
  needsBrowser(context);
  const started = await start(data);
  const [page, tab] = [await studio.page(), await studio.answered()];
  await page.goto(started.address);
  await page.waitForSelector("[name=target]");
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  const { variables } = await fitted(page, "y");
  const others = (await resultOf(tab)).variables;
  expect(variables.map(({ name }) => name)).toEqual(others.map(({ name }) => name));
  for (const [i, { pip }] of variables.entries()) expect(Math.abs(pip - others[i].pip)).toBeLessThan(1e-12);
  // Draws and reports are made of what came.
  await page.waitForSelector("[data-part=effects]");
  await page.context().close();
  expect(await started.end()).toBe(0);
});

test("nobody but the page is answered, and of nothing but what was named", async () => {
  const { address, end } = await start(data);
  const { origin, host } = new URL(address);
  const ask = (to: string, headers: Record<string, string>, body: object) =>
    fetch(to, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const open = { id: "1", kind: "open", asks: { reading: {} } };
  expect((await fetch(address)).headers.get("content-security-policy")).toContain("default-src 'none'");
  expect((await fetch(address)).headers.get("cross-origin-embedder-policy")).toBe("require-corp");
  // Without the path that nobody can guess, and beside the files of the page.
  expect((await fetch(`${origin}/`)).status).toBe(404);
  expect((await fetch(`${origin}/index.html`)).status).toBe(404);
  expect((await fetch(`${address}../../package.json`)).status).toBe(404);
  expect((await fetch(`${address}parts/..%2f..%2fpackage.json`)).status).toBe(404);
  expect((await ask(`${origin}/api/ask`, { origin }, open)).status).toBe(404);
  // Another page that found it out all the same.
  expect((await ask(`${address}api/ask`, { origin: "http://evil.example" }, open)).status).toBe(403);
  expect((await ask(`${address}api/ask`, {}, open)).status).toBe(403);
  expect((await ask(`${address}api/ask`, { origin, "content-type": "text/plain" }, open)).status).toBe(403);
  expect((await fetch(`${address}api/ask`)).status).toBe(403);
  // Its own page, which asks for something else.
  const other = { id: "2", kind: "open", asks: { reading: {}, data: "/etc/passwd", source: "/etc/passwd" } };
  const told = await (await ask(`${address}api/ask`, { origin }, other)).text();
  expect(JSON.parse(told.trim().split("\n").at(-1) ?? "").answer.name).toMatch(/crime\.csv$/);
  expect(host).toMatch(/^127\.0\.0\.1:/);
  expect(await end()).toBe(0);
});

test("a page of another name that leads here is refused", async () => {
  const { address, end } = await start();
  const { port, pathname } = new URL(address);
  const { request } = await import("node:http");
  const status = await new Promise((resolve) => {
    request(
      { host: "127.0.0.1", port, path: pathname, headers: { host: `evil.example:${port}` } },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    ).end();
  });
  expect(status).toBe(403);
  // Without data there is nobody to ask, and the policy of every file, the worker's too, says so.
  const worker = await fetch(`${address}worker.js`);
  expect(worker.headers.get("content-security-policy")).toContain("connect-src 'none'");
  expect(await end()).toBe(0);
});
