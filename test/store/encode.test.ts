import { describe, expect, it } from "vitest";
import type { FamilyName } from "../../src/families/register.js";
import { referenceKernels } from "../../src/kernels/reference.js";
import { kernelMemory } from "../../src/kernels/wasm.js";
import { targetOf } from "../../src/selection/data/target.js";
import { buildStore } from "../../src/store/build/build-store.js";
import { encodedTable } from "../../src/store/build/encoded-table.js";
import { rowOrder } from "../../src/store/build/order.js";
import type { MissingRule } from "../../src/store/layout/encoding.js";
import { firstRow, rowsIn } from "../../src/store/layout/layout.js";
import type { Store } from "../../src/store/store.js";
import { type ArrayColumn, arrayTable } from "../../src/tables/readers/arrays.js";
import type { ColumnTable } from "../../src/tables/table.js";

interface Choices {
  readonly missing?: MissingRule;
  readonly family?: FamilyName | "auto";
  readonly blockRows?: number;
}

async function storeOf(columns: Record<string, ArrayColumn>, choices: Choices = {}): Promise<Store> {
  const table = arrayTable(columns);
  const target = table.columns.findIndex(({ name }) => name === "y");
  const predictors = table.columns.map((_, i) => i).filter((i) => i !== target);
  return buildStore({
    ...{ table, target, predictors, seed: 1, blockRows: 4, scratch: 1e6, plain: false },
    kernels: async (bytes) => referenceKernels(kernelMemory(bytes, false)),
    ...choices,
  });
}

/** A variable (or the target, by number) in the order of the table, in the user's units. */
function valuesOf(store: Store, column: number, seed = 1): number[] {
  const { layout, kernels, shift } = store;
  const order = rowOrder(seed, layout.rows);
  const values: number[] = new Array(layout.rows);
  for (let b = 0; b < layout.blocks; b++) {
    const run = new Float32Array(kernels.memory.buffer, store.run(b, column), rowsIn(layout, b));
    run.forEach((value, i) => {
      values[order[firstRow(layout, b) + i]] = value + shift[column];
    });
  }
  return values;
}

const x = [0.5, 1, -1, 2, 0.25, 3, -2, 1.5, 0, 4];
const y = [1.5, 2, 3, -1, 0.5, 2, 1, 0, 4, 2.5];

describe("columns become variables", () => {
  it("numbers, booleans and dates one each, texts one per level but the most frequent", async () => {
    const region = ["s", "n", "s", "e", "s", "n", "s", "e", "s", "n"];
    const store = await storeOf({
      x,
      flag: x.map((v) => v > 0.6),
      day: x.map((_, i) => new Date(Date.UTC(1970, 0, 2 + i))),
      region,
      y,
    });
    expect(store.names).toEqual(["x", "flag", "day", "region=e", "region=n"]);
    expect(valuesOf(store, 0)).toEqual(x);
    expect(valuesOf(store, 1).map(Math.round)).toEqual(x.map((v) => (v > 0.6 ? 1 : 0)));
    expect(valuesOf(store, 2)).toEqual(x.map((_, i) => 1 + i));
    expect(valuesOf(store, 3)).toEqual(region.map((r) => (r === "e" ? 1 : 0)));
    expect(valuesOf(store, 4)).toEqual(region.map((r) => (r === "n" ? 1 : 0)));
    expect(valuesOf(store, 5)).toEqual(y);
    expect(store.entries(0, 0)).toBeUndefined();
    expect(store.entries(0, 3)).toBeDefined();
    expect(store.record.encoding.columns[3]).toEqual({
      column: "region",
      kind: "text",
      baseline: "s",
      levels: ["e", "n"],
    });
    expect(store.record.notes).toEqual([
      '"region" is text with 3 values: compared with "s", the most frequent.',
      '"day" is a date: counted in days.',
    ]);
  });

  it("and a constant column becomes none, with a note", async () => {
    const store = await storeOf({ x, one: x.map(() => 1), same: x.map(() => "a"), y });
    expect(store.names).toEqual(["x"]);
    expect(store.record.notes).toEqual(['"one", "same" have the same value in every row: left out.']);
  });

  it("even where a table hands over the same arrays again and again", async () => {
    const rows = 3000;
    const [reused, y] = [new Float64Array(100), new Float64Array(100)];
    const table: ColumnTable = {
      by: "columns",
      name: "thrifty",
      columns: [{ name: "x" }, { name: "y" }],
      *chunks(wanted) {
        for (let from = 0; from < rows; from += 100) {
          for (let i = 0; i < 100; i++) {
            reused[i] = from + i;
            y[i] = -from - i;
          }
          yield { rows: 100, columns: wanted.map((c) => (c === 0 ? reused : y)) };
        }
      },
    };
    const store = await buildStore({
      ...{ table, predictors: [0], target: 1, seed: 1, blockRows: 500, scratch: 0 },
      kernels: async (bytes) => referenceKernels(kernelMemory(bytes, false)),
    });
    expect(valuesOf(store, 0)).toEqual(Array.from({ length: rows }, (_, i) => i));
  });

  it("and keep their digits far from zero", async () => {
    const far = x.map((v) => 1e8 + v / 4);
    const store = await storeOf({ far, y });
    expect(valuesOf(store, 0)).toEqual(far);
  });
});

describe("missing values", () => {
  const holes = [0.5, null, -1, 2, Number.NaN, 3, -2, 1.5, 0, 4];
  const words = ["a", "b", null, "a", "a", "b", "a", "a", "b", "a"];

  it("are an error that names columns and ways out, unless told otherwise", async () => {
    await expect(storeOf({ holes, words, x, y })).rejects.toThrow(
      'the data has missing values in "holes" (2 rows, the first is row 2), "words" (row 3); sparrow fit can draw them along with the model (missing: "impute"), missing: "drop" leaves such rows out, missing: "mean" puts the column\'s mean in their place, and exclude leaves columns out.',
    );
  });

  it("take their rows with them under drop", async () => {
    const store = await storeOf({ holes, words, x, y }, { missing: "drop" });
    expect(store.layout.rows).toBe(7);
    expect(valuesOf(store, 2)).toEqual(x.filter((_, i) => ![1, 2, 4].includes(i)));
    expect(store.record.notes).toContain("3 rows with missing values are left out.");
  });

  it("become the mean of the rest under mean, and the most frequent level of a text", async () => {
    const store = await storeOf({ holes, words, x, y }, { missing: "mean" });
    const mean = (0.5 - 1 + 2 + 3 - 2 + 1.5 + 0 + 4) / 8;
    expect(valuesOf(store, 0)).toEqual(holes.map((v) => (v === null || Number.isNaN(v) ? mean : v)));
    expect(valuesOf(store, 1)).toEqual(words.map((w) => (w === "b" ? 1 : 0)));
  });

  it("stay as they are under impute, in every level of a text, and are no matter where there are none", async () => {
    const store = await storeOf({ holes, words, x, y }, { missing: "impute" });
    expect(store.record.encoding.missing).toBe("impute");
    expect(valuesOf(store, 0)).toEqual(holes.map((v) => v ?? Number.NaN));
    expect(valuesOf(store, 1)).toEqual(words.map((w) => (w === null ? Number.NaN : w === "b" ? 1 : 0)));
    expect(store.entries(0, 1)).toBeUndefined();
    const complete = await storeOf({ x, y }, { missing: "impute" });
    expect(complete.record.encoding.missing).toBe("error");
  });

  it("of the target leave the row out, always, and are counted", async () => {
    const store = await storeOf({ x, y: y.map((v, i) => (i % 4 === 1 ? null : v)) });
    expect(valuesOf(store, 0)).toEqual(x.filter((_, i) => i % 4 !== 1));
    expect(store.record.notes).toEqual(["3 rows without a value of the target are left out."]);
  });
});

describe("the family of a target", () => {
  const family = async (target: ArrayColumn, wanted: FamilyName | "auto" = "auto") => {
    const store = await storeOf({ x, y: target }, { family: wanted });
    const { remarks } = targetOf(store, "auto");
    return { family: store.record.family, notes: remarks, values: valuesOf(store, 1), store };
  };

  it("is binomial for two values of any kind, the later one counting as 1", async () => {
    const yes = x.map((v) => (v > 0.6 ? "won" : "lost"));
    const expected = x.map((v) => (v > 0.6 ? 1 : 0));
    const text = await family(yes);
    expect(text).toMatchObject({ family: "binomial", values: expected });
    expect(text.notes).toEqual(['"y" has two values: binomial, the probability of "won".']);
    expect(text.store.record.encoding.target.values).toEqual(["lost", "won"]);
    const coded = await family(x.map((v) => (v > 0.6 ? 2 : 1)));
    expect(coded).toMatchObject({ family: "binomial", values: x.map((v) => (v > 0.6 ? 2 : 1)) });
    expect(coded.notes).toEqual(['"y" has two values: binomial, the probability of 2.']);
    const flag = await family(x.map((v) => v > 0.6));
    expect(flag).toMatchObject({
      family: "binomial",
      values: expected,
      notes: ['"y" has two values: binomial, the probability of true (or yes).'],
    });
  });

  it("is gaussian for everything else, and what was asked for otherwise", async () => {
    expect((await family(y)).family).toBe("gaussian");
    expect((await family([0, 3, 1, 2, 5, 0, 1, 1, 2, 7], "poisson")).family).toBe("poisson");
  });

  it("must suit a text", async () => {
    await expect(
      family(
        x.map((v) => (v > 0 ? "a" : "b")),
        "gaussian",
      ),
    ).rejects.toThrow('use family: "binomial"');
    await expect(family(x.map((_, i) => "abc"[i % 3]))).rejects.toThrow("text with more than two values");
  });
});

describe("new data are read by an encoding", () => {
  const region = ["s", "n", "s", "e", "s", "n", "s", "e", "s", "n"];
  const rowsOf = async (columns: Record<string, ArrayColumn>) => {
    const store = await storeOf({ x, region, y });
    const table = encodedTable(arrayTable(columns), store.record.encoding);
    const rows: number[][] = [];
    for await (const chunk of table.chunks(table.columns.map((_, i) => i))) {
      for (let i = 0; i < chunk.rows; i++) rows.push(chunk.columns.map((column) => column[i]));
    }
    return { names: table.columns.map(({ name }) => name), rows };
  };

  it("by name, in any order, with columns to spare and without the target", async () => {
    expect(await rowsOf({ extra: [9, 9], region: ["n", "s"], x: [1, 2] })).toEqual({
      names: ["x", "region=e", "region=n"],
      rows: [
        [1, 0, 1],
        [2, 0, 0],
      ],
    });
    expect((await rowsOf({ y: [7], x: [1], region: ["e"] })).rows).toEqual([[1, 1, 0, 7]]);
  });

  it("and refused when a column, or a category, is not what the model knows", async () => {
    await expect(rowsOf({ x: [1] })).rejects.toThrow('the data has no column "region", which the run needs');
    await expect(rowsOf({ x: ["a"], region: ["n"] })).rejects.toThrow(
      'column "x" holds text values, but the model was fitted to number values.',
    );
    await expect(rowsOf({ x: [1, 2], region: ["n", "west"] })).rejects.toThrow(
      'column "region" holds "west" in row 2, which was not in the data of the model',
    );
  });
});
