/** The lines of text files, packed or not, as objects. */

import { SparrowError } from "../../errors.js";
import { option } from "../../wording.js";
import { type DataFile, isAboutBytes, isAboutLetters, joined, sizeOf } from "../packed/data-file.js";
import { damaged, sameName } from "../read-errors.js";
import { withFarIntegers } from "./far-integers.js";

const NEWLINE = 10;

export type JsonObject = Readonly<Record<string, unknown>>;

/** Some lines at a time: waiting for each by itself would take as long as parsing it. */
export interface Lines {
  readonly records: readonly JsonObject[];
  /** Share of all bytes that have been read. */
  readonly share: number;
}

export interface Named {
  /** What the user called the files. */
  readonly name: string;
  readonly files: readonly DataFile[];
  /** Bytes of the longest line that is taken. */
  readonly longest: number;
}

/** Lines that have been looked at `before` need not be searched again for keys that come twice. */
export async function* jsonLines({ name, files, longest }: Named, before = false): AsyncIterable<Lines> {
  const total = sizeOf(files);
  let read = 0;
  for (const file of files) {
    const called = files.length === 1 ? name : file.name;
    let number = 0;
    for await (const texts of textLines(file, { name: called, longest }, (bytes) => {
      read += bytes;
    })) {
      const records: JsonObject[] = [];
      for (const text of texts) {
        number += 1;
        if (text.trim() !== "") records.push(parsed(text, called, number, before));
      }
      yield { records, share: read / total };
    }
  }
}

async function* textLines(
  file: DataFile,
  { name, longest }: Omit<Named, "files">,
  onRead: (bytes: number) => void,
): AsyncIterable<readonly string[]> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let waiting: Uint8Array[] = [];
  let held = 0;
  try {
    for await (const chunk of file.bytes(onRead)) {
      const end = chunk.lastIndexOf(NEWLINE);
      // A long line comes in many pieces: they are put together once, when its end has come.
      if (end >= 0) {
        const whole = joined([...waiting, chunk.subarray(0, end)]);
        yield decoder.decode(whole, { stream: true }).split("\n");
        [waiting, held] = [[], 0];
      }
      waiting.push(chunk.subarray(end + 1));
      held += chunk.length - end - 1;
      if (held > longest)
        throw new SparrowError(
          `${name} has a line of more than ${Math.floor(longest / 1e6)} MB, which is too long to be one object; write one object a line, or raise ${option("memory")}.`,
          "format",
        );
    }
    const rest = decoder.decode(joined(waiting));
    if (rest !== "") yield [rest];
  } catch (error) {
    throw lineError(name, error);
  }
}

function lineError(name: string, error: unknown): unknown {
  if (isAboutLetters(error)) {
    return new SparrowError(`${name} holds text that is not UTF-8; save the file as UTF-8.`, "format");
  }
  return isAboutBytes(error) ? damaged(name) : error;
}

function parsed(text: string, name: string, line: number, before: boolean): JsonObject {
  const value = parse(text) ?? parse(withQuotedNaN(text));
  if (value === undefined) {
    throw new SparrowError(`${name} holds malformed JSON in line ${line}; correct the line.`, "format");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new SparrowError(
      `${name} is not JSON lines: every line must be an object like {"x": 1, "y": 2}.`,
      "format",
    );
  }
  const record = value as JsonObject;
  if (before) return record;
  // A key that comes twice hides one of its values. Colons in texts make a second look necessary, rarely.
  const colons = text.match(/"\s*:/g)?.length ?? 0;
  if (colons > Object.keys(record).length) {
    const twice = repeatedKey(text);
    if (twice !== undefined) throw sameName(`${name}, line ${line},`, twice);
  }
  return record;
}

/** Undefined where the text is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(withFarIntegers(text));
  } catch {
    return undefined;
  }
}

/** Python writes NaN and Infinity as they are, which JSON does not know. */
function withQuotedNaN(text: string): string {
  return text.replace(/(:\s*)(NaN|-?Infinity)(?=\s*[,}])/g, '$1"$2"');
}

/** The first key of the outermost object that comes twice. */
function repeatedKey(text: string): string | undefined {
  const seen = new Set<string>();
  let depth = 0;
  for (const [token, key] of text.matchAll(/("(?:[^"\\]|\\.)*")(?=\s*:)|"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    else if (key !== undefined && depth === 1) {
      const name = String(JSON.parse(key));
      if (seen.has(name)) return name;
      seen.add(name);
    }
  }
  return undefined;
}
