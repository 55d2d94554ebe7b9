import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { runData } from "../../src/node/run-data.js";
import type { Progress } from "../../src/options/fit.js";
import { sparrow, sparrowWith } from "./fake-effects.js";

const program = new URL("../../dist/cli/main.js", import.meta.url).pathname;
let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "resume-"));
  process.env.SPARROW_JOURNAL_INTERVAL = "20";
  const rng = Rng.seeded(8);
  const lines = (header: string, rows: number, row: (i: number) => (string | number)[]) =>
    `${header}\n${Array.from({ length: rows }, (_, i) => row(i).join(",")).join("\n")}\n`;
  const names = Array.from({ length: 12 }, (_, j) => `x${j}`);
  const drawn = () => names.map(() => normal(rng));
  const holed = (x: number[]) => x.map((value) => (rng.uniform() < 0.1 ? "" : value));
  const row = (x: number[]) => x[0] + x[1] + normal(rng);
  writeFileSync(
    at("plain.csv"),
    lines(`${names},y`, 400, () => ((x) => [...x, row(x)])(drawn())),
  );
  writeFileSync(
    at("holes.csv"),
    lines(`${names},y`, 400, () => ((x) => [...holed(x), row(x)])(drawn())),
  );
  writeFileSync(
    at("groups.csv"),
    lines("g,x,y,h,won", 4000, (i) => [
      `g${i % 200}`,
      normal(rng),
      Math.sin(i % 200) + normal(rng),
      `h${i % 7}`,
      Number(rng.uniform() < 0.3 + 0.05 * (i % 7)),
    ]),
  );
});
afterAll(() => {
  delete process.env.SPARROW_JOURNAL_INTERVAL;
  rmSync(folder, { recursive: true, force: true });
});

const SWEEPS = ["--iterations", "1500", "--threads", "1"];
const RUNS: readonly (readonly [string, readonly string[]])[] = [
  [
    "Algorithm 1",
    [
      "fit",
      "plain.csv",
      "--target",
      "y",
      "--preset",
      "paper",
      "--iterations",
      "12000",
      "--batch",
      "100",
      "--threads",
      "1",
    ],
  ],
  ["holes", ["fit", "holes.csv", "--target", "y", "--threads", "1"]],
  [
    "mixed",
    [
      "mixed",
      "groups.csv",
      "--target",
      "y",
      "--group",
      "g",
      "--random",
      "x",
      "--iterations",
      "500",
      "--threads",
      "1",
    ],
  ],
  [
    "mixed by formula",
    [
      "mixed",
      "groups.csv",
      "--formula",
      "y ~ x + (1 | g) + (1 | h)",
      "--iterations",
      "200",
      "--chains",
      "2",
      "--threads",
      "1",
    ],
  ],
  [
    "mixed classes",
    ["mixed", "groups.csv", "--formula", "won ~ x + (1 | h)", "--iterations", "150", "--chains", "1"],
  ],
  ["clusters by sweeps", ["clusters", "plain.csv", "--columns", "x0,y", "--components", "2", ...SWEEPS]],
  [
    "clusters by mini-batches",
    ["clusters", "plain.csv", "--columns", "x0,y", "--components", "2", "--method", "esgld", ...SWEEPS],
  ],
  ["hidden states", ["states", "plain.csv", "--columns", "x0,y", "--states", "2", ...SWEEPS]],
];

const asked = ([command, data, ...rest]: readonly string[], out: string) => [
  command,
  at(data),
  ...rest,
  "--out",
  at(out),
  "--quiet",
];

function expectSame(one: string, other: string): void {
  const files = readdirSync(at(one)).filter((name) => !/timing|manifest/.test(name));
  expect(readdirSync(at(other)).sort()).toEqual(readdirSync(at(one)).sort());
  for (const file of files)
    expect(readFileSync(at(`${one}/${file}`)).equals(readFileSync(at(`${other}/${file}`))), file).toBe(true);
}

/** Waits until a run has kept where a job or a loop stands, for the second time. */
async function keptState(out: string): Promise<void> {
  const state = () =>
    existsSync(at(`${out}.unfinished`)) &&
    readdirSync(at(`${out}.unfinished`)).find((name) => /^(state|loop)-[\d-]+$/.test(name));
  for (let waited = 0; waited < 3000 && !state(); waited++)
    await new Promise((resolve) => setTimeout(resolve, 20));
}

describe.each(RUNS)("a run of %s", (name, argv) => {
  it("that is stopped and resumed ends with the bytes of one that was not", async () => {
    const [whole, cut] = [`${name} whole`, `${name} cut`];
    expect((await sparrow(...asked(argv, whole))).status).toBe(0);
    expect(existsSync(at(`${whole}.unfinished`))).toBe(false);
    const stop = new AbortController();
    const stopped = sparrowWith({ signal: stop.signal }, asked(argv, cut));
    await keptState(cut);
    stop.abort(new Error("stopped"));
    await stopped;
    expect(existsSync(at(`${cut}.unfinished`))).toBe(true);
    // A new run does not take the place of one that is unfinished.
    if (!existsSync(at(cut)))
      expect((await sparrow(...asked(argv, cut))).err).toMatch(/is not finished; sparrow resume/);
    const resumed = await sparrow("resume", at(cut));
    expect(resumed.err).toBe("");
    expect(resumed.status).toBe(0);
    expectSame(whole, cut);
    expect(existsSync(at(`${cut}.unfinished`))).toBe(false);
    expect((await sparrow("resume", at(cut))).err).toMatch(/is finished: there is nothing to resume/);
  });
});

it("a run that is stopped when its numbers are there has cut its checks, and says so", async () => {
  const stop = new AbortController();
  const onProgress = ({ stage, done, total }: Progress) => {
    if (stage === "sample" && done === total - 1) stop.abort(new Error("stopped"));
  };
  const { result } = await runData(at("holes.csv"), {
    target: "y",
    threads: 1,
    signal: stop.signal,
    onProgress,
  });
  expect(result.missing?.dropping).toBeUndefined();
  expect(result.partial).toBe(true);
  expect(result.notes).toContain("The run was stopped before all of its checks were made.");
});

it("a run that is killed is resumed, whatever was being written", async () => {
  const [, argv] = RUNS[0];
  const child = spawn(process.execPath, [program, ...asked(argv, "killed")]);
  const ended = new Promise((resolve) => child.on("close", resolve));
  await keptState("killed");
  child.kill("SIGKILL");
  await ended;
  expect(existsSync(at("killed"))).toBe(false);
  expect((await sparrow("resume", at("killed"))).status).toBe(0);
  expectSame("Algorithm 1 whole", "killed");
  expect(readdirSync(folder).filter((name) => name.startsWith(".sparrow-"))).toEqual([]);
});

it("what cannot be resumed is told", async () => {
  expect((await sparrow("resume", at("nothing"))).err).toMatch(/There is no .*nothing\.unfinished/);
  const stop = new AbortController();
  const [, argv] = RUNS[0];
  const stopped = sparrowWith({ signal: stop.signal }, asked(argv, "changed"));
  await keptState("changed");
  stop.abort(new Error("stopped"));
  await stopped;
  rmSync(at("changed"), { recursive: true, force: true });
  const data = readFileSync(at("plain.csv"), "utf8");
  writeFileSync(at("plain.csv"), data.replace(/,[^,]*\n$/, ",5\n"));
  expect((await sparrow("resume", at("changed"))).err).toMatch(
    /The data are not those that the run was begun on/,
  );
  writeFileSync(at("plain.csv"), data);
  // It was killed when its output was in its place.
  cpSync(at("Algorithm 1 whole"), at("changed"), { recursive: true });
  const { status, err } = await sparrow("resume", at("changed"));
  expect([status, err]).toEqual([
    0,
    `${at("changed")} is there already: there is nothing to resume, and ${at("changed")}.unfinished may be removed\n`,
  ]);
  rmSync(at("changed"), { recursive: true });
  const command = at("changed.unfinished/command.json");
  const kept = readFileSync(command, "utf8");
  const { sha256: _, ...older } = { ...JSON.parse(kept), version: "0.0.1" };
  const sha256 = createHash("sha256").update(JSON.stringify(older)).digest("hex");
  writeFileSync(command, JSON.stringify({ ...older, sha256 }));
  expect((await sparrow("resume", at("changed"))).err).toMatch(/begun by version 0\.0\.1/);
  writeFileSync(command, kept.replace("12000", "12001"));
  expect((await sparrow("resume", at("changed"))).err).toMatch(/damaged: its bytes have been changed/);
  writeFileSync(command, kept.slice(10));
  expect((await sparrow("resume", at("changed"))).err).toMatch(/command\.json is damaged/);
});

it("a comparison that is stopped goes on with the methods that are left", async () => {
  const compare = ["compare", at("plain.csv"), "--target", "y", "--methods", "lasso,mcp,scad", "--json"];
  const told = (text: string) =>
    JSON.parse(text, (key, value) => (/^(seconds|memory)$/.test(key) ? undefined : value));
  const whole = await sparrow(...compare, "--out", at("whole.html"));
  expect(whole.err).toMatch(/^lasso … \(1 of 3\)\nmcp … \(2 of 3\)\nscad … \(3 of 3\)\n/m);
  const stop = new AbortController();
  let said = "";
  const err = (text: string) => {
    said += text;
    if (said.includes("mcp …")) stop.abort(new Error("stopped"));
  };
  const stopped = await sparrowWith({ signal: stop.signal, err }, [...compare, "--out", at("cut.html")]);
  expect(stopped.status).not.toBe(0);
  expect(existsSync(at("cut.html"))).toBe(false);
  const resumed = await sparrow("resume", at("cut.html"));
  expect(resumed.err).not.toContain("lasso …");
  expect(resumed.err).toContain("scad … (3 of 3)");
  expect(resumed.status).toBe(0);
  expect(told(resumed.out)).toEqual(told(whole.out));
  expect(existsSync(at("cut.html"))).toBe(true);
  expect(existsSync(at("cut.html.unfinished"))).toBe(false);
});

it("a reproduction that is stopped goes on with the data sets and methods that are left", async () => {
  const size = ["--rows", "200", "--columns", "12", "--datasets", "2", "--presets", "auto"];
  const table = ["reproduce", "table1", ...size, "--methods", "esgld,sam"];
  const told = (out: string) =>
    JSON.parse(readFileSync(at(`${out}/table1.json`), "utf8"), (key, value) =>
      key === "cpuSeconds" ? undefined : value,
    );
  const whole = await sparrow(...table, "--out", at("table"));
  expect(whole.status).toBe(0);
  for (const last of ["auto: data set 1 of 2", "sam: data set 1 of 2"]) {
    const stop = new AbortController();
    const err = (text: string) => {
      if (text.startsWith(last)) stop.abort(new Error("stopped"));
    };
    const cut = last.slice(0, 4);
    const stopped = await sparrowWith({ signal: stop.signal, err }, [...table, "--out", at(cut)]);
    expect(stopped.status).not.toBe(0);
    expect(existsSync(at(cut))).toBe(false);
    expect((await sparrow("resume", at(cut))).status).toBe(0);
    expect(told(cut)).toEqual(told("table"));
    expect((await sparrow("verify", at(cut))).out).toContain("What sparrow reproduce table1 came to.");
    expect(existsSync(at(`${cut}.unfinished`))).toBe(false);
  }
});

it.each([[[]], [["command.json.partial"]]])(
  "a run that was killed before it kept anything is begun anew, beside %j",
  async (names) => {
    const out = at(`nothing-${names.length}`);
    const fit = ["fit", at("plain.csv"), "--target", "y", "--threads", "1", "--quiet", "--out", out];
    mkdirSync(`${out}.unfinished`);
    for (const name of names) writeFileSync(join(`${out}.unfinished`, name), "{");
    const resumed = await sparrow("resume", out);
    expect(resumed.status).toBe(1);
    expect(resumed.err).toMatch(/was stopped before it had kept anything: there is nothing to resume/);
    expect((await sparrow(...fit)).status).toBe(0);
    expect(existsSync(`${out}.unfinished`)).toBe(false);
  },
);

it("a folder of somebody else's is neither removed nor written to", async () => {
  const out = at("theirs");
  mkdirSync(`${out}.unfinished`);
  writeFileSync(join(`${out}.unfinished`, "letter.txt"), "mine");
  const fitted = await sparrow("fit", at("plain.csv"), "--target", "y", "--quiet", "--out", out);
  expect(fitted.status).toBe(1);
  expect(readFileSync(join(`${out}.unfinished`, "letter.txt"), "utf8")).toBe("mine");
});
