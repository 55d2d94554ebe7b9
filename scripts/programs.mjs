// The command and the program of its threads are hundreds of small files, which take longer to find than to run: each
// becomes a script, with what V8 makes of it beside it (src/files/script.ts), and a few lines that load it.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";

const command = { entry: "dist/cli/start.js", script: "dist/cli/start.cjs" };
const thread = { entry: "dist/worker.js", script: "dist/worker.script.cjs" };
const MAIN = "dist/cli/main.js";
const AHEAD = "dist/store/open/read-ahead-worker.js";
/** All that is started by its path. */
export const PROGRAMS = [MAIN, "dist/worker.cjs", AHEAD];
/** The command while what it compiles is kept. */
const KEEPING = "dist/cli/keeping.cjs";

/** Node starts CommonJS sooner than modules. `place` is what a module would find in `import.meta.url`. */
function bundle(options, place) {
  buildSync({
    bundle: true,
    platform: "node",
    format: "cjs",
    packages: "external",
    define: { "import.meta.url": place },
    minifyWhitespace: true,
    minifySyntax: true,
    allowOverwrite: true,
    logLevel: "warning",
    ...options,
  });
}

/** The lines that load the scripts, by one of the two functions of src/files/script.ts. */
function loadBy(load, main) {
  const here = { js: 'const herePlace = require("node:url").pathToFileURL(__filename).href;' };
  const loading = (name, files) => `import { fileURLToPath } from "node:url";
    import { ${load} } from "${files}/script.js";
    export const { start } = ${load}(fileURLToPath(new URL("${name}", import.meta.url)));`;
  writeFileSync(command.entry, loading("start.cjs", "../files"));
  bundle({ entryPoints: [MAIN], outfile: main, banner: here }, "herePlace");
  const stdin = { contents: loading("worker.script.cjs", "./files"), resolveDir: "dist" };
  bundle({ stdin, outfile: "dist/worker.cjs", banner: here }, "herePlace");
}

/** What newcomers begin with, so that it is compiled; the last one begins threads. */
function run(folder) {
  const crime = "examples/crime.csv";
  const runs = [
    ["fit", crime, "--target", "y", "--seed", "1"],
    ["fit", crime, "--target", "So", "--seed", "1"],
    ["describe", crime],
    ["clusters", "examples/faithful.csv", "--components", "2", "--seed", "1"],
    ["simulate", "linear", "--rows", "20000", "--columns", "20", "--out", join(folder, "data.csv")],
  ];
  for (const words of runs)
    execFileSync(process.execPath, [KEEPING, ...words], { stdio: ["ignore", "ignore", "pipe"] });
}

/** A script, which is no module: what it imports its loader imports for it, and it is read as ASCII. */
function bundleScript({ entry, script }, options) {
  bundle({ entryPoints: [entry], outfile: script, ...options }, "programPlace");
  const source = escaped(readFileSync(script, "utf8"));
  writeFileSync(script, source.replaceAll(/\bimport\((?=")/g, "programImport("));
}

/** What esbuild leaves in regular expressions and tagged templates, as it escapes what is in strings. */
const escaped = (source) =>
  source.replaceAll(
    /\\?([^\0-\x7f])/g,
    (_, unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

export function buildPrograms() {
  bundleScript(command);
  // Errors of a thread are told by their messages alone: nobody sees its names.
  bundleScript(thread, { minifyIdentifiers: true });
  bundle({ entryPoints: [AHEAD], outfile: AHEAD, format: "esm" }, "import.meta.url");
  const folder = mkdtempSync(join(tmpdir(), "sparrow-build-"));
  try {
    loadBy("keptExports", KEEPING);
    run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
  loadBy("scriptExports", MAIN);
  rmSync(thread.entry);
  // Nobody imports the command's own files any more; those that are left Node is to take for CommonJS.
  for (const name of readdirSync("dist/cli")) {
    if (!/^(main\.js|start\.cjs.*)$/.test(name)) rmSync(join("dist/cli", name), { recursive: true });
  }
  writeFileSync("dist/cli/package.json", '{ "type": "commonjs" }\n');
}
