/**
 * The blocks of a document in Markdown: fenced ones, and indented ones. A comment right above a block says what a
 * reader need not see:
 *
 *     <!-- not run: why -->            the block is not run
 *     <!-- given: code -->             what stands before the code of the block
 *     <!-- the type: Model -->         the block declares this type as the library exports it
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dirname, "../..");

/** Every document with blocks in it; those of ARCHITECTURE.md are drawings. */
export const documents: readonly string[] = [
  "README.md",
  "CONTRIBUTING.md",
  "examples/README.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name))
    .sort(),
];

export const read = (path: string): string => readFileSync(join(root, path), "utf8");

export interface Block {
  readonly document: string;
  readonly line: number;
  /** What follows the fence; "indented" for a block without one. */
  readonly language: string;
  readonly text: string;
  readonly marks: Readonly<Partial<Record<Mark, string>>>;
}

const MARKS = ["not run", "given", "the type"] as const;
type Mark = (typeof MARKS)[number];

export const place = ({ document, line }: Block): string => `${document}:${line}`;

export function blocksOf(document: string, text = read(document)): Block[] {
  const lines = text.split("\n");
  const blocks: Block[] = [];
  let above = "";
  for (let i = 0; i < lines.length; i++) {
    const start = i;
    if (lines[i].startsWith("<!--")) {
      while (!lines[i].endsWith("-->")) i += 1;
      above += `${lines.slice(start, i + 1).join("\n")}\n`;
      continue;
    }
    if (lines[i].trim() === "") continue;
    const fence = /^```(\w*)$/.exec(lines[i]);
    const indented = /^ {4}\S/.test(lines[i]);
    const at = { document, line: i + 1, marks: marksOf(above) };
    if (fence) {
      do i += 1;
      while (lines[i] !== "```");
      blocks.push({ ...at, language: fence[1], text: `${lines.slice(start + 1, i).join("\n")}\n` });
    } else if (indented) {
      while (/^ {4}/.test(lines[i + 1] ?? "")) i += 1;
      const inside = lines.slice(start, i + 1).map((line) => line.slice(4));
      blocks.push({ ...at, language: "indented", text: `${inside.join("\n")}\n` });
    }
    above = "";
  }
  return blocks;
}

function marksOf(comments: string): Block["marks"] {
  const known = comments.matchAll(new RegExp(`<!--\\s*(${MARKS.join("|")}):\\s*([\\s\\S]*?)\\s*-->`, "g"));
  return Object.fromEntries([...known].map(([, mark, words]) => [mark, words]));
}

export type Kind = "commands" | "code" | "output" | "json" | "r" | "python" | "formula";

const LANGUAGES: Readonly<Record<string, Kind>> = {
  sh: "commands",
  js: "code",
  ts: "code",
  text: "output",
  json: "json",
  r: "r",
  python: "python",
};

const COMMAND = /^(npm|npx|sparrow|node|bash) \S/;

/** Without a language, lines that begin like commands are commands; an equation has a sign of one. */
export function kindOf(block: Block): Kind {
  const { language, text } = block;
  if (language !== "" && language !== "indented") {
    const kind = LANGUAGES[language];
    if (kind) return kind;
    throw new Error(`${place(block)}: nobody knows how to run ${language}`);
  }
  if (
    text
      .trimEnd()
      .split("\n")
      .every((line) => COMMAND.test(line))
  )
    return "commands";
  if (language === "") return "output";
  if (/[=~]/.test(text) && !/^(\$|sparrow|npx|npm)/m.test(text)) return "formula";
  throw new Error(`${place(block)}: neither commands nor a formula`);
}

/** The words of a line of a shell, without its comment; quotes keep words together. */
export function wordsOf(line: string): string[] {
  const bare = line.replace(/\s+#.*$/, "");
  return [...bare.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, plain]) =>
    String(single ?? double ?? plain),
  );
}

/** What a document says that a block prints: the output that follows it, before anything else that runs. */
export function printedBy(block: Block, blocks: readonly Block[]): Block | undefined {
  for (const next of blocks.slice(blocks.indexOf(block) + 1)) {
    const kind = kindOf(next);
    if (kind === "output") return next;
    if (kind !== "formula") return undefined;
  }
  return undefined;
}
