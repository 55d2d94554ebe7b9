import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { manifestOf } from "../../src/files/manifest.js";
import { Rng } from "../../src/math/rng.js";
import { sparrow, sparrowWith } from "./fake-effects.js";

const CRIME = new URL("../../examples/crime.csv", import.meta.url).pathname;
let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "verify-"));
  const groups = Array.from({ length: 60 }, (_, i) => `${"abcdef"[i % 6]},${i},${(i % 7) + (i % 6)}\n`);
  writeFileSync(at("groups.csv"), `g,x,y\n${groups.join("")}`);
  const made = await Promise.all([
    sparrow("fit", CRIME, "--target", "y", "--out", at("run")),
    sparrow("import", CRIME, "--target", "y", "--out", at("crime.sparrow")),
    sparrow(
      "mixed",
      at("groups.csv"),
      "--target",
      "y",
      "--group",
      "g",
      "--iterations",
      "400",
      "--out",
      at("mixed"),
    ),
  ]);
  expect(made.map(({ status, err }) => (status === 0 ? "" : err))).toEqual(["", "", ""]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ["run", /A run of sparrow fit/],
  ["mixed", /A run of sparrow mixed/],
  ["crime.sparrow", /A store of 47 rows and 15 variables/],
  ["groups.csv", /Data: 60 rows, 3 columns/],
])("%s is found to be what it is, and it is said what was checked", async (name, found) => {
  const { status, out, err } = await sparrow("verify", at(name));
  expect(err).toBe("");
  expect(status).toBe(0);
  expect(out).toMatch(/no problems found/);
  expect(out).toMatch(found);
  expect(JSON.parse((await sparrow("verify", at(name), "--json")).out)).toMatchObject({ path: at(name) });
});

/** Another byte at a place of a file. */
function flipped(path: string, place: number, by: number): void {
  const bytes = readFileSync(path);
  bytes[place] ^= by;
  writeFileSync(path, bytes);
}

describe("a changed byte", () => {
  it.each(["run", "mixed"])("in any file of a %s folder is found, by all who read it", async (name) => {
    const rng = Rng.seeded(5);
    const files = readdirSync(at(name)).filter((file) => file !== "report.html");
    for (const file of files) {
      for (let trial = 0; trial < 2; trial++) {
        cpSync(at(name), at("flipped"), { recursive: true });
        const { length } = readFileSync(at(`flipped/${file}`));
        flipped(
          at(`flipped/${file}`),
          Math.floor(rng.uniform() * length),
          1 << Math.floor(rng.uniform() * 7),
        );
        const { status, err } = await sparrow("verify", at("flipped"));
        // A blank more or less in the list itself changes nothing that it says.
        if (file === "manifest.json" && status === 0) continue;
        expect(err).toMatch(/^sparrow: .*(is damaged|not a run|of format).*\.\n$/);
        expect(status).toBe(1);
        if (file === "model.json") {
          expect((await sparrow("predict", at("flipped"), CRIME)).err).toMatch(/model\.json is damaged/);
        }
        rmSync(at("flipped"), { recursive: true });
      }
      rmSync(at("flipped"), { recursive: true, force: true });
    }
  });

  it("anywhere in a store is found", async () => {
    const rng = Rng.seeded(6);
    const whole = readFileSync(at("crime.sparrow"));
    for (let trial = 0; trial < 40; trial++) {
      writeFileSync(at("flipped.sparrow"), whole);
      flipped(
        at("flipped.sparrow"),
        Math.floor(rng.uniform() * whole.length),
        1 << Math.floor(rng.uniform() * 7),
      );
      const { status, err } = await sparrow("verify", at("flipped.sparrow"));
      expect(err).toMatch(/^sparrow: .*\.\n$/);
      expect(status).toBe(1);
    }
  });
});

describe("right checksums over wrong content", () => {
  const spoil = (name: string, change: (model: Record<string, never>) => unknown) => {
    cpSync(at("run"), at("spoilt"), { recursive: true });
    const model = JSON.parse(readFileSync(at(`spoilt/${name}`), "utf8"));
    writeFileSync(at(`spoilt/${name}`), JSON.stringify(change(model) ?? model));
    rmSync(at("spoilt/manifest.json"));
    writeFileSync(at("spoilt/manifest.json"), manifestOf(at("spoilt"))["manifest.json"]);
  };
  // biome-ignore lint/suspicious/noExplicitAny: what is spoilt here has no type any more
  type Anything = any;
  const models: [string, (model: Anything) => unknown, RegExp][] = [
    [
      "a probability below zero",
      (m) => {
        m.average[0].probability = -0.1;
      },
      /probability is -0\.1/,
    ],
    [
      "probabilities that do not add up",
      (m) => {
        m.average[0].probability = 0;
      },
      /add up to/,
    ],
    [
      "a mean that is null",
      (m) => {
        m.median.mean[0] = null;
      },
      /mean is no number/,
    ],
    ["a list that is cut", (m) => void m.median.mean.pop(), /mean has \d+ entries, not \d+/],
    [
      "a member that is not there",
      (m) => {
        m.median.members[0] = 99;
      },
      /members is 99/,
    ],
    [
      "a member that comes twice",
      (m) => {
        m.average[0].members[0] = m.average[0].members[1];
      },
      /twice/,
    ],
    [
      "a negative variance",
      (m) => {
        m.median.covariance[0] = -1;
      },
      /negative variance/,
    ],
    [
      "a correlation beyond one",
      (m) => {
        m.median.covariance[1] = 1e9;
      },
      /correlation beyond one/,
    ],
    [
      "a family that there is not",
      (m) => {
        m.family = "normal";
      },
      /family is "normal"/,
    ],
    [
      "a variable of no column",
      (m) => {
        m.variables[0] = "stranger";
      },
      /"stranger"/,
    ],
    [
      "another version",
      (m) => {
        m.version = 2;
      },
      /not a model of this version/,
    ],
    ["a list in its place", () => [], /not a model/],
  ];
  it.each(models)("of a model: %s", async (_, change, words) => {
    spoil("model.json", change);
    for (const argv of [
      ["verify", at("spoilt")],
      ["predict", at("spoilt"), CRIME],
    ]) {
      const { status, err } = await sparrow(...argv);
      expect(err).toMatch(words);
      expect(err).toMatch(/^sparrow: .*\.\n$/);
      expect(status).toBe(1);
    }
    rmSync(at("spoilt"), { recursive: true });
  });

  const summaries: [string, (summary: Anything) => unknown, RegExp][] = [
    [
      "a probability above one",
      (s) => {
        s.variables[0].pip = 1.5;
      },
      /pip is 1\.5/,
    ],
    ["no variables", (s) => void delete s.variables, /variables is missing/],
    [
      "names that come twice",
      (s) => {
        s.variables[0].name = s.variables[1].name;
      },
      /a name twice/,
    ],
  ];
  it.each(summaries)("of a summary: %s", async (_, change, words) => {
    spoil("summary.json", change);
    for (const command of ["verify", "report"]) {
      const { status, err } = await sparrow(command, at("spoilt"));
      expect(err).toMatch(words);
      expect(status).toBe(1);
    }
    rmSync(at("spoilt"), { recursive: true });
  });

  it("of a store: a description that does not fit its tables", async () => {
    const bytes = readFileSync(at("crime.sparrow"));
    const length = Number(bytes.readBigUInt64LE(16));
    const text = bytes.toString("utf8", 64, 64 + length);
    for (const [from, to] of [
      ['"rows":47', '"rows":97'],
      ['"dense":15', '"dense":14'],
      ['"family":"gaussian"', '"family":"gausssan"'],
      ['"kind":"number"', '"kind":"nomber"'],
      ['"names":["M"', '"names":[  1'],
    ]) {
      const other = Buffer.from(bytes);
      expect(text).toContain(from);
      other.write(text.replace(from, to), 64);
      other.writeUInt32LE(crc32(other.subarray(64, 64 + length)), 48);
      other.writeUInt32LE(crc32(other.subarray(0, 60)), 60);
      writeFileSync(at("spoilt.sparrow"), other);
      const { status, err } = await sparrow("verify", at("spoilt.sparrow"));
      expect(err, to).toMatch(/^sparrow: .*not a store that can be used.*\.\n$/);
      expect(status).toBe(1);
    }
  });
});

it("a damaged or missing file of data is named", async () => {
  expect((await sparrow("verify", at("nowhere"))).err).toMatch(/There is no file or folder .*nowhere/);
  writeFileSync(at("ragged.csv"), "a,b\n1,2\n3\n");
  expect((await sparrow("verify", at("ragged.csv"))).status).toBe(1);
});

it("holds less where little memory is allowed", async () => {
  const asked = async (...words: string[]) => {
    let spared = 0;
    const spare = () => {
      spared += 1;
    };
    const { status } = await sparrowWith({ spare }, ["verify", CRIME, ...words]);
    return [status, spared];
  };
  expect(await asked("--memory", "50MB")).toEqual([0, 1]);
  expect(await asked("--memory", "1GB")).toEqual([0, 0]);
  expect(await asked()).toEqual([0, 0]);
});

it.each<[string, (text: string) => string]>([
  ["white space", (text) => text.replace('      "sha256"', '\n     "sha256"')],
  ["a name that comes twice", (text) => text.replace('"format":', '"version": 9, "format":')],
  ["words that nobody reads", (text) => text.replace('"bytes":', '"note": 1, "bytes":')],
  ["a byte behind the end", (text) => `${text} `],
])("a list of files with %s is not as it was written", async (_, change) => {
  const copy = at("listed");
  rmSync(copy, { recursive: true, force: true });
  cpSync(at("run"), copy, { recursive: true });
  const text = readFileSync(join(copy, "manifest.json"), "utf8");
  writeFileSync(join(copy, "manifest.json"), change(text));
  expect(change(text)).not.toBe(text);
  const { status, err } = await sparrow("verify", copy);
  expect(status).toBe(1);
  expect(err).toBe(
    `sparrow: ${join(copy, "manifest.json")} is damaged: its bytes have been changed; run the command again.\n`,
  );
});
