import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { completionScript } from "../../src/cli/completion.js";
import { commands } from "../../src/cli/run.js";
import { readyText } from "../../src/cli/world/ready-text.js";
import { OPTION_GROUPS } from "../../src/options/groups.js";
import { dashed } from "../../src/wording.js";
import { sparrow } from "./fake-effects.js";

test.each(commands.map(({ name }) => name))("%s --help shows all its options and examples", async (name) => {
  const { status, out, err } = await sparrow(name, "--help");
  expect([status, err]).toEqual([0, ""]);
  expect(out).toMatch(new RegExp(`Usage: sparrow ${name} `));
  expect(out).toMatch(new RegExp(`Examples:\n  sparrow ${name} `));
  const command = commands.find((each) => each.name === name)!;
  for (const option of Object.keys(command.options)) {
    expect(out.match(new RegExp(`^  --${dashed(option)}( |$)`, "gm")), option).toHaveLength(1);
  }
  expect(out.includes("\n  DATA... ")).toBe(command.positionals.includes("DATA..."));
});

test("every option of a long list stands in a group", () => {
  const placed = new Set(OPTION_GROUPS.flatMap(({ names }) => names));
  const fit = commands.find(({ name }) => name === "fit")!;
  expect(Object.keys(fit.options).filter((name) => !placed.has(name))).toEqual([]);
});

test("help, version and no command at all", async () => {
  expect(await sparrow("--help")).toMatchObject({ status: 0, err: "" });
  expect((await sparrow("--version")).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect((await sparrow()).status).toBe(2);
});

test("help and version have a short form, and help can come first", async () => {
  const fit = await sparrow("fit", "--help");
  expect(await sparrow("help", "fit")).toEqual(fit);
  expect(await sparrow("fit", "-h")).toEqual(fit);
  expect(await sparrow("help")).toEqual(await sparrow("--help"));
  expect(await sparrow("-h")).toEqual(await sparrow("--help"));
  expect(await sparrow("-v")).toEqual(await sparrow("--version"));
  const unknown = await sparrow("help", "nothing");
  expect(unknown).toMatchObject({ status: 2, out: "" });
  expect(unknown.err).toMatch(/^sparrow: There is no command "nothing"; the commands are fit.*\n$/);
});

test("a command that was misspelt is guessed", async () => {
  expect((await sparrow("fti", "x.csv")).err).toBe('sparrow: There is no command "fti"; did you mean fit?\n');
  expect((await sparrow("--hlep")).err).toBe('sparrow: There is no command "--hlep"; did you mean --help?\n');
  const shell = await sparrow("completion", "zhs");
  expect([shell.status, shell.err]).toEqual([
    2,
    'sparrow: sparrow completion has no script for "zhs"; did you mean zsh?\n',
  ]);
});

/** What bash would offer for the last of these words. */
function offered(...words: string[]): string[] {
  const line = words.map((word) => `'${word}'`).join(" ");
  const script = `${completionScript("bash", commands)}
COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _sparrow; printf '%s\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout.trim().split("\n").filter(Boolean);
}

test("bash completes commands, options and their values, and leaves files to itself", () => {
  expect(offered("sparrow", "")).toEqual([...commands.map(({ name }) => name), "help"]);
  expect(offered("sparrow", "pre")).toEqual(["predict"]);
  expect(offered("sparrow", "help", "si")).toEqual(["simulate"]);
  expect(offered("sparrow", "fit", "data.csv", "--tar")).toEqual(["--target"]);
  expect(offered("sparrow", "fit", "data.csv", "--family", "b")).toEqual(["binomial"]);
  expect(offered("sparrow", "predict", "--family")).toEqual([]);
  expect(offered("sparrow", "fit", "dat")).toEqual([]);
});

test.each(["zsh", "fish"] as const)("the script for %s has every command and option", (shell) => {
  const script = completionScript(shell, commands);
  for (const { name, options } of commands) {
    expect(script).toContain(name);
    for (const option of Object.keys(options)) expect(script).toContain(dashed(option));
  }
});

test("what the build has written down is what the program says", async () => {
  const program = new URL("../../dist/cli/main.js", import.meta.url).href;
  const asked = [
    ...["--help", "-h", "--version", "-v"].map((word) => [word]),
    ...commands.flatMap(({ name }) => [
      [name, "--help"],
      ["-h", name],
    ]),
  ];
  for (const words of asked)
    expect(readyText(words, program), words.join(" ")).toBe((await sparrow(...words)).out);
});

test("whatever else is asked is for the program to answer, and so is all of it where nothing is written down", () => {
  const program = new URL("../../dist/cli/main.js", import.meta.url).href;
  for (const words of [
    [],
    ["help"],
    ["fit"],
    ["nothing", "--help"],
    ["fit", "x.csv", "--help"],
    ["--version", "fit"],
  ]) {
    expect(readyText(words, program), words.join(" ")).toBeUndefined();
  }
  expect(readyText(["--help"], import.meta.url)).toBeUndefined();
});
