import { existsSync } from "node:fs";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Where the browser is; `CHROMIUM` names another one. Where tests must be complete, its absence is a failure. */
export function chromiumPath(): string | undefined {
  const path = [process.env.CHROMIUM, ...PLACES].find((place) => place && existsSync(place));
  if (!path && process.env.CI)
    throw new Error("Chromium is needed for these tests; install it or set CHROMIUM.");
  if (!path) console.warn("Skipped: there is no Chromium here; set CHROMIUM to its path.");
  return path;
}

export const CHROMIUM_FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
