import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { tableFromArrays, tableToIPC } from "apache-arrow";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { kernelMemory, wasmKernels } from "../../src/kernels/wasm.js";
import { fit, importFiles } from "../../src/node.js";
import { loadStore, readStoreFile } from "../../src/store/open/load.js";
import { DATA_START } from "../../src/store/store.js";
import { open } from "../../src/tables/open.js";
import { arrayTable } from "../../src/tables/readers/arrays.js";
import type { ColumnTable } from "../../src/tables/table.js";
import { writeTable } from "../../src/tables/write.js";
import { numbers } from "./tables.js";

let folder = "";
const at = (name: string) => join(folder, name);
const table = numbers(3000, 4);
const names = Object.keys(table);

/** The same table in every format, made by plain means. */
const forms: Record<string, (path: string) => void | Promise<void>> = {
  "table.csv": (path) =>
    writeFileSync(
      path,
      lines(names.join(","), (row) => row.join(",")),
    ),
  "table.tsv": (path) =>
    writeFileSync(
      path,
      lines(names.join("\t"), (row) => row.join("\t")),
    ),
  "semicolons.csv": (path) =>
    writeFileSync(
      path,
      lines(names.join(";"), (row) => row.join(";")),
    ),
  "crlf.csv": (path) =>
    writeFileSync(path, lines(names.join(","), (row) => row.join(",")).replaceAll("\n", "\r\n")),
  "marked.csv": (path) => writeFileSync(path, `\ufeff${lines(names.join(","), (row) => row.join(","))}`),
  "table.jsonl": (path) =>
    writeFileSync(
      path,
      lines("", (row) => JSON.stringify(Object.fromEntries(row.map((v, j) => [names[j], v])))),
    ),
  "table.svm": (path) =>
    writeFileSync(
      path,
      lines(
        "",
        (row) =>
          `${row[4]} ${row
            .slice(0, 4)
            .flatMap((v, j) => (v === 0 ? [] : [`${j + 1}:${v}`]))
            .join(" ")}`,
      ),
    ),
  "table.parquet": (path) => writeTable(arrayTable(table), path),
  "table.arrow": (path) => writeFileSync(path, tableToIPC(tableFromArrays(table), "file")),
  "stream.arrow": (path) => writeFileSync(path, tableToIPC(tableFromArrays(table), "stream")),
};
const packed = ["table.csv", "table.tsv", "table.jsonl", "table.svm"];

function lines(header: string, line: (row: number[]) => string): string {
  const rows = Array.from({ length: 3000 }, (_, i) => line(names.map((name) => table[name][i])));
  return `${(header === "" ? rows : [header, ...rows]).join("\n")}\n`;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "sparrow-formats-"));
  for (const [name, make] of Object.entries(forms)) await make(at(name));
  for (const name of packed) writeFileSync(at(`${name}.gz`), gzipSync(readFileSync(at(name))));
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const copy = (from: string, to: string, options: string) =>
    connection.run(`COPY (FROM read_csv('${at(from)}')) TO '${at(to)}' (${options})`);
  await copy("table.csv", "zst.csv.zst", "FORMAT csv, HEADER, COMPRESSION zstd");
  await copy("table.csv", "zst.jsonl.zst", "FORMAT json, COMPRESSION zstd");
  await copy("table.csv", "double.parquet", "FORMAT parquet, COMPRESSION zstd");
  connection.closeSync();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The numbers of a store, names and header aside. */
async function bytesOf(path: string): Promise<Uint8Array> {
  const file = readStoreFile(path);
  const kernels = (bytes: number) => wasmKernels(kernelMemory(bytes, false));
  const store = await loadStore(file, { kernels, scratch: 0 });
  return new Uint8Array(store.kernels.memory.buffer).slice(DATA_START, DATA_START + store.layout.bytes);
}

describe("the same table", () => {
  const all = [
    ...Object.keys(forms),
    ...packed.map((name) => `${name}.gz`),
    "zst.csv.zst",
    "zst.jsonl.zst",
    "double.parquet",
  ];

  it(`gives the same store to the byte as ${all.join(", ")}`, async () => {
    let expected: Uint8Array | undefined;
    for (const name of all) {
      const target = name.includes(".svm") ? "label" : "y";
      await importFiles(at(name), at(`${name}.sparrow`), { target, seed: 5 });
      const bytes = await bytesOf(at(`${name}.sparrow`));
      expected ??= bytes;
      expect(Buffer.compare(bytes, expected), name).toBe(0);
    }
  });

  it("gives the same fit from files, from a store and from arrays, in memory and on disk", async () => {
    const options = { target: "y", seed: 3, threads: 1 } as const;
    const answer = ({ variables, modelSize }: Awaited<ReturnType<typeof fit>>) =>
      JSON.stringify({
        modelSize,
        variables: variables.map((v) => ({ ...v, name: v.name.replace("x", "") })),
      });
    const expected = answer(await fit(table, options));
    expect(answer(await fit(at("table.csv"), options))).toBe(expected);
    expect(answer(await fit(at("table.csv"), { ...options, memory: 1e5 }))).toBe(expected);
    expect(answer(await fit(at("table.svm"), { ...options, target: "label" }))).toBe(expected);
    await importFiles(at("table.jsonl"), at("fit.sparrow"), { target: "y", seed: 3 });
    expect(answer(await fit(at("fit.sparrow"), { ...options, target: undefined }))).toBe(expected);
    expect(answer(await fit(at("fit.sparrow"), { ...options, memory: 1e5 }))).toBe(expected);
  });

  it("may come in several files, by list or by pattern, and from standard input", async () => {
    const text = readFileSync(at("table.csv"), "utf8").trimEnd().split("\n");
    writeFileSync(at("part1.csv"), `${text.slice(0, 1001).join("\n")}\n`);
    writeFileSync(at("part2.csv"), `${[text[0], ...text.slice(1001)].join("\n")}\n`);
    const whole = await column(await dense(at("table.csv")), "y");
    expect(await column(await dense(`${at("part1.csv")}, ${at("part2.csv")}`), "y")).toEqual(whole);
    expect(await column(await dense(at("part?.csv")), "y")).toEqual(whole);
    for (const name of ["table.csv", "table.parquet", "table.jsonl", "table.csv.gz", "zst.csv.zst"]) {
      const input = (await open("-", { input: createReadStream(at(name)) })) as ColumnTable;
      expect(await column(input, "y"), name).toEqual(whole);
    }
  });

  it("is named standard input where that is bad", async () => {
    const told = async (bytes: Buffer) => {
      try {
        const read = await open("-", { input: Readable.from([bytes]) });
        for await (const _ of read.chunks([0]));
      } catch (error) {
        return (error as Error).message;
      }
      return "(nothing)";
    };
    expect(await told(Buffer.from("1 2:3\n1 2:x\n"))).toBe(
      "standard input: in line 2 index 2 has the value x, which is not a number that single precision holds; correct the line.",
    );
    expect(await told(readFileSync(at("table.csv.gz")).subarray(0, 900))).toBe(
      "standard input is damaged or was cut short; make or copy it again.",
    );
    expect(await told(readFileSync(at("table.arrow")).subarray(0, 900))).toBe(
      "standard input is damaged or was cut short; make or copy it again.",
    );
    expect(await told(Buffer.from("a,y\n1,2\n3\n"))).toBe(
      "standard input has 1 value in row 2 but 2 columns; every row needs a value for every column.",
    );
  });

  it("comes whole from a wide Parquet file of several row groups, which several queries read at once", async () => {
    const rows = 10_000;
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    const wide = Array.from({ length: 450 }, (_, j) => `i * 450 + ${j} AS c${j}`).join(", ");
    await connection.run(
      `COPY (SELECT ${wide}, CASE WHEN i % 2 = 0 THEN 'even' ELSE 'odd' END AS kind FROM range(${rows}) AS t(i)) TO '${at("wide.parquet")}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`,
    );
    connection.closeSync();
    const read = await dense(at("wide.parquet"));
    let row = 0;
    for await (const chunk of read.chunks(read.columns.map((_, i) => i))) {
      for (let i = 0; i < chunk.rows; i++, row++) {
        for (const j of [0, 1, 224, 225, 449]) expect(chunk.columns[j][i]).toBe(row * 450 + j);
        expect(read.columns[450].levels?.[chunk.columns[450][i]]).toBe(row % 2 === 0 ? "even" : "odd");
      }
    }
    expect(row).toBe(rows);
    read.close?.();
  });

  it("is refused when the files do not belong together", async () => {
    writeFileSync(at("other.csv"), "a,b\n1,2\n");
    await expect(open(`${at("table.csv")},${at("other.csv")}`)).rejects.toThrow(
      `${at("other.csv")} does not have the same columns as ${at("table.csv")}; all files must.`,
    );
    await expect(open(`${at("table.csv")},${at("table.parquet")}`)).rejects.toThrow(
      "all files must be of one kind",
    );
    await expect(open(at("none*.csv"))).rejects.toThrow(
      `No file matches ${at("none*.csv")}; check the pattern.`,
    );
  });
});

describe("names", () => {
  const odd = [
    'say "hi"',
    "a, b",
    "new\nline",
    "😀",
    "<b>bold</b>",
    "'; DROP TABLE x; --",
    "x\ty",
    "$(id) `id`",
    "a|b;c",
  ];

  it("survive every format, whatever is in them", async () => {
    const rows = Array.from({ length: 20 }, (_, i) => odd.map((_, j) => ((i * (j + 3)) % 13) + j / 8));
    const quoted = odd.map((name) => `"${name.replaceAll('"', '""')}"`).join(",");
    writeFileSync(at("odd.csv"), `${quoted}\n${rows.map((row) => row.join(",")).join("\n")}\n`);
    writeFileSync(
      at("odd.jsonl"),
      rows.map((row) => JSON.stringify(Object.fromEntries(row.map((v, j) => [odd[j], v])))).join("\n"),
    );
    await writeTable(
      arrayTable(Object.fromEntries(odd.map((name, j) => [name, rows.map((row) => row[j])]))),
      at("odd.parquet"),
    );
    for (const name of ["odd.csv", "odd.jsonl", "odd.parquet"]) {
      const read = await dense(at(name));
      expect(
        read.columns.map((column) => column.name),
        name,
      ).toEqual(odd);
      expect(await column(read, odd[5]), name).toEqual(rows.map((row) => row[5]));
    }
    const result = await fit(at("odd.csv"), { target: odd[0], threads: 1 });
    expect(result.variables.map(({ name }) => name).sort()).toEqual(odd.slice(1).sort());
  });

  it("of files may hold quotes and patterns", async () => {
    for (const name of ["it's.csv", "data[1].csv", "a b.csv", "x*.csv"]) {
      writeFileSync(at(name), "a,y\n1,2\n3,4\n5,6\n");
      expect(
        (await dense(at(name))).columns.map((column) => column.name),
        name,
      ).toEqual(["a", "y"]);
    }
  });
});

async function dense(source: string): Promise<ColumnTable> {
  return (await open(source)) as ColumnTable;
}

async function column(from: ColumnTable, name: string): Promise<number[]> {
  const values: number[] = [];
  const index = from.columns.findIndex((each) => each.name === name);
  for await (const chunk of from.chunks([index]))
    values.push(...Array.from(chunk.columns[0]).slice(0, chunk.rows));
  from.close?.();
  return values;
}
