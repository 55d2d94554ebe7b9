import { spawnSync } from "node:child_process";
import {
  copyFileSync,
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
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failureOf } from "../../src/cli/failure.js";
import { CLEAR_LINE, terminalText } from "../../src/cli/terminal.js";
import { openingOf } from "../../src/cli/world/opening.js";
import { Rng } from "../../src/math/rng.js";
import { database } from "../../src/tables/duckdb/database.js";
import { LineParser } from "../../src/tables/libsvm/libsvm-table.js";
import { matchesPattern } from "../../src/tables/pattern.js";
import { sparrow } from "./fake-effects.js";

const CRIME = new URL("../../examples/crime.csv", import.meta.url).pathname;
const program = new URL("../../dist/cli/main.js", import.meta.url).pathname;
let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hostile-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Colour, title, cursor, clipboard, C1 controls, backspaces and letters that run backwards. */
const ESCAPES = [
  "\x1b[31m",
  "\x1b]0;title\x07",
  "\x9b2J",
  "\x1b]52;c;aGk=\x07",
  "\b\b",
  "\r",
  "\x7f",
  "\u202e",
];
// biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be found
const OBEYED = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

describe("what a terminal obeys", () => {
  it.each(ESCAPES)("does not get through: %j", async (sequence) => {
    const name = `x${sequence}y`;
    const rows = Array.from({ length: 40 }, (_, i) => `${(i * 7) % 11},${i % 3},${i + (i % 3)}`);
    writeFileSync(at("names.csv"), `"${name}",z,y\n${rows.join("\n")}\n`);
    const compare = ["compare", at("names.csv"), "--target", "y", "--methods", "lasso"];
    const said = await Promise.all([
      sparrow("fit", at("names.csv"), "--target", name),
      sparrow("fit", at("names.csv"), "--target", `${name}?`),
      sparrow("fit", `${at("names.csv")}${sequence}`, "--target", "y"),
      sparrow("fit", at("names.csv"), "--target", "y"),
      sparrow(`f${sequence}it`),
      sparrow("fit", at("names.csv"), `--x${sequence}`),
      sparrow(...compare),
    ]);
    for (const { out, err } of said) expect(out + err).not.toMatch(OBEYED);
    const { status, out } = await sparrow("fit", at("names.csv"), "--target", "y", "--json");
    expect(out).not.toMatch(OBEYED);
    // Readers may refuse such a name. Where they do not, a JSON text says the same as before.
    if (status !== 0) return;
    expect(JSON.parse(out).variables.map((variable: { name: string }) => variable.name)).toContain(name);
  });

  it("is ours at the start of a line that is drawn again, and nowhere else", () => {
    expect(terminalText(`${CLEAR_LINE}Reading`)).toBe(`${CLEAR_LINE}Reading`);
    expect(terminalText(`a${CLEAR_LINE}b\tc\n`)).toBe("a\\u000d\\u001b[2Kb\tc\n");
  });
});

describe("patterns", () => {
  it("match what they say, as a regular expression would", () => {
    const rng = Rng.seeded(3);
    const letters = (of: string, most: number) =>
      Array.from(
        { length: Math.floor(most * rng.uniform()) },
        () => of[Math.floor(of.length * rng.uniform())],
      ).join("");
    for (let trial = 0; trial < 3000; trial++) {
      const [pattern, name] = [letters("ab*?", 7), letters("ab", 8)];
      const expression = new RegExp(`^${pattern.replaceAll("*", ".*").replaceAll("?", ".")}$`, "su");
      expect(matchesPattern(pattern, name), `${pattern} ${name}`).toBe(expression.test(name));
    }
    expect(matchesPattern("?", "😀")).toBe(true);
  });

  it("take no longer for many stars", () => {
    expect(matchesPattern(`${"*a".repeat(30)}*b`, "a".repeat(2000))).toBe(false);
  });
});

describe("LIBSVM", () => {
  const svm = (text: string) => {
    writeFileSync(at("data.svm"), text);
    return sparrow("fit", at("data.svm"), "--json");
  };
  const rows = (last: string) =>
    Array.from({ length: 60 }, (_, i) => `${i % 7} 1:${i % 5} 2:${(i * 3) % 11} ${last}`);

  it("does not make room for columns that a few bytes name", async () => {
    for (const index of [2_000_001, 1e8, 2 ** 31]) {
      const { status, err } = await svm(`${rows(`${index}:1`).join("\n")}\n`);
      expect(err).toMatch(new RegExp(`index ${index}, far beyond what its entries can fill`));
      expect(status).toBe(1);
    }
    // Commands that look at all columns read the file to its end first.
    for (const words of [["describe"], ["clusters", "--components", "2"], ["mixed", "--group", "1"]]) {
      const [command, ...more] = words;
      const { status, err } = await sparrow(command, at("data.svm"), ...more);
      expect(err).toMatch(/index 2147483648, far beyond what its entries can fill/);
      expect(status).toBe(1);
    }
  });

  it.each(["0x10", "0b1", "0o7", "1_000", "Infinity", "1e", "--1", ".", "١"])(
    "takes %s for no number",
    async (word) => {
      for (const text of [`${word} 1:1`, `1 1:${word}`]) {
        const { status, err } = await svm(`${text}\n1 1:2\n`);
        expect(status).toBe(1);
        expect(err).toMatch(/in line 1 /);
      }
    },
  );

  it("reads a line that comes in pieces in time of its length, and refuses one without an end", () => {
    const parser = new LineParser("it");
    const piece = Buffer.alloc(1 << 20, " ");
    parser.feed(Buffer.from("1 1:2"));
    // Joined at every piece, these would be 30 GB to copy.
    for (let i = 0; i < 250; i++) parser.feed(piece);
    parser.feed(Buffer.from("2:3\n2 1:"));
    expect(parser.rows).toBe(1);
    expect(() => {
      for (let i = 0; i < 300; i++) parser.feed(piece);
    }).toThrow(/in line 2 there are 256 MB without the end of a line/);
  });
});

describe("DuckDB", () => {
  it("opens the files that were named, and nothing else", async () => {
    writeFileSync(at("own.csv"), "x\n1\n");
    writeFileSync(at("other.csv"), "x\n2\n");
    const { connection, close } = await database({ paths: [at("own.csv")], memory: 1e9 });
    const fails = async (sql: string, words: RegExp) =>
      await expect(connection.run(sql).then(() => sql)).rejects.toThrow(words);
    expect((await connection.runAndReadAll(`SELECT x FROM read_csv('${at("own.csv")}')`)).getRows()).toEqual([
      [1n],
    ]);
    await fails(`SELECT * FROM read_csv('${at("other.csv")}')`, /disabled by configuration/);
    await fails(`SELECT * FROM glob('${at("*")}')`, /disabled by configuration/);
    await fails(`COPY (SELECT 1) TO '${at("written.csv")}'`, /disabled by configuration/);
    await fails("SELECT * FROM read_csv('s3://bucket/a.csv')", /disabled by configuration/);
    await fails("SELECT * FROM read_csv('https://example.invalid/a.csv')", /disabled by configuration/);
    await fails("INSTALL httpfs", /disabled by configuration/);
    await fails("LOAD httpfs", /disabled through configuration/);
    await fails("SET memory_limit = '100GB'", /locked/);
    await fails("SET enable_external_access = true", /./);
    expect((await connection.runAndReadAll("SELECT current_setting('memory_limit')")).getRows()).toEqual([
      ["244.1 MiB"],
    ]);
    close();
    expect(existsSync(at("written.csv"))).toBe(false);
  });

  it("fetches nothing for addresses, in any command", async () => {
    for (const address of [
      "s3://bucket/*.csv",
      "https://example.invalid/a.csv",
      "hf://x/y.parquet",
      "S3://b/c.csv,a.csv",
    ]) {
      for (const argv of [
        ["fit", address, "--target", "y"],
        ["mixed", address, "--target", "y", "--group", "g"],
      ]) {
        expect((await sparrow(...argv)).err).toMatch(/is an address; fetch what is there|There is no/);
      }
    }
  });
});

it("a page is never written through a link that lies in a foreign run folder", async () => {
  expect((await sparrow("fit", CRIME, "--target", "y", "--out", at("run"))).status).toBe(0);
  writeFileSync(at("victim"), "mine");
  for (const name of ["report.html", "report.html.partial"]) symlinkSync(at("victim"), at(`run/${name}`));
  expect((await sparrow("report", at("run"))).status).toBe(0);
  expect(readFileSync(at("victim"), "utf8")).toBe("mine");
  expect(readFileSync(at("run/report.html"), "utf8")).toMatch(/<html/);
});

it("no page may load anything, or run anything but its own", async () => {
  const groups = Array.from({ length: 60 }, (_, i) => `${"abcdef"[i % 6]},${i % 11},${(i % 7) + (i % 6)}`);
  writeFileSync(at("groups.csv"), `g,x,y\n${groups.join("\n")}\n`);
  const few = ["--iterations", "100", "--quiet"];
  const made = {
    "mixed/report.html": [
      "mixed",
      at("groups.csv"),
      "--target",
      "y",
      "--group",
      "g",
      ...few,
      "--out",
      at("mixed"),
    ],
    "clusters/report.html": [
      "clusters",
      at("groups.csv"),
      "--components",
      "1",
      ...few,
      "--out",
      at("clusters"),
    ],
    "compared.html": ["compare", CRIME, "--target", "y", "--methods", "lasso", "--out", at("compared.html")],
  };
  for (const argv of Object.values(made)) expect((await sparrow(...argv)).status).toBe(0);
  expect((await sparrow("report", at("mixed"))).status).toBe(0);
  for (const name of ["run/report.html", ...Object.keys(made)]) {
    const head = readFileSync(at(name), "utf8").split("</head>")[0];
    expect(head, name).toMatch(/<meta http-equiv="Content-Security-Policy" content="default-src 'none';/);
  }
});

it("a page is opened by its whole path, and never through a shell", () => {
  for (const platform of ["linux", "darwin", "win32"] as const) {
    const words = openingOf("-run & calc", platform);
    expect(words.at(-1)).toBe(resolve("-run & calc"));
    expect(words[0]).not.toMatch(/cmd|sh$|start/);
  }
});

it("a user's own file beside the output stays", async () => {
  mkdirSync(at("beside"));
  for (const name of ["out.csv.partial", "out.csv", ".out.csv"])
    writeFileSync(join(at("beside"), name), "mine");
  rmSync(join(at("beside"), "out.csv"));
  const simulate = [
    "simulate",
    "linear",
    "--rows",
    "10",
    "--columns",
    "9",
    "--out",
    join(at("beside"), "out.csv"),
  ];
  expect((await sparrow(...simulate)).status).toBe(0);
  expect(readdirSync(at("beside")).sort()).toEqual([".out.csv", "out.csv", "out.csv.partial"]);
  expect(readFileSync(join(at("beside"), "out.csv.partial"), "utf8")).toBe("mine");
});

describe("what the system refuses", () => {
  it.each([
    [Object.assign(new Error("x"), { code: "EMFILE" }), /too few open files/],
    [new RangeError("WebAssembly.Memory(): could not allocate memory"), /no more memory.*--memory/],
    [new RangeError("Array buffer allocation failed"), /no more memory/],
    [Object.assign(new Error("x"), { code: "ERR_WORKER_OUT_OF_MEMORY" }), /no more memory/],
    [Object.assign(new Error("x"), { code: "ENOSPC" }), /disk is full/],
  ])("is a sentence: %s", (error, words) => {
    const { message, status } = failureOf(error);
    expect(message).toMatch(words);
    expect(message).toMatch(/^sparrow: [^\n]*\.\n$/);
    expect(status).toBe(1);
  });

  it("may be few open files: the program is one", () => {
    const command = `ulimit -n 30; exec '${process.execPath}' '${program}' fit '${CRIME}' --target y --quiet`;
    const { status, stderr } = spawnSync("bash", ["-c", command], { encoding: "utf8" });
    expect([stderr, status]).toEqual(["", 0]);
  });

  it("is one from the start: the program cannot be loaded", () => {
    const alone = join(folder, "main.cjs");
    copyFileSync(program, alone);
    const { status, stdout, stderr } = spawnSync(process.execPath, [alone, "fit", CRIME], {
      encoding: "utf8",
    });
    expect(stderr).toMatch(/^sparrow: ENOENT: no such file or directory, open '[^\n]*start\.cjs'\.\n$/);
    expect([stdout, status]).toEqual(["", 1]);
  });
});
