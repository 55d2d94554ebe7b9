/** The code of the documents as modules beside an installed package: compiled at once, run in one process. */

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Block, root } from "./blocks.js";

export interface Compiled {
  /** What the compiler says, by the name of the module. */
  readonly complaints: Readonly<Record<string, string>>;
}

export const moduleName = ({ document, line }: Block): string =>
  `${document.replace(/\.md$/, "").replaceAll("/", "-")}-${line}`;

const COMPILER = {
  target: "es2022",
  module: "nodenext",
  lib: ["es2023", "dom"],
  types: ["node"],
  strict: true,
  skipLibCheck: true,
  allowJs: true,
  checkJs: true,
  rootDir: ".",
  outDir: "compiled",
};

export function compile(blocks: readonly Block[], folder: string): Compiled {
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules/sparrow-bayes"), "dir");
  symlinkSync(join(root, "node_modules/@types"), join(folder, "node_modules/@types"), "dir");
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: COMPILER, include: ["*.ts", "*.js"] }),
  );
  for (const block of blocks)
    writeFileSync(join(folder, `${moduleName(block)}.${block.language}`), source(block));
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [compiler, "-p", folder], { cwd: folder, encoding: "utf8" });
  const complaints: Record<string, string> = {};
  for (const line of stdout.split("\n").filter((each) => each !== "")) {
    const name = /^([^\s(]+)\.[tj]s\(/.exec(line)?.[1] ?? "the compiler";
    complaints[name] = `${complaints[name] ?? ""}${line}\n`;
  }
  return { complaints };
}

function source({ text, marks }: Block): string {
  const type = marks["the type"];
  const same = type === undefined ? "" : sameType(type);
  return `${marks.given ?? ""}\n${text}${same}`;
}

/** Either of the two types can stand for the other. */
const sameType = (type: string): string => `
import type { ${type} as Exported } from "sparrow-bayes";
interface Latent { readonly z: number }
interface Rows { readonly rows: number }
export const ours = (it: ${type}<Latent, Rows>): Exported<Latent, Rows> => it;
export const theirs = (it: Exported<Latent, Rows>): ${type}<Latent, Rows> => it;
`;

export interface Ran {
  readonly output: string;
  readonly error?: string;
}

/** Each module after the other, so that what it prints is its own. */
const RUNNER = `
import { format } from "node:util";
const ran = {};
for (const name of process.argv.slice(2)) {
  let output = "";
  console.log = (...values) => { output += format(...values) + "\\n"; };
  try {
    await import(\`./compiled/\${name}.js\`);
    ran[name] = { output };
  } catch (error) {
    ran[name] = { output, error: String(error?.stack ?? error) };
  }
}
process.stdout.write(JSON.stringify(ran));
`;

export function runAll(blocks: readonly Block[], folder: string): Readonly<Record<string, Ran>> {
  cpSync(join(folder, "examples"), join(folder, "compiled/examples"), { recursive: true, force: false });
  writeFileSync(join(folder, "runner.mjs"), RUNNER);
  const names = blocks.map(moduleName);
  const ran = spawnSync(process.execPath, ["runner.mjs", ...names], { cwd: folder, encoding: "utf8" });
  if (ran.status !== 0 || ran.stderr !== "") throw new Error(ran.stderr);
  return JSON.parse(ran.stdout);
}
