/**
 * A program in one script, with what V8 made of it when it was built lying beside it: hundreds of small files take
 * longer to find than to run, and what a fit of a small table runs takes as long again to compile. Under other flags V8
 * refuses it and compiles the script anew, and so does any other Node, which never looks at it.
 */

import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Script } from "node:vm";
import { isMainThread, threadId } from "node:worker_threads";
import { crc32 } from "node:zlib";

/**
 * Where that lies which this very Node compiled of a script. V8 knows its own version and no more: Node 20.15 takes what
 * 20.20 compiled, and breaks down.
 */
export function compiledBeside(path: string): string {
  const { size, mtimeMs } = statSync(process.execPath);
  return `${path}.${process.version}-${process.arch}-${size}-${Math.floor(mtimeMs)}.compiled`;
}

/** What the script at this path exports. */
export function scriptExports(path: string): unknown {
  return exportsOf(scriptAt(path), path);
}

/** The same as it is built: what is compiled by the end of this process is kept, together with what was before. */
export function keptExports(path: string): unknown {
  const script = scriptAt(path);
  const keep = (): void => {
    const kept = compiledBeside(path);
    const waiting = `${kept}-${process.pid}-${threadId}`;
    const data = script.createCachedData();
    writeFileSync(waiting, Buffer.concat([data, sumOf(readFileSync(path), data)]));
    renameSync(waiting, kept);
  };
  // A thread is ended without a word.
  if (isMainThread) process.on("exit", keep);
  else setImmediate(keep);
  return exportsOf(script, path);
}

function scriptAt(path: string): Script {
  const source = readFileSync(path);
  // The build writes ASCII, which is read the fastest so.
  const text = source.toString("latin1");
  const wrapped = `(function (exports, require, module, programPlace, programImport) {${text}\n})`;
  return new Script(wrapped, { filename: path, cachedData: compiled(path, source) });
}

/** V8 runs whatever it is given: what does not belong to this source, or is not whole, must not come so far. */
function compiled(path: string, source: Buffer): Buffer | undefined {
  try {
    const kept = readFileSync(compiledBeside(path));
    const data = kept.subarray(0, -SUM);
    return sumOf(source, data).equals(kept.subarray(-SUM)) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Bytes of a checksum. */
const SUM = 4;

function sumOf(source: Buffer, data: Buffer): Buffer {
  const sum = Buffer.alloc(SUM);
  sum.writeUInt32LE(crc32(data, crc32(source)));
  return sum;
}

/** What a script takes for its own address is `programPlace`, and `programImport` is its `import()`. */
function exportsOf(script: Script, path: string): unknown {
  const module = { exports: {} };
  const imported = new Map<string, unknown>();
  const importing = async (name: string): Promise<unknown> => {
    const found: unknown = await import(name);
    imported.set(name, found);
    return found;
  };
  const require = requiring(path, imported);
  const { href } = pathToFileURL(path);
  script.runInThisContext()(module.exports, require, module, href, importing);
  return module.exports;
}

/** Modules of Node that few commands need and that take 8 ms together: they come when something of them is asked for. */
const LATE = ["node:child_process", "node:crypto"];

/** Packages that are modules cannot be required everywhere: whoever wants one has imported it before. */
function requiring(path: string, imported: ReadonlyMap<string, unknown>): (name: string) => unknown {
  const required = createRequire(path);
  return (name) => {
    if (LATE.includes(name)) return new Proxy({}, { get: (_, key) => Reflect.get(required(name), key) });
    return imported.get(name) ?? required(name);
  };
}
