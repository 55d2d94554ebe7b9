import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { thisProcess } from "../../src/files/owner.js";
import { removeLeftovers, temporaryFolder } from "../../src/files/temporary.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "temporary-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("a folder is there until it is removed, and no sweep takes it from a process that lives", () => {
  const { path, remove } = temporaryFolder(folder);
  writeFileSync(join(path, "data"), "1");
  removeLeftovers(folder);
  expect(existsSync(join(path, "data"))).toBe(true);
  remove();
  expect(readdirSync(folder)).toEqual([]);
});

it("what dead processes left is removed, and nothing else", () => {
  const dead = { ...thisProcess(), pid: spawnSync(process.execPath, ["-e", ""]).pid };
  const make = (name: string, owner?: object): void => {
    mkdirSync(join(folder, name));
    if (owner) writeFileSync(join(folder, name, "process.lock"), JSON.stringify(owner));
    if (owner) writeFileSync(join(folder, name, "rows"), "left");
  };
  const old = (name: string) => utimesSync(join(folder, name), new Date(0), new Date(0));
  make("sparrow-dead01", dead);
  make("sparrow-boot01", { ...dead, boot: "an earlier one" });
  make("sparrow-far001", { ...dead, boot: "another", host: "elsewhere" });
  make("sparrow-space1", { ...dead, space: "pid:[1]" });
  make("sparrow-mine01", thisProcess());
  make("sparrow-notes-x", dead);
  make("sparrow-fresh1");
  make("sparrow-empty1");
  make("sparrow-users1");
  writeFileSync(join(folder, "sparrow-users1", "thesis.txt"), "kept");
  mkdirSync(join(folder, "elsewhere"));
  writeFileSync(join(folder, "elsewhere", "process.lock"), JSON.stringify(dead));
  symlinkSync(join(folder, "elsewhere"), join(folder, "sparrow-linked"));
  old("sparrow-empty1");
  old("sparrow-users1");
  removeLeftovers(folder);
  expect(readdirSync(folder).sort()).toEqual([
    "elsewhere",
    "sparrow-far001",
    "sparrow-fresh1",
    "sparrow-mine01",
    "sparrow-notes-x",
    "sparrow-space1",
    "sparrow-users1",
  ]);
  expect(readdirSync(join(folder, "elsewhere"))).toEqual(["process.lock"]);
});
