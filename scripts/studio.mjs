// Builds the page: static files that any host can serve, in dist/studio.
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";

/** `library` is where the package's public entries are. */
export function buildStudio(root, library = join(root, "src"), out = join(root, "dist/studio")) {
  const from = join(root, "studio/src");
  mkdirSync(out, { recursive: true });
  const { metafile } = buildSync({
    entryPoints: {
      main: join(from, "main.tsx"),
      worker: join(from, "engine/worker.ts"),
      thread: join(library, "browser-worker.ts"),
    },
    outdir: out,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    loader: { ".csv": "text" },
    // The page imports the public entry and nothing else; where it is is for the build to know.
    alias: { "sparrow-bayes/browser": join(library, "browser.ts") },
    minify: true,
    legalComments: "none",
    chunkNames: "parts/[name]-[hash]",
    metafile: true,
    logLevel: "warning",
  });
  cpSync(join(root, "studio/index.html"), join(out, "index.html"));
  return metafile;
}
