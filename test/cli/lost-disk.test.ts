import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

const program = new URL("../../dist/cli/main.js", import.meta.url).pathname;
const CRIME = new URL("../../examples/crime.csv", import.meta.url).pathname;
const fit = [program, "fit", CRIME, "--target", "y", "--threads", "1"];

let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "lost-disk-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("an answer is printed although its files cannot be written, and the exit status says so", () => {
  // No file may have more than this many blocks of 1 KiB: enough for locks, too little for the draws.
  const argv = fit.map((word) => `'${word}'`).join(" ");
  const command = `ulimit -f 20; trap '' XFSZ; exec '${process.execPath}' ${argv} --out '${at("large")}' --json`;
  const { status, stdout, stderr } = spawnSync("bash", ["-c", command], { encoding: "utf8" });
  expect(stderr).toMatch(/large could not be written: /);
  expect(status).toBe(1);
  expect(JSON.parse(stdout).variables).toHaveLength(15);
  // What there is to resume stays, and nothing else.
  expect(readdirSync(folder)).toEqual(["large.unfinished"]);
  rmSync(at("large.unfinished"), { recursive: true });
});

it("of two that write to one place the second is refused at the start", async () => {
  const endless = ["--preset", "paper", "--iterations", "1000000000", "--burn-in", "10", "--out", at("two")];
  const first = spawn(process.execPath, [...fit, ...endless]);
  const ended = new Promise((resolve) => first.on("close", resolve));
  await new Promise<void>((resolve) => {
    first.stderr.on("data", (data) => {
      if (String(data).includes("Searching")) resolve();
    });
  });
  const second = spawnSync(process.execPath, [...fit, "--out", at("two")], { encoding: "utf8" });
  expect(second.status).toBe(1);
  expect(second.stdout).toBe("");
  expect(second.stderr).toMatch(new RegExp(`two is being written by another run \\(process ${first.pid}\\)`));
  first.kill("SIGKILL");
  await ended;
  // What it left does not keep a third one away.
  expect(readdirSync(folder)).toEqual([".sparrow-lock-two"]);
  execFileSync(process.execPath, [...fit, "--out", at("two")], { stdio: "pipe" });
  expect(readdirSync(folder)).toEqual(["two"]);
  rmSync(at("two"), { recursive: true });
});

it("a place that cannot be written to is known before anything is read", () => {
  mkdirSync(at("data"));
  // Nobody can read this: whoever tries before looking at the place says so.
  writeFileSync(at("data/bad.csv"), "a,b\n1\n");
  for (const [command, out] of [
    ["fit", at("data/bad.csv/run")],
    ["import", at("nowhere/data.sparrow")],
    ["compare", at("nowhere/page.html")],
    ["mixed", at("data/bad.csv/run")],
  ]) {
    const argv = [program, command, at("data/bad.csv"), "--target", "b", "--out", out];
    const more = command === "mixed" ? ["--group", "a"] : [];
    const { status, stderr } = spawnSync(process.execPath, [...argv, ...more], { encoding: "utf8" });
    expect(stderr).toMatch(/could not be written: (its folder does not exist|a part of the path is a file)/);
    expect(status).toBe(1);
  }
  expect(existsSync(at("nowhere"))).toBe(false);
});
