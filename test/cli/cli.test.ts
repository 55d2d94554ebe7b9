import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
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
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Effects } from "../../src/cli/effects.js";
import { sparrowWith } from "./fake-effects.js";

const program = join(import.meta.dirname, "../../dist/cli/main.js");
const crime = join(import.meta.dirname, "../../examples/crime.csv");
let folder: string;
const at = (name: string) => join(folder, name);
const quick = ["--preset", "paper", "--iterations", "50", "--threads", "1"];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sparrow-test-"));
  const files: Record<string, string> = {
    "fine.csv": "a,b,y\n1,2,3\n2,3,5\n4,4,1\n5,5,2\n3,1,4\n",
    "empty.csv": "",
    "header.csv": "a,b,y\n",
    "constant.csv": "a,b,y\n1,2,3\n2,3,3\n4,4,3\n5,5,3\n",
    "text.csv": "a,b,y\n1,x,3\n2,z,4\n4,w,3\n",
    "nan.csv": "a,b,y\n1,2,3\n2,nan,4\n4,3,3\n5,5,5\n",
    "missing.csv": "a,b,y\n1,2,3\n2,3,4\n4,,3\n5,5,5\n",
    "infinite.csv": "a,b,y\n1,2,3\n2,inf,4\n4,3,3\n5,5,5\n",
    "lonely.csv": "y\n1\n2\n3\n4\n",
    "short.csv": "a,y\n1,2\n2,1\n",
    "broken.parquet": "this is not Parquet",
    "quoted name's.csv": 'a,"the ""b""",y\n1,2,3\n2,3,5\n4,4,1\n5,5,2\n',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(at(name), content);
  mkdirSync(at("directory"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Outcome {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** The command line in this process, with a clock that jumps and a terminal if asked. */
function inside(argv: readonly string[], effects: Partial<Effects> = {}): Promise<Outcome> {
  let clock = 0;
  return sparrowWith({ now: () => (clock += 6000), ...effects }, argv);
}

/** The command line as a user runs it. */
function outside(argv: readonly string[], options: object = {}): Outcome {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...argv], {
    encoding: "utf8",
    ...options,
  });
  return { status, out: stdout, err: stderr };
}

/** One sentence on standard error, nothing on standard output, and no trace of the program's insides. */
function expectSentence({ status, out, err }: Outcome, expected: number, words: RegExp): void {
  expect(err).toMatch(words);
  expect(err).toMatch(/^sparrow: .*[.?]\n$/);
  expect(err.trim().split("\n").length).toBe(1);
  expect(err).not.toMatch(/unexpected|\bat .*:\d+:\d+|node_modules|undefined|NaN,|\[object/);
  expect(out).toBe("");
  expect(status).toBe(expected);
}

const entries = () => readdirSync(folder).sort();

describe("wrong data ends with status 1 and a sentence", () => {
  test.each<[string, string[], RegExp]>([
    ["a missing file", ["none.csv"], /no file .*none.csv/],
    ["an empty file", ["empty.csv"], /empty.csv is empty/],
    ["a header without rows", ["header.csv"], /header.csv has a header but no rows/],
    ["a folder of nothing", ["directory"], /directory is a folder without any data/],
    ["a file that is not what its name says", ["broken.parquet"], /broken.parquet is damaged/],
    ["no such column", ["fine.csv", "--target", "z"], /no column "z" \(--target\)/],
    ["no such column to exclude", ["fine.csv", "--exclude", "q"], /no column "q" \(--exclude\)/],
    ["a constant target", ["constant.csv"], /target "y" is constant/],
    ["a target of text", ["text.csv", "--target", "b"], /target "b" holds text with more than two values/],
    ["NaN", ["nan.csv", "--missing", "error"], /missing values in "b" \(row 2\)/],
    [
      "a missing value",
      ["missing.csv", "--missing", "error"],
      /missing values in "b" \(row 3\).*--missing drop/,
    ],
    ["infinity", ["infinite.csv"], /column "b" is infinite in row 2/],
    ["nothing but the target", ["lonely.csv"], /no column besides the target/],
    ["two rows", ["short.csv"], /has 2 rows of data that can be used; at least 3/],
    ["fewer rows than the batch", ["fine.csv", "--batch", "6"], /--batch 6 is more than the 5 rows/],
    ["a step too long", ["fine.csv", "--preset", "paper", "--step-size", "0.06"], /--step-size smaller/],
  ])("%s", async (_, [file, ...rest], words) => {
    const files = entries();
    const target = rest.includes("--target") ? [] : ["--target", "y"];
    expectSentence(await inside(["fit", at(file), ...target, ...rest, "--out", at("run")]), 1, words);
    expect(entries()).toEqual(files);
  });
});

test("missing values are imputed unless told otherwise, and the output says where and how", async () => {
  const { status, out } = await inside(["fit", at("missing.csv"), "--target", "y", "--quiet"]);
  expect(status).toBe(0);
  expect(out.replaceAll("\n", " ")).toMatch(
    /1 value, 13% of all, is missing in b \(1\), and was imputed: drawn along with the model from a joint Gaussian of the predictors and the target \(--missing impute\)\. Dropping incomplete rows instead \(--missing drop\) would keep 3 of 4, too few to compare with\./,
  );
});

test("the paper's settings have no way to impute, and the message names the other ways", async () => {
  const { status, err } = await inside(["fit", at("missing.csv"), "--target", "y", ...quick]);
  expect(status).toBe(2);
  expect(err).toMatch(/missing values, and --preset paper has no way to draw them; use --missing drop/);
});

describe("a wrong command line ends with status 2 and a sentence", () => {
  const numbers = ["chains", "iterations", "batch", "models", "moves", "max-size", "threads"];
  const cases: [string[], RegExp][] = [
    ...numbers.flatMap((name): [string[], RegExp][] => [
      [[`--${name}`, "0"], new RegExp(`--${name} must be a positive whole number, not 0`)],
      [[`--${name}`, "-3"], new RegExp(`--${name} must be a positive whole number, not -3`)],
      [[`--${name}`, "2.5"], new RegExp(`--${name} must be a positive whole number, not 2.5`)],
    ]),
    ...["step-size", "slab-variance", "noise-variance", "g", "expected-size", "seconds"].flatMap(
      (name): [string[], RegExp][] => [
        [[`--${name}`, "0"], new RegExp(`--${name} must be a positive number, not 0`)],
        [[`--${name}`, "-1"], new RegExp(`--${name} must be a positive number, not -1`)],
        [[`--${name}`, "many"], new RegExp(`--${name} must be a number, not "many"`)],
      ],
    ),
    [
      ["--step-size", "polynomial:1,2"],
      /--step-size must be a number or polynomial:a,b,κ, not "polynomial:1,2"/,
    ],
    [["--step-size", "cyclical:1"], /--step-size must be a number or cyclical:a,length/],
    [["--step-size", "polynomial:1,0,2"], /0 < kappa ≤ 1.*kappa = 2/],
    [["--burn-in", "-1"], /--burn-in must be a whole number that is not negative/],
    [["--burn-in", "10", "--iterations", "10"], /--burn-in 10 leaves nothing/],
    [["--burn-in", "5000", "--preset", "paper"], /--burn-in 5000 leaves nothing of 5000/],
    [["--temperature", "-1"], /--temperature must be a number that is not negative/],
    [["--prior-inclusion", "1"], /--prior-inclusion must lie between 0 and 1/],
    [["--seed", "-1"], /--seed must be a whole number/],
    [["--intercept", "select"], /--intercept select is of the paper's settings: add --preset paper/],
    [
      ["--family", "poisson", "--noise-variance", "2"],
      /--noise-variance has no meaning with --family poisson/,
    ],
    [["--seed", "1e400"], /--seed must be a number/],
    [["--preset", "fast"], /--preset must be one of auto, paper, not "fast"/],
    [["--nope"], /sparrow fit has no option --nope/],
    [["--nope=3"], /sparrow fit has no option --nope/],
    [["-x"], /sparrow fit has no option -x/],
    [["--json=yes"], /--json takes no value/],
    [["--chains"], /--chains needs a value/],
    [["--exclude", "y"], /"y" is both --target and --exclude/],
    [["--always", "y"], /"y" cannot be in every model/],
  ];
  test.each(cases)("fit %s", async (options, words) => {
    expectSentence(await inside(["fit", at("fine.csv"), "--target", "y", ...options]), 2, words);
  });

  test.each<[string[], RegExp]>([
    [["fit"], /sparrow fit needs DATA/],
    [["fit", "examples/crime.csv"], /--target is missing.*perhaps --target y\?/],
    [["fti"], /no command "fti"/],
    [["simulate", "linear", "--columns", "3", "--out", "x.csv"], /--rows is missing/],
    [
      ["simulate", "linear", "--rows", "0", "--columns", "3", "--out", "x.csv"],
      /--rows must be a positive whole/,
    ],
    [
      ["simulate", "linear", "--rows", "9", "--columns", "3", "--seed", "-1", "--out", "x.csv"],
      /--seed must be/,
    ],
    [["simulate", "linear", "--rows", "9", "--columns", "3"], /--out is missing/],
    [["simulate", "square"], /knows linear.*, not "square"/],
    [["reproduce", "table9"], /knows table1.*, not "table9"/],
    [["reproduce", "table1", "--datasets", "0"], /--datasets must be a positive whole number/],
    [["reproduce", "table1", "--moves", "x"], /--moves must be a positive whole number/],
    [["reproduce", "table1", "--methods", "magic"], /knows esgld, rjmh, sam, blasso, not "magic"/],
  ])("%s", async (argv, words) => {
    expectSentence(await inside(argv), 2, words);
  });
});

describe("an output that cannot be written", () => {
  test("is found before the work, and names the path: a file among the folders", async () => {
    const outcome = await inside(["fit", at("fine.csv"), "--target", "y", "--out", at("fine.csv/run")]);
    expectSentence(outcome, 1, /fine.csv\/run could not be written: a part of the path is a file/);
  });

  test("leaves an existing run alone", async () => {
    mkdirSync(at("kept"));
    writeFileSync(at("kept/summary.json"), "mine");
    const outcome = await inside(["fit", at("fine.csv"), "--target", "y", "--out", at("kept")]);
    expectSentence(outcome, 1, /kept exists already/);
    expect(readFileSync(at("kept/summary.json"), "utf8")).toBe("mine");
  });

  test("is a sentence for simulated data as well", async () => {
    const simulate = ["simulate", "linear", "--rows", "20", "--columns", "2", "--out"];
    expectSentence(await inside([...simulate, at("fine.csv/x.csv")]), 1, /x.csv could not be written/);
    expectSentence(await inside([...simulate, at("fine.csv")]), 1, /fine.csv exists already/);
  });

  test.skipIf(!existsSync("/dev/full"))("is a sentence when the disk is full", () => {
    const full = `exec "${process.execPath}" "${program}" fit "${crime}" --target y --quiet > /dev/full`;
    const { status, stderr } = spawnSync("sh", ["-c", full], { encoding: "utf8" });
    expectSentence({ status, out: "", err: stderr }, 1, /standard output: the disk is full/);
  });
});

describe("without permission", () => {
  // The superuser may read and write everything: there the child gives its rights up.
  const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  // Someone without rights must still be able to run the program itself.
  const reachable = () => outside(["--version"], nobody).status === 0;

  test("a file that may not be read and a folder that may not be written to end with a sentence", (context) => {
    if (process.getuid === undefined || !reachable())
      context.skip("the program cannot be run without rights here");
    chmodSync(folder, 0o755);
    writeFileSync(at("secret.csv"), "a,y\n1,2\n", { mode: 0o000 });
    expectSentence(
      outside(["fit", at("secret.csv"), "--target", "y"], nobody),
      1,
      /secret.csv could not be read/,
    );
    mkdirSync(at("sealed"), { mode: 0o555 });
    const fit = ["fit", at("fine.csv"), "--target", "y", "--out", at("sealed/run")];
    expectSentence(
      outside(fit, nobody),
      1,
      /sealed\/run could not be written: the folder may not be written to/,
    );
    expect(readdirSync(at("sealed"))).toEqual([]);
  });
});

describe("what is printed", () => {
  test("--json gives exactly one object on standard output, and --quiet nothing on standard error", () => {
    const { status, out, err } = outside(["fit", crime, "--target", "y", ...quick, "--json", "--quiet"]);
    expect(status).toBe(0);
    expect(err).toBe("");
    const result = JSON.parse(out);
    expect(result).toMatchObject({ family: "gaussian", rows: 47, columns: 15, preset: "paper", seed: 1 });
    expect(result.variables.length).toBe(16);
    expect(Object.keys(result.timing)).toEqual(["read", "screen", "search"]);
  });

  test("letters beyond ASCII are read and written by the program that is built as they are by its source", () => {
    const prices = Array.from(
      { length: 40 },
      (_, i) => `${10 + i} zł,1’${200 + ((7 * i) % 50)},${(3 * i) % 11}`,
    );
    writeFileSync(at("prices.csv"), `price,thousands,y\n${prices.join("\n")}\n`);
    const { out } = outside(["describe", at("prices.csv")]);
    expect(out).toContain('"price" is read without zł.');
    expect(out).toContain("as in 1’200");
    expect(
      outside(["fit", at("prices.csv"), "--target", "y", "--out", at("letters"), "--quiet"]).status,
    ).toBe(0);
    expect(outside(["report", at("letters")]).status).toBe(0);
    expect(readFileSync(at("letters/report.html"), "utf8")).toContain(
      "</span> · <bdi>prices.csv</bdi> · 40 rows",
    );
  });

  test("the table has a line for each of the first variables, and the run is written where asked", async () => {
    const { status, out, err } = await inside([
      "fit",
      crime,
      "--target",
      "y",
      ...quick,
      "--out",
      at("new/run"),
    ]);
    expect(status).toBe(0);
    expect(out).toMatch(/47 rows, 15 variables, target y/);
    expect(out).toMatch(/variable +probability .*effect +95% interval/);
    expect(err).toMatch(/Written to .*new\/run/);
    expect(readdirSync(at("new"))).toEqual(["run"]);
    expect(JSON.parse(readFileSync(at("new/run/summary.json"), "utf8")).rows).toBe(47);
  });

  test("progress is plain lines where the line cannot be redrawn, and a bar where it can", async () => {
    const fit = [
      "fit",
      crime,
      "--target",
      "y",
      "--preset",
      "paper",
      "--iterations",
      "200000",
      "--threads",
      "1",
    ];
    const plain = await inside(fit);
    expect(plain.err).toMatch(/^Searching +[█░]+ \d+% .*iterations.*\/s/m);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes are what is looked for
    expect(plain.err).not.toMatch(/[\r\u001b]/);
    const bar = await inside(fit, { terminal: true });
    expect(bar.err).toMatch(/\r.*Searching/);
    expect(bar.err.endsWith("\r\x1b[2K")).toBe(true);
    expect((await inside([...fit, "--quiet"])).err).toBe("");
  });

  test("names with quotes, in the file and in the columns, are only names", async () => {
    const { status, out } = await inside([
      "fit",
      at("quoted name's.csv"),
      "--target",
      "y",
      ...quick,
      "--json",
    ]);
    expect(status).toBe(0);
    expect(JSON.parse(out).variables.map((v: { name: string }) => v.name)).toContain('the "b"');
  });

  test.each(["csv", "parquet"])("simulated data in %s can be fitted", async (ending) => {
    const out = at(`simulated.${ending}`);
    const simulate = ["simulate", "linear", "--rows", "300", "--columns", "4", "--seed", "3", "--out", out];
    expect(await inside(simulate)).toMatchObject({ status: 0, out: "" });
    const result = JSON.parse((await inside(["fit", out, "--target", "y", ...quick, "--json"])).out);
    expect([result.rows, result.columns]).toEqual([300, 4]);
  });
});

describe.concurrent("Ctrl-C", () => {
  /** Runs a fit that would take hours and interrupts it when it says that it searches. */
  const interrupted = (
    burnIn: string,
    more: string[] = [],
    signal: NodeJS.Signals = "SIGINT",
  ): Promise<Outcome> =>
    new Promise((resolve) => {
      const fit = ["fit", crime, "--target", "y", "--preset", "paper", "--iterations", "1000000000"];
      const argv = [program, ...fit, "--burn-in", burnIn, "--threads", "1", ...more];
      const child = spawn(process.execPath, argv);
      let [out, err] = ["", ""];
      child.stdout.on("data", (data) => {
        out += data;
      });
      let killed = false;
      child.stderr.on("data", (data) => {
        err += data;
        // Once: a second Ctrl-C means it.
        if (killed || !err.includes("Searching")) return;
        killed = child.kill(signal);
      });
      child.on("close", (status) => resolve({ status, out, err }));
    });

  test("ends a run with what was sampled so far, marked as partial", async ({ expect }) => {
    const { status, out } = await interrupted("10", ["--json", "--out", at("stopped")]);
    expect(status).toBe(0);
    const result = JSON.parse(out);
    expect(result.partial).toBe(true);
    expect(result.variables[0].pip).toBeGreaterThan(0);
    expect(JSON.parse(readFileSync(at("stopped/summary.json"), "utf8")).partial).toBe(true);
  });

  test("says so where nothing was sampled, and writes nothing", async ({ expect }) => {
    const outcome = await interrupted("999999999", ["--out", at("nothing")]);
    const sentence = outcome.err
      .split("\n")
      .filter((line) => !line.startsWith("Searching"))
      .join("\n");
    expectSentence(
      { ...outcome, err: sentence },
      // 128 and the number of the signal, as shells have it.
      130,
      /Stopped before (there was a result|anything was sampled)/,
    );
    expect(existsSync(at("nothing"))).toBe(false);
  });

  test.each(["SIGTERM", "SIGHUP"] as const)("is what %s means, too", async (signal) => {
    const { status } = await interrupted("10", ["--out", at(signal)], signal);
    expect(status).toBe(0);
    expect(JSON.parse(readFileSync(at(`${signal}/summary.json`), "utf8")).partial).toBe(true);
    expect(readdirSync(at(".")).filter((name) => name.endsWith(signal))).toEqual([signal]);
  });

  test("is shown in the table", async ({ expect }) => {
    const { out } = await interrupted("10");
    expect(out).toMatch(/The\s+run\s+was\s+stopped\s+before\s+its\s+end/);
  });
});
