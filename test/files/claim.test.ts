import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claim, claiming } from "../../src/files/claim.js";
import { thisProcess } from "../../src/files/owner.js";
import { writeFolder, writeWhole } from "../../src/files/whole.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "claims-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);

/** A process that is over: what it owned is nobody's. */
const dead = () => ({ ...thisProcess(), pid: spawnSync(process.execPath, ["-e", ""]).pid });

describe("a place to write to", () => {
  it("is refused to a second writer while the first is at work, and free after it", async () => {
    const first = claim(at("one"));
    expect(() => claim(at("one"))).toThrow(
      new RegExp(`one is being written by another run \\(process ${process.pid}\\)`),
    );
    writeWhole(first, "1");
    first.release();
    expect(readdirSync(folder)).toEqual(["one"]);
    expect(() => claim(at("one"))).toThrow(/exists already/);
    rmSync(at("one"));
    claim(at("one")).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is rid of the lock of a process that was killed when its output was in its place", () => {
    mkdirSync(at("done"));
    writeFileSync(join(at("done"), "out"), "1");
    writeFileSync(join(at("done"), ".sparrow-lock-out"), JSON.stringify(dead()));
    expect(() => claim(join(at("done"), "out"))).toThrow(/exists already/);
    expect(readdirSync(at("done"))).toEqual(["out"]);
    rmSync(at("done"), { recursive: true });
  });

  it("is not taken from a process that lives, but from one that is dead, with what it left", () => {
    mkdirSync(at("left"));
    const within = (name: string) => join(at("left"), name);
    const partial = ".sparrow-0123456789abcdef-out";
    writeFileSync(within(partial), "half");
    // It was taking the place of something.
    mkdirSync(within(`${partial}.old`));
    const lock = within(".sparrow-lock-out");
    const alive = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"]);
    try {
      const started = readFileSync(`/proc/${alive.pid}/stat`, "latin1").split(") ")[1].split(" ")[19];
      writeFileSync(lock, JSON.stringify({ ...thisProcess(), pid: alive.pid, started, partial }));
      expect(() => claim(within("out"))).toThrow(new RegExp(`process ${alive.pid}`));
      // The same number, but not the same process.
      writeFileSync(lock, JSON.stringify({ ...thisProcess(), pid: alive.pid, started: "1", partial }));
      claim(within("out")).release();
      expect(readdirSync(at("left"))).toEqual([]);
    } finally {
      alive.kill("SIGKILL");
    }
    rmSync(at("left"), { recursive: true });
  });

  it("of another machine is left alone, and the sentence says what to do", () => {
    const lock = at(".sparrow-lock-far");
    writeFileSync(lock, JSON.stringify({ ...thisProcess(), host: "elsewhere", boot: "another" }));
    expect(() => claim(at("far"))).toThrow(/far is claimed by process \d+ on elsewhere; .*remove .*lock-far/);
    rmSync(lock);
  });

  it("of a dead process does not take other files with it, whatever its lock says", () => {
    writeFileSync(at("kept"), "kept");
    mkdirSync(at("inner"));
    for (const partial of [
      "kept",
      "../kept",
      join(folder, "kept"),
      ".sparrow-0123456789abcdef-/../../kept",
    ]) {
      writeFileSync(join(at("inner"), ".sparrow-lock-x"), JSON.stringify({ ...dead(), partial }));
      claim(join(at("inner"), "y")).release();
      expect(readFileSync(at("kept"), "utf8")).toBe("kept");
      expect(readdirSync(at("inner"))).toEqual([]);
    }
    rmSync(at("inner"), { recursive: true });
    rmSync(at("kept"));
  });

  it("is never written through a link, and a link is something that exists", () => {
    writeFileSync(at("victim"), "mine");
    symlinkSync(at("victim"), at("link"));
    expect(() => claim(at("link"))).toThrow(/exists already/);
    symlinkSync(at("nowhere"), at("dangling"));
    expect(() => claim(at("dangling"))).toThrow(/exists already/);
    // What is ours to write again takes the place of the link, not of what it leads to.
    const again = claim(at("link"), { replace: true });
    writeWhole(again, "page");
    again.release();
    expect(readFileSync(at("victim"), "utf8")).toBe("mine");
    expect(readFileSync(at("link"), "utf8")).toBe("page");
    for (const name of ["victim", "link", "dangling"]) rmSync(at(name));
  });

  it("that something else took meanwhile is not overwritten", async () => {
    for (const kind of ["file", "folder"] as const) {
      const taken = claim(at("meanwhile"));
      writeFileSync(at("meanwhile"), "theirs");
      const write = async () =>
        kind === "file" ? writeWhole(taken, "ours") : await writeFolder(taken, { a: "ours" });
      await expect(write()).rejects.toThrow(/exists already/);
      taken.release();
      expect(readFileSync(at("meanwhile"), "utf8")).toBe("theirs");
      expect(readdirSync(folder)).toEqual(["meanwhile"]);
      rmSync(at("meanwhile"));
    }
  });

  it("leaves no folders behind where nothing comes of it", async () => {
    const fail = async () => {
      throw new Error("no more");
    };
    await expect(claiming(at("a/b/c"), { parents: true }, fail)).rejects.toThrow("no more");
    expect(existsSync(at("a"))).toBe(false);
    expect(() => claim(at("a/b"))).toThrow(/its folder does not exist/);
  });

  it("may have a name of any length that the disk takes", () => {
    const name = "ü".repeat(120);
    const long = claim(at(name));
    writeWhole(long, "1");
    long.release();
    expect(readdirSync(folder)).toEqual([name]);
    rmSync(at(name));
  });
});
