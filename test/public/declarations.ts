/** What the declarations in dist/ export, and which named types a reader of them comes across. */

import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAst } from "vite";

const dist = fileURLToPath(new URL("../../dist", import.meta.url));

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** A declaration, by the file that makes it and its name there. */
export interface Place {
  readonly file: string;
  readonly name: string;
}

interface Module {
  readonly text: string;
  /** Overloads of a function are several. */
  readonly declared: ReadonlyMap<string, readonly Node[]>;
  readonly imported: ReadonlyMap<string, Place>;
  readonly exported: ReadonlyMap<string, Place>;
  /** Of `export *`. */
  readonly stars: readonly string[];
}

const modules = new Map<string, Module>();

function moduleOf(file: string): Module {
  const known = modules.get(file);
  if (known) return known;
  const text = readFileSync(join(dist, file), "utf8");
  const declared = new Map<string, Node[]>();
  const imported = new Map<string, Place>();
  const exported = new Map<string, Place>();
  const stars: string[] = [];
  const from = (node: Node): string | undefined => {
    const source = (node.source as { value?: string } | null)?.value;
    if (!source?.startsWith(".")) return undefined;
    return normalize(join(dirname(file), source)).replace(/\.js$/, ".d.ts");
  };
  const declare = (node: Node, isExported: boolean) => {
    const inner = node.type === "VariableDeclaration" ? (node.declarations as Node[]) : [node];
    for (const each of inner) {
      const name = nameOf(each.id);
      if (name === undefined) continue;
      declared.set(name, [...(declared.get(name) ?? []), each]);
      if (isExported) exported.set(name, { file, name });
    }
  };
  for (const node of (parseAst(text, { lang: "ts" }) as unknown as { body: Node[] }).body) {
    const source = from(node);
    if (node.type === "ImportDeclaration") {
      for (const each of node.specifiers as Node[]) {
        const name = nameOf(each.imported) ?? "default";
        if (source !== undefined) imported.set(nameOf(each.local)!, { file: source, name });
      }
    } else if (node.type === "ExportAllDeclaration") {
      if (source !== undefined) stars.push(source);
    } else if (node.type === "ExportNamedDeclaration" && node.declaration) {
      declare(node.declaration as Node, true);
    } else if (node.type === "ExportNamedDeclaration") {
      for (const each of node.specifiers as Node[]) {
        const name = nameOf(each.local)!;
        exported.set(nameOf(each.exported)!, source === undefined ? { file, name } : { file: source, name });
      }
    } else declare(node, false);
  }
  const found = { text, declared, imported, exported, stars };
  modules.set(file, found);
  return found;
}

const nameOf = (value: unknown): string | undefined => (value as { name?: string } | null | undefined)?.name;

/** Where a name of a file is declared; undefined for names of the language and of packages. */
function resolve({ file, name }: Place): Place | undefined {
  const { declared, imported, exported, stars } = moduleOf(file);
  if (declared.has(name)) return { file, name };
  const next = imported.get(name) ?? exported.get(name);
  if (next && !(next.file === file && next.name === name)) return resolve(next);
  for (const star of stars) {
    const found = resolve({ file: star, name });
    if (found) return found;
  }
  return undefined;
}

export interface Exported extends Place {
  /** Types vanish when a program runs. */
  readonly isType: boolean;
}

/** The names that an entry exports, and where each is declared. */
export function exportsOf(entry: string): Map<string, Exported> {
  const { exported, stars } = moduleOf(entry);
  const all = new Map<string, Exported>();
  for (const star of stars) for (const [name, place] of exportsOf(star)) all.set(name, place);
  for (const [name, place] of exported) {
    const found = resolve(place);
    if (!found) throw new Error(`${entry} exports ${name}, which nobody declares`);
    const [node] = moduleOf(found.file).declared.get(found.name)!;
    all.set(name, { ...found, isType: /^TS(Interface|TypeAlias)Declaration$/.test(node.type) });
  }
  return all;
}

/** The declarations that a signature of an entry names, directly or through others. `typeof` is not followed. */
export function reachedFrom(entry: string): Place[] {
  const reached = new Map<string, Place>();
  const follow = (place: Place): void => {
    const key = `${place.file} ${place.name}`;
    if (reached.has(key)) return;
    reached.set(key, place);
    for (const node of moduleOf(place.file).declared.get(place.name)!) {
      for (const name of namesIn(node)) {
        const found = resolve({ file: place.file, name });
        if (found) follow(found);
      }
    }
  };
  for (const place of exportsOf(entry).values()) follow(place);
  return [...reached.values()];
}

/** Type references, and what interfaces and classes extend. Parameters of types are no references. */
function namesIn(declaration: Node): Set<string> {
  const names = new Set<string>();
  const parameters = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    const node = value as Node;
    if (node.type === "TSTypeQuery") return;
    if (node.type === "TSTypeParameter") parameters.add(nameOf(node.name)!);
    const named = { TSTypeReference: node.typeName, TSInterfaceHeritage: node.expression }[node.type];
    const name = nameOf(named) ?? (node.type === "ClassDeclaration" ? nameOf(node.superClass) : undefined);
    if (name !== undefined) names.add(name);
    for (const [key, child] of Object.entries(node)) if (key !== "parent") visit(child);
  };
  visit(declaration);
  for (const name of parameters) names.delete(name);
  return names;
}

/** The fields of an interface without a comment. */
export function uncommented({ file, name }: Place): string[] {
  const { text, declared } = moduleOf(file);
  return declared.get(name)!.flatMap((node) => {
    if (node.type !== "TSInterfaceDeclaration") return [];
    const body = node.body as Node & { body: Node[] };
    return body.body.flatMap((member, i) => {
      const before = text.slice(i === 0 ? body.start : body.body[i - 1].end, member.start);
      return before.includes("/**") ? [] : [`${name}.${nameOf(member.key)}`];
    });
  });
}
