import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { functions } from "./functions.js";

/** ARCHITECTURE.md in short: the floors from the ground up. A folder may import those of the floors below it. */
const FLOORS: readonly (readonly string[])[] = [
  ["types.ts", "errors.ts", "wording.ts", "shape.ts", "profile.ts", "math"],
  ["kernels", "draws", "integrators", "gradients", "files"],
  ["diagnostics"],
  ["sampling"],
  ["tables", "families"],
  ["models", "options"],
  ["latent", "store"],
  ["workers", "prediction"],
  ["selection"],
  ["clustering", "peers", "mixed"],
  ["report", "engines"],
  [
    ...["jobs.ts", "worker.ts", "browser-worker.ts", "index.ts", "node.ts", "node", "browser.ts", "browser"],
    ...["conformance.ts", "experiments", "cli"],
  ],
];
/** The top floor and the ground may know their neighbours; nobody else does. */
const OPEN = [0, FLOORS.length - 1];

const root = join(import.meta.dirname, "../src");
const everything = readdirSync(root, { recursive: true, encoding: "utf8" });
const files = everything.filter(
  (file) => file.endsWith(".ts") && !/^kernels\/(chain-|simulation-)?binary\.ts$/.test(file),
);
const text = (file: string) => readFileSync(join(root, file), "utf8");
const part = (file: string) => file.split("/")[0];
const floorOf = (file: string) => FLOORS.findIndex((folders) => folders.includes(part(file)));

interface Import {
  readonly from: string;
  readonly typesOnly: boolean;
  /** Loaded when it is needed. */
  readonly isLazy: boolean;
}

function imports(file: string): Import[] {
  const clause = /\{[^}]*\}|\*(?:\s+as\s+\w+)?|\w+(?:,\s*\{[^}]*\})?/.source;
  const statement = new RegExp(
    `^(?:import|export)\\s+(type\\s+)?(?:(${clause})\\s+from\\s+)?["']([^"']+)["']`,
    "gm",
  );
  const statements = text(file).matchAll(statement);
  const dynamic = text(file).matchAll(/\bimport\(\s*["']([^"']+)["']/g);
  return [
    ...[...statements].map(([, type, what = "", from]) => {
      const names = /^\{([\s\S]*)\}$/
        .exec(what)?.[1]
        .split(",")
        .filter((name) => name.trim() !== "");
      const allTypes = names?.every((name) => name.trim().startsWith("type ")) === true;
      return { from, typesOnly: type !== undefined || allTypes, isLazy: false };
    }),
    ...[...dynamic].map(([, from]) => ({ from, typesOnly: false, isLazy: true })),
  ];
}

/** The file that a relative import names. */
const resolved = (file: string, from: string) => normalize(join(dirname(file), from)).replace(/\.js$/, ".ts");

test("imports point one way, for types as well as for values", () => {
  const wrong: string[] = [];
  for (const file of files) {
    const floor = floorOf(file);
    if (floor < 0) {
      wrong.push(`${part(file)}: say in this test and in ARCHITECTURE.md on which floor it is`);
      continue;
    }
    for (const { from } of imports(file)) {
      if (!from.startsWith(".")) continue;
      const to = resolved(file, from);
      const below = floorOf(to);
      const fine =
        part(to) === part(file) || (below >= 0 && below < floor) || (below === floor && OPEN.includes(floor));
      if (!fine) wrong.push(`${file} imports ${from}`);
    }
  }
  expect(wrong).toEqual([]);
});

/** What a program reaches from its first files, at once or when it is needed, and what of it is not the project's. */
function reachedFrom(entries: readonly string[], isLazyToo: boolean) {
  const reached = new Set(entries);
  const outside: string[] = [];
  for (const file of reached) {
    for (const { from, typesOnly, isLazy } of imports(file)) {
      if (typesOnly || (isLazy && !isLazyToo)) continue;
      if (from.startsWith(".")) reached.add(resolved(file, from));
      else outside.push(`${file} imports ${from}`);
    }
  }
  return { reached, outside };
}

test("what runs in a browser reaches neither Node nor a package", () => {
  const { reached, outside } = reachedFrom(["index.ts"], true);
  expect(outside).toEqual([]);
  expect(reached).toContain("latent/rjmh.ts");
});

test("a page with files reaches nothing of Node, and a package only when a file needs it", () => {
  const entries = ["browser.ts", "browser-worker.ts"];
  expect(reachedFrom(entries, false).outside).toEqual([]);
  const { reached, outside } = reachedFrom(entries, true);
  expect(outside.filter((each) => each.includes(" node:"))).toEqual([]);
  expect(reached).toContain("tables/arrow/arrow-table.ts");
});

const studio = join(import.meta.dirname, "../studio/src");
const page = readdirSync(studio, { recursive: true, encoding: "utf8" }).filter((file) =>
  /\.tsx?$/.test(file),
);
const pageText = (file: string) => readFileSync(join(studio, file), "utf8");

test("the page imports the package's public entry and nothing else of it", () => {
  expect(page.length).toBeGreaterThan(30);
  const allowed = /^(sparrow-bayes\/browser|preact(\/hooks)?|@preact\/signals|\.\.?\/.*)$/;
  for (const file of page) {
    const from = [...pageText(file).matchAll(/(?:from|import\()\s*"([^"]+)"|^import\s+"([^"]+)"/gm)].map(
      ([, a, b]) => a ?? b,
    );
    for (const name of from) {
      expect([file, name]).toEqual([file, expect.stringMatching(allowed)]);
      // What is relative stays in the page; its one example is of this project's examples.
      if (name.startsWith(".") && !name.endsWith("/examples/crime.csv")) {
        expect([file, normalize(join(dirname(file), name)).startsWith("..")]).toEqual([file, false]);
      }
    }
  }
});

test("every random number comes from a generator that was passed in", () => {
  expect(files.filter((file) => /Math\s*\.\s*random|crypto\s*\.\s*getRandomValues/.test(text(file)))).toEqual(
    [],
  );
});

/** `kind: "gaussian"` of an emission is no family of a target. */
const NO_FAMILY = /kind(: | === )"(gaussian|poisson)"/g;

test("outside families/ nobody knows a family by its name", () => {
  const names = /"(gaussian|binomial|poisson)"/;
  const others = files.filter((file) => part(file) !== "families");
  expect(others.filter((file) => names.test(text(file).replace(NO_FAMILY, "")))).toEqual([]);
});

test("no folder holds more than twenty files", () => {
  const folders = ["", ...everything.filter((name) => statSync(join(root, name)).isDirectory())];
  const crowded = folders.filter((folder) => {
    const names = readdirSync(join(root, folder), { withFileTypes: true });
    return (
      names.filter((name) => name.isFile() && !/^(chain-|simulation-)?binary\.ts$/.test(name.name)).length >
      20
    );
  });
  expect(crowded).toEqual([]);
});

test("no file is longer than 350 lines", () => {
  expect(files.filter((file) => text(file).split("\n").length > 351)).toEqual([]);
  expect(page.filter((file) => pageText(file).split("\n").length > 351)).toEqual([]);
});

/** WebAssembly takes numbers, one by one, and so do those that stand in for it. */
const KERNEL_SIGNATURES = [
  "tileDots",
  "blockDots",
  "weightedSums",
  "informationSums",
  "farProducts",
  "oneVariable",
  "plainOneVariable",
  "entryDots",
  "entrySums",
  "entryParts",
];

test("nobody spreads an object that stands there, to keep its fields in a line", () => {
  const all = [...files.map((file) => [file, text(file)]), ...page.map((file) => [file, pageText(file)])];
  expect(all.filter(([, source]) => /\.\.\.\{/.test(source)).map(([file]) => file)).toEqual([]);
});

test("no function is longer than 100 lines or takes more than six parameters", () => {
  const all = [...files.map((file) => [file, text(file)]), ...page.map((file) => [file, pageText(file)])];
  const wrong = all.flatMap(([file, source]) =>
    functions(source, file.endsWith("x") ? "tsx" : "ts").flatMap(({ name, lines, parameters }) => [
      ...(lines > 100 ? [`${file}: ${name} has ${lines} lines`] : []),
      ...(parameters > 6 && !KERNEL_SIGNATURES.includes(name)
        ? [`${file}: ${name} takes ${parameters} parameters`]
        : []),
    ]),
  );
  expect(wrong).toEqual([]);
});
