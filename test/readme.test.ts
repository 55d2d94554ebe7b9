import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const scripts = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts;
const folder = mkdtempSync(join(tmpdir(), "sparrow-readme-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const node = (args: readonly string[], cwd = root) =>
  spawnSync(process.execPath, args, { cwd, encoding: "utf8", timeout: 100_000 });

describe("the README", () => {
  it("shows library code that runs and finds the variable that matters", () => {
    const [code] = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map((match) => match[1]);
    const { status, stdout, stderr } = node(["--input-type=module", "--eval", code]);
    expect(stderr).toBe("");
    expect(status).toBe(0);
    const lines = stdout.trim().split("\n");
    expect(lines[0]).toMatch(/^x1 1\.000 [12]\.\d+ \[/);
    expect(lines[1]).toMatch(/^x2 [01]\./);
    expect(lines).toHaveLength(2);
  });

  it("promises what npm start prints", () => {
    const [, ...args] = scripts.start.split(" ");
    const { status, stdout } = node(args);
    expect(status).toBe(0);
    const [block] = [...readme.matchAll(/```\n([\s\S]*?)```/g)].map((match) => match[1]);
    expect(block).toBe(stdout);
  });

  it("names only commands and options that exist", () => {
    const commands = [...readme.matchAll(/^ {4}npx sparrow (\w+)([^\n]*)$/gm)];
    expect(commands.length).toBeGreaterThan(3);
    for (const [, command, rest] of commands) {
      const { status, stdout } = node(["dist/cli/main.js", command, "--help"]);
      expect(status, command).toBe(0);
      for (const [option] of rest.matchAll(/--[\w-]+/g))
        expect(stdout, `${command} ${option}`).toContain(option);
    }
  });
});
