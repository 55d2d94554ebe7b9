import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { tableFromArrays, tableToIPC } from "apache-arrow";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { matrixOf } from "../../src/clustering/tables/matrix.js";
import { mixed } from "../../src/node.js";
import { asWritten, isFarInteger, withFarIntegers } from "../../src/tables/json/far-integers.js";
import { open } from "../../src/tables/open.js";
import { arrayTable } from "../../src/tables/readers/arrays.js";
import type { ColumnTable } from "../../src/tables/table.js";

let folder = "";
const at = (name: string) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sparrow-far-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Twelve names that are five as numbers. */
const ids = Array.from({ length: 12 }, (_, i) => String(9007199254740992n + BigInt(i)));
const rows = Array.from({ length: 120 }, (_, i) => ({
  id: ids[i % 12],
  x: Math.sin(i * i),
  y: Math.sin(i * i) + (i % 12) + Math.cos(7 * i),
}));
type Row = (typeof rows)[number];
const object = ({ id, x, y }: Row): string => `{"y": ${y}, "x": ${x}, "id": ${id}}`;
const texts: Record<string, (rows: readonly Row[]) => string | Uint8Array> = {
  "far.csv": (rows) => ["y,x,id", ...rows.map(({ id, x, y }) => [y, x, id].join(","))].join("\n"),
  "far.json": (rows) => `[${rows.map(object).join(", ")}]`,
  "dense.json": (rows) => `{"data":[${rows.map(object).join(",").replaceAll(" ", "")}]}`,
  "lines.json": (rows) => rows.map(object).join("\n"),
  "far.jsonl": (rows) => rows.map(object).join("\n"),
  "far.jsonl.gz": (rows) => gzipSync(rows.map(object).join("\n")),
  "far.arrow": (rows) =>
    tableToIPC(
      tableFromArrays({
        y: rows.map(({ y }) => y),
        x: rows.map(({ x }) => x),
        id: BigInt64Array.from(rows, ({ id }) => BigInt(id)),
      }),
      "file",
    ),
};
const few = { iterations: 100, chains: 2 } as const;

async function column(path: string, name: string, hints: object = {}) {
  const table = (await open([path], { ...hints })) as ColumnTable;
  const c = table.columns.findIndex((each) => each.name === name);
  const values: number[] = [];
  for await (const { columns, rows: count } of table.chunks([c])) {
    for (let i = 0; i < count; i++) values.push(columns[0][i]);
  }
  const { kind = "number", levels = [] } = table.columns[c];
  return { kind, values: kind === "text" ? values.map((code) => levels[code]) : values };
}

describe.each(Object.keys(texts))("names beyond 2^53 in %s", (name) => {
  const write = (some: readonly Row[] = rows): string => {
    writeFileSync(at(name), texts[name](some));
    return at(name);
  };

  it("are groups of their own, called as they are written", async () => {
    for (const asked of [
      { target: "y", group: "id", fixed: ["x"] },
      { formula: "y ~ x + (1 + x || id)" },
      { formula: "y ~ x + (0 + x | id)" },
    ]) {
      const run = await mixed(write(), { ...asked, ...few });
      expect(run.effects().groups).toEqual(ids);
    }
  });

  it("are below zero as well, and beside small ones", async () => {
    const other = rows.map((row, i) => ({ ...row, id: i % 12 === 3 ? "7" : `-${row.id}` }));
    const run = await mixed(write(other), { target: "y", group: "id", fixed: ["x"], ...few });
    expect(run.effects().groups).toEqual([...new Set(other.map(({ id }) => id))].sort());
  });

  it("are categories of their own where words are asked for", async () => {
    const { kind, values } = await column(write(), "id", { text: ["id"] });
    expect(kind).toBe("text");
    expect(values).toEqual(rows.map(({ id }) => id));
  });

  it("are sequences of their own", async () => {
    const table = await open([write()], { keys: ["id"] });
    const { sequences } = await matrixOf(table, { sequence: "id", columns: ["y"] });
    expect(sequences?.starts).toHaveLength(13);
  });

  it("are numbers where nothing is called by them", async () => {
    const { kind, values } = await column(write(), "id");
    expect(kind).toBe("number");
    expect(values).toEqual(rows.map(({ id }) => Number(id)));
  });

  it("are refused by factor(), which has numbers alone, with what to do", async () => {
    await expect(mixed(write(), { formula: "y ~ factor(id) + (1 | x)", ...few })).rejects.toThrow(
      /column "id" holds 900719925474099\d, and beyond 9007199254740991 numbers that differ may be the same: use text: \["id"\], so that every digit counts\.$/,
    );
  });
});

it("numbers of those who have no others are refused as names", async () => {
  const data = { g: rows.map(({ id }) => Number(id)), y: rows.map(({ y }) => y), x: rows.map(({ x }) => x) };
  for (const formula of ["y ~ x + (1 | g)", "y ~ x + (0 + x | g)"]) {
    await expect(mixed(data, { formula, ...few })).rejects.toThrow(
      /column "g" holds 900719925474099\d, and beyond 9007199254740991 .*: write them as texts/,
    );
  }
  const matrix = matrixOf(arrayTable(data), { sequence: "g", columns: ["y"] });
  await expect(matrix).rejects.toThrow(/write them as texts/);
});

describe("a text of JSON", () => {
  /** As JSON.parse has it, with far integers as they are written. */
  const parsed = (text: string): unknown =>
    JSON.parse(withFarIntegers(text), (_, value) => (isFarInteger(value) ? BigInt(asWritten(value)) : value));

  it("keeps the digits of whole numbers beyond 2^53, wherever they stand", () => {
    expect(parsed('[{"a":9007199254740993,"b":\t-9007199254740993 },{"a" : 123456789012345678901}]')).toEqual(
      [{ a: 9007199254740993n, b: -9007199254740993n }, { a: 123456789012345678901n }],
    );
    expect(parsed("[9007199254740992,9007199254740993,\n9007199254740994]")).toEqual([
      9007199254740992n,
      9007199254740993n,
      9007199254740994n,
    ]);
  });

  it.each([
    '{"a": 9007199254740991, "b": -9007199254740991, "c": 1234567890123456}',
    '{"a": 1e300, "b": 12345678901234567890.5, "c": 12345678901234567890e2, "d": 0.12345678901234567890}',
    '{"a": 1.7976931348623157e308, "b": 1E+22, "c": 12345678901234567890E-3}',
    '{"a": "9007199254740993", "b": "is 9007199254740993, or", "c": ",9007199254740993,"}',
    String.raw`{"a": "\": 9007199254740993, ", "b": "\\", "c": "\\\": 9007199254740993}", "d": 1}`,
    '{"a, 9007199254740993": 1, ": 9007199254740993,": "2"}',
  ])("is left as it is for everything else: %s", (text) => {
    expect(withFarIntegers(text)).toBe(text);
  });

  it("has both beside each other", () => {
    const text = String.raw`{"a": "x: 9007199254740993,", "b": 9007199254740993, "c": "\\", "d": 9007199254740995}`;
    expect(parsed(text)).toEqual({
      a: "x: 9007199254740993,",
      b: 9007199254740993n,
      c: "\\",
      d: 9007199254740995n,
    });
  });

  it("is not made right by it where it is wrong", () => {
    for (const text of ['{"a":1, 9007199254740993 : 1}', '{"a": 1 9007199254740993}', "9007199254740993}"]) {
      expect(() => parsed(text)).toThrow(SyntaxError);
    }
  });

  it("may be one long row of them", () => {
    const many = `[${"9007199254740993,".repeat(200_000)}1]`;
    expect((parsed(many) as readonly unknown[])[199_999]).toBe(9007199254740993n);
  });
});

it("moments in nanoseconds since 1970 are dates, as before", async () => {
  const text = Array.from(
    { length: 20 },
    (_, i) => `{"time": ${1_600_000_000_000_000_001n + 86_400_000_000_000n * BigInt(i)}, "y": ${i % 3}}`,
  ).join("\n");
  writeFileSync(at("moments.jsonl"), text);
  const { kind, values } = await column(at("moments.jsonl"), "time");
  expect(kind).toBe("date");
  expect((values[1] as number) - (values[0] as number)).toBeCloseTo(1, 6);
});
