import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Where the program of a thread is, named by its path in dist/. The asking module may be a file of dist/, the script of
 * the command, or, under the tests, its own source: so all folders above it are looked through.
 */
export function threadProgram(path: string, asking: string): URL {
  for (let folder = new URL(".", asking); ; folder = new URL("..", folder)) {
    const found = [path, `dist/${path}`]
      .map((there) => new URL(there, folder))
      .find((there) => existsSync(fileURLToPath(there)));
    if (found) return found;
    if (folder.pathname === "/") throw new Error(`${path} is missing: run npm run build`);
  }
}
