import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CASES, freshPlace } from "../../fuzz/cases.js";
import { makeCorpus } from "../../fuzz/corpus.js";
import { readLibsvm } from "../../fuzz/libsvm-oracle.js";
import { readDelimited, readJsonLines } from "../../fuzz/text-oracle.js";
import type { Place } from "../../fuzz/verdict.js";
import { Rng } from "../../src/math/rng.js";

/** The short part of `npm run fuzz`: always the same cases, in this process. */
const TIMES: Readonly<Record<string, number>> = {
  store: 60,
  craftedStore: 60,
  run: 40,
  craftedRun: 6,
  unfinished: 6,
  libsvm: 60,
  packed: 60,
  text: 16,
  wide: 12,
  narrow: 12,
  apart: 12,
  packedTable: 12,
  workbook: 12,
  table: 24,
  names: 12,
  words: 60,
};

let folder: string;
let place: Place;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fuzz-test-"));
  await makeCorpus(join(folder, "corpus"));
  place = freshPlace(join(folder, "corpus"), join(folder, "scratch"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("has a number of cases for every kind", () => {
  expect(Object.keys(TIMES)).toEqual(Object.keys(CASES));
});

it.each(Object.keys(CASES))("%s: nothing is taken for what it is not, and nothing breaks", async (kind) => {
  const bad: string[] = [];
  for (let i = 0; i < TIMES[kind]; i++) {
    const seed = 5e9 + i;
    const { verdict, words } = await CASES[kind](Rng.seeded(seed), place);
    if (verdict === "wrong" || verdict === "broken") bad.push(`${verdict} ${seed}: ${words}`);
  }
  expect(bad).toEqual([]);
});

it("the plain reader of LIBSVM knows right from wrong", () => {
  expect(readLibsvm("1 2:3 qid:4 5:0 # x\n\n-1\n")).toBe("1 2:3\n-1");
  expect(readLibsvm("1 2:0x3\n")).toBeUndefined();
  expect(readLibsvm("x 2:3\n")).toBeUndefined();
});

it("the plain readers of text take nothing that is in doubt", () => {
  expect([...readDelimited("a,b\n1,x\n-2.5,y\n", ",")!]).toEqual([["a", [1, -2.5]]]);
  for (const text of ["a,a\n1,2\n", "a,b\n1\n", 'a,b\n"1",2\n', "a,b\n1,2\n\n", "a;b\n1;2\n"])
    expect(readDelimited(text, ",")).toBeUndefined();
  expect([...readJsonLines('{"a":1,"c":"x"}\n{"a":2e3,"c":"y"}\n')!]).toEqual([["a", [1, 2000]]]);
  for (const text of ['{"a":1,"a":2}\n', '{"a":1}\n{"b":1}\n', "[1]\n", '{"a":1}\n\n'])
    expect(readJsonLines(text)).toBeUndefined();
});
