import { expect, it } from "vitest";
import { csvLines } from "../../src/report/text/csv.js";
import { csvText } from "../../src/report/text/csv-job.js";
import { localPool } from "../../src/workers/pool.js";

it.each([0, 1, 8192, 70_001])("is the same text in stretches as in lines: %i rows", async (rows) => {
  const columns = {
    row: Float64Array.from({ length: rows }, (_, i) => i + 1),
    'a "name"': Float64Array.from({ length: rows }, (_, i) => (i % 7 === 0 ? Number.NaN : Math.sin(i) / 3)),
    id: Array.from({ length: rows }, (_, i) => (i % 3 === 0 ? "Zürich, west" : `n${i}`)),
  };
  const heard: number[] = [];
  let text = "";
  for await (const piece of csvText(columns, rows, localPool(), (done) => heard.push(done))) {
    text += typeof piece === "string" ? piece : new TextDecoder().decode(piece);
  }
  expect(text).toBe([...csvLines(columns, rows)].join(""));
  expect(heard.at(-1)).toBe(rows === 0 ? undefined : rows);
});

it("tells of what a thread could not do", async () => {
  const failing = { ...localPool(), run: () => Promise.reject(new Error("no thread")) };
  const read = async () => {
    for await (const _ of csvText({ a: [1] }, 1, failing));
  };
  await expect(read()).rejects.toThrow("no thread");
});
