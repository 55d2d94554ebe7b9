/**
 * A program in one script, with what V8 made of it when it was built lying beside it: hundreds of small files take
 * longer to find than to run, and what a fit of a small table runs takes as long again to compile. V8 takes what was
 * compiled by its own version under the same flags; anybody else compiles the script anew.
 */

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { constants, Script } from "node:vm";
import { isMainThread, threadId } from "node:worker_threads";

/** Where what was compiled of a script lies. */
const compiledBeside = (path: string): string => `${path}.compiled`;

/** What the script at this path exports. */
export function scriptExports(path: string): unknown {
  return exportsOf(scriptAt(path), path);
}

/** The same as it is built: what is compiled by the end of this process is kept, together with what was before. */
export function keptExports(path: string): unknown {
  const script = scriptAt(path);
  const keep = (): void => {
    const waiting = `${compiledBeside(path)}-${process.pid}-${threadId}`;
    writeFileSync(waiting, script.createCachedData());
    renameSync(waiting, compiledBeside(path));
  };
  // A thread is ended without a word.
  if (isMainThread) process.on("exit", keep);
  else setImmediate(keep);
  return exportsOf(script, path);
}

function scriptAt(path: string): Script {
  // The build writes ASCII, which is read the fastest so.
  const source = readFileSync(path, "latin1");
  return new Script(`(function (exports, require, module, programPlace) {${source}\n})`, {
    filename: path,
    cachedData: compiled(path),
    // Packages are found from where the script lies.
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
}

function compiled(path: string): Buffer | undefined {
  try {
    return readFileSync(compiledBeside(path));
  } catch {
    return undefined;
  }
}

/** What a script takes for its own address is `programPlace`. */
function exportsOf(script: Script, path: string): unknown {
  const module = { exports: {} };
  script.runInThisContext()(module.exports, requiring(path), module, pathToFileURL(path).href);
  return module.exports;
}

/** Modules of Node that few commands need and that take 8 ms together: they come when something of them is asked for. */
const LATE = ["node:child_process", "node:crypto"];

function requiring(path: string): (name: string) => unknown {
  const required = createRequire(path);
  return (name) =>
    LATE.includes(name)
      ? new Proxy({}, { get: (_, key) => Reflect.get(required(name), key) })
      : required(name);
}
