/** The kinds of files that hold tables: how each is known, by the ending of its name or, where that says nothing, by what is in it. */

import type { Reader } from "../reader.js";

type Kind = Omit<Reader, "open">;

/** What a file can hold. */
export type FileFormat = "libsvm" | "parquet" | "arrow" | "xlsx" | "json" | "jsonl" | "tsv" | "csv";

const PAIRS = /^\s*[-+.\w]+(\s+qid:\d+)?(\s+\d+:\S+)+\s*(#.*)?$/;

export const kinds: Readonly<Record<FileFormat, Kind>> = {
  libsvm: {
    name: "libsvm",
    endings: ["svm", "libsvm", "svmlight"],
    matches(source) {
      if (source.isFolder) return false;
      // LIBSVM files that are packed this way often have no other ending.
      if (source.packing === "bz2" || source.packing === "xz") return true;
      const lines = source.start().split("\n");
      const line = lines.find((each) => each.trim() !== "" && !each.startsWith("#")) ?? "";
      return PAIRS.test(line);
    },
  },
  parquet: {
    name: "parquet",
    endings: ["parquet", "pq"],
    matches: (source) => !source.isFolder && source.start().startsWith("PAR1"),
  },
  arrow: {
    name: "arrow",
    endings: ["arrow", "feather", "ipc"],
    matches: (source) => !source.isFolder && source.start().startsWith("ARROW1"),
  },
  xlsx: {
    name: "xlsx",
    endings: ["xlsx", "xlsm"],
    matches: (source) => !source.isFolder && source.start().startsWith("PK\u0003\u0004"),
  },
  json: {
    name: "json",
    endings: ["json"],
    matches: (source) => !source.isFolder && /^\s*\[\s*\{/.test(source.start()),
  },
  jsonl: {
    name: "jsonl",
    endings: ["jsonl", "ndjson"],
    matches: (source) => !source.isFolder && /^\s*\{/.test(source.start()),
  },
  tsv: { name: "tsv", endings: ["tsv", "tab"], matches: () => false },
  // What any file is taken for that is nothing else.
  csv: { name: "csv", endings: ["csv"], matches: ({ isFolder }) => !isFolder },
};

const NAME = /\.(\w+)(?:\.(?:gz|zst|bz2|xz))?$/i;

/** Which of some kinds a file of such a name is, whether or not there is one. */
export function kindByName<K extends Pick<Kind, "endings">>(
  name: string,
  among: readonly K[],
): K | undefined {
  const ending = NAME.exec(name)?.[1].toLowerCase();
  return among.find(({ endings }) => ending !== undefined && endings.includes(ending));
}
