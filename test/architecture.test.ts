import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

/** ARCHITECTURE.md in short: what a folder may import besides itself, types, errors and math; `type x`: types only. */
const below = [
  "kernels",
  "sources",
  "integrators",
  "gradients",
  "draws",
  "models",
  "latent",
  "store",
  "sampling",
];
const rule: Record<string, readonly string[]> = {
  math: [],
  kernels: [],
  sources: [],
  integrators: [],
  gradients: [],
  draws: [],
  models: ["kernels", "type latent"],
  latent: ["kernels", "models"],
  store: ["kernels", "type sources"],
  sampling: ["gradients", "draws"],
  diagnostics: ["draws"],
  clustering: [...below, "diagnostics"],
  selection: [...below, "diagnostics", "type pool"],
  pool: [...below, "diagnostics", "selection", "peers"],
  peers: [...below, "selection", "type pool"],
  mixed: [...below, "diagnostics", "peers"],
  report: ["diagnostics", "draws", "type selection", "type mixed", "type peers"],
};
/** Above everything: they may import anything. */
const top = [
  "fit.ts",
  "compare.ts",
  "prepare.ts",
  "read.ts",
  "index.ts",
  "node.ts",
  "conformance.ts",
  "experiments",
  "cli",
];
const everywhere = ["types.ts", "errors.ts", "math"];

const root = join(import.meta.dirname, "../src");
const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
const text = (file: string) => readFileSync(join(root, file), "utf8");
const part = (file: string) => file.split("/")[0];

interface Import {
  readonly from: string;
  readonly typesOnly: boolean;
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
      return { from, typesOnly: type !== undefined || allTypes };
    }),
    ...[...dynamic].map(([, from]) => ({ from, typesOnly: false })),
  ];
}

/** The file that a relative import names. */
const resolved = (file: string, from: string) => normalize(join(dirname(file), from)).replace(/\.js$/, ".ts");

test("imports point one way", () => {
  const wrong: string[] = [];
  for (const file of files) {
    if (top.includes(part(file)) || everywhere.slice(0, 2).includes(file)) continue;
    const allowed = rule[part(file)];
    if (!allowed) {
      wrong.push(`${part(file)}: say in this test and in ARCHITECTURE.md what it may import`);
      continue;
    }
    for (const { from, typesOnly } of imports(file)) {
      if (!from.startsWith(".")) continue;
      const target = part(resolved(file, from));
      const fine =
        target === part(file) ||
        everywhere.includes(target) ||
        allowed.includes(target) ||
        (typesOnly && allowed.includes(`type ${target}`));
      if (!fine) wrong.push(`${file} imports ${from}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("types and errors stand on mathematics alone", () => {
  for (const file of everywhere.slice(0, 2)) {
    for (const { from } of imports(file)) expect(part(resolved(file, from))).toBe("math");
  }
});

test("what runs in a browser reaches neither Node nor a package", () => {
  const reached = new Set(["index.ts"]);
  const outside: string[] = [];
  for (const file of reached) {
    for (const { from, typesOnly } of imports(file)) {
      if (typesOnly) continue;
      if (from.startsWith(".")) reached.add(resolved(file, from));
      else outside.push(`${file} imports ${from}`);
    }
  }
  expect(outside).toEqual([]);
  expect(reached).toContain("latent/rjmh.ts");
});

test("every random number comes from a generator that was passed in", () => {
  expect(files.filter((file) => /Math\s*\.\s*random|crypto\s*\.\s*getRandomValues/.test(text(file)))).toEqual(
    [],
  );
});
