/** The page in a real browser, driven as a person would. */

import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect, type TestContext } from "vitest";
import { filesOf, type Served, serveStudio } from "../../src/cli/studio/server.js";

const executable = process.env.CHROMIUM ?? "/usr/bin/chromium";
const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
export const crime = join(import.meta.dirname, "../../examples/crime.csv");
export const dist = join(import.meta.dirname, "../../dist/studio");
const files = filesOf(pathToFileURL(`${dist}/`), undefined);

/** Where there is no browser the tests of the page are skipped, and CI fails. */
export function needsBrowser(context: TestContext): void {
  if (existsSync(executable)) return;
  const reason = `no browser at ${executable}; set CHROMIUM to one`;
  if (process.env.CI) throw new Error(reason);
  console.warn(`skipped: ${reason}`);
  context.skip(reason);
}

/** A host that sends no headers of isolation. */
async function plainHost(): Promise<Served> {
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? "/", "http://host").pathname.slice(1);
    const content = files(name === "" ? "index.html" : name);
    const type = name.endsWith(".js") ? "text/javascript" : name.endsWith(".css") ? "text/css" : "text/html";
    response.writeHead(content === undefined ? 404 : 200, { "content-type": type });
    response.end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

export class Studio {
  /** What the pages complained of. */
  readonly complaints: string[] = [];
  private browser: Browser | undefined;
  private kept: Promise<{ readonly page: Page; readonly address: string }> | undefined;
  private readonly hosts = new Map<boolean, Served>();

  /** Isolated as `sparrow studio` serves it, unless told. */
  async page(options: BrowserContextOptions = {}, isolated = true): Promise<Page> {
    this.browser ??= await chromium.launch({ executablePath: executable, args: flags });
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    this.watch(page);
    await page.goto(await this.address(isolated));
    return page;
  }

  private watch(page: Page): void {
    page.setDefaultTimeout(60_000);
    page.on("pageerror", (error) => this.complaints.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") this.complaints.push(message.text());
    });
    page.on("dialog", (dialog) => {
      this.complaints.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
  }

  /** Seven columns of the crime data, fitted once: the page that shows their answer, for all tests of a file. */
  async answered(): Promise<Page> {
    this.kept ??= (async () => {
      const page = await this.page();
      await openFile(page, few);
      await fitted(page, "y");
      return { page, address: page.url() };
    })();
    const { page, address } = await this.kept;
    if (page.url() !== address) await page.goto(address);
    await page.waitForSelector("[data-part=verdict]");
    return page;
  }

  async address(isolated = true): Promise<string> {
    const known = this.hosts.get(isolated);
    const host = known ?? (isolated ? await serveStudio({ file: files, port: 0 }) : await plainHost());
    this.hosts.set(isolated, host);
    return host.address;
  }

  async close(): Promise<void> {
    await this.browser?.close();
    for (const host of this.hosts.values()) await host.close();
    expect(this.complaints).toEqual([]);
  }
}

/** A file as a browser takes it. */
export interface Given {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

export const given = (name: string, content: string | Uint8Array): Given => ({
  name,
  mimeType: "application/octet-stream",
  buffer: Buffer.from(content as Uint8Array),
});

const FEW = ["M", "Ed", "Po1", "Po2", "NW", "Ineq", "Prob", "y"];

/** So many columns of the crime data that a fit of them is a matter of milliseconds. */
export const few: Given = (() => {
  const [head, ...rows] = readFileSync(crime, "utf8")
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(","));
  const kept = (row: readonly string[]) => FEW.map((name) => row[head.indexOf(name)]).join(",");
  return given("crime.csv", [head, ...rows].map(kept).join("\n"));
})();

export async function openFile(page: Page, file: Given | string): Promise<void> {
  await page.setInputFiles(".drop input[type=file]", file);
  await page.waitForSelector("[name=target]");
}

/** The answer of a fit, as the page gives it to scripts. */
export async function fitted(page: Page, target?: string): Promise<Answered> {
  if (target !== undefined) await page.selectOption("[name=target]", target);
  await page.click("[data-action=fit]");
  await page.waitForSelector("[data-part=verdict]");
  return resultOf(page);
}

export interface Answered {
  readonly partial?: true;
  readonly variables: readonly { readonly name: string; readonly pip: number }[];
  readonly family: string;
  readonly rows: number;
}

export function resultOf(page: Page): Promise<Answered> {
  return page.evaluate(() => (globalThis as unknown as { sparrow: { result: Answered } }).sparrow.result);
}
