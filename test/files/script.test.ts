import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BYTECODE_BUDGET } from "../../src/cli/world/compiling.js";
import { compiledBeside } from "../../src/files/script.js";

const dist = join(import.meta.dirname, "../../dist");
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "script-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What a process prints that loads a script by `load`, under these flags of Node. */
function loaded(load: "scriptExports" | "keptExports", script: string, ...flags: string[]): unknown {
  const code = `import { ${load} } from ${JSON.stringify(join(import.meta.dirname, "../../src/files/script.ts"))};
    const { tell } = ${load}(${JSON.stringify(script)});
    console.log(JSON.stringify(await tell()));`;
  const tsx = ["--import", import.meta.resolve("tsx"), "--input-type=module", "--eval", code];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, ...tsx], { encoding: "utf8" });
  expect([stderr, status]).toEqual(["", 0]);
  return JSON.parse(stdout);
}

describe("a program in one script", () => {
  it("is what it is without it where what was compiled is missing, broken or made under other flags", () => {
    const script = join(folder, "program.cjs");
    const beside = compiledBeside(script);
    writeFileSync(
      script,
      `const { createHash } = require("node:crypto");
       const { sep } = require("node:path");
       exports.tell = async () => [
         createHash("sha256").update("a").digest("hex").slice(0, 4), sep, programPlace,
         (await programImport("hyparquet")).parquetRead.length > 0, require("hyparquet").parquetRead.length > 0,
       ];`,
    );
    const told = ["ca97", "/", pathToFileURL(script).href, true, true];
    expect(loaded("scriptExports", script)).toEqual(told);
    expect(loaded("keptExports", script)).toEqual(told);
    const compiled = readFileSync(beside);
    expect(compiled.length).toBeGreaterThan(500);
    expect(loaded("scriptExports", script)).toEqual(told);
    expect(loaded("scriptExports", script, "--no-opt")).toEqual(told);
    const changed = Buffer.from(compiled);
    changed[changed.length >> 1] ^= 1;
    const half = compiled.subarray(0, compiled.length / 2);
    for (const broken of [changed, half, Buffer.alloc(64), Buffer.alloc(0)]) {
      writeFileSync(beside, broken);
      expect(loaded("scriptExports", script)).toEqual(told);
    }
  });

  it("is ASCII, which it is read as, wherever templates and regular expressions have other letters", () => {
    for (const script of ["cli/start.cjs", "worker.script.cjs"]) {
      const others = readFileSync(join(dist, script)).filter((byte) => byte > 127);
      expect([script, others.length]).toEqual([script, 0]);
    }
  });

  it("is kept for this version of Node by the build, for the command and for its threads", () => {
    const counts = Number.parseInt(process.versions.node, 10) < 22;
    const flags = counts ? [`--interrupt-budget=${BYTECODE_BUDGET}`] : [];
    for (const script of ["cli/start.cjs", "worker.script.cjs"]) {
      const path = join(dist, script);
      const code = `const { Script } = require("node:vm");
        const { readFileSync } = require("node:fs");
        const source = readFileSync(${JSON.stringify(path)}, "latin1");
        const cachedData = readFileSync(${JSON.stringify(compiledBeside(path))}).subarray(0, -4);
        const names = "exports, require, module, programPlace, programImport";
        const wrapped = "(function (" + names + ") {" + source + "\\n})";
        console.log(new Script(wrapped, { cachedData }).cachedDataRejected);`;
      const { stdout } = spawnSync(process.execPath, [...flags, "--eval", code], { encoding: "utf8" });
      expect([script, stdout]).toEqual([script, "false\n"]);
    }
  });
});
