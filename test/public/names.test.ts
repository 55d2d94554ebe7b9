import { readdirSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import * as browser from "../../src/browser.js";
import * as conformance from "../../src/conformance.js";
import * as index from "../../src/index.js";
import * as node from "../../src/node.js";
import { exportsOf, reachedFrom, uncommented } from "./declarations.js";

const entries = { index, node, browser, conformance };
const names = Object.keys(entries) as (keyof typeof entries)[];

test("the public names are those of the list; a change of it belongs into the changelog", async () => {
  const text = names.map((name) => {
    const all = [...exportsOf(`${name}.d.ts`)].sort(([a], [b]) => (a < b ? -1 : 1));
    const of = (isType: boolean) => all.filter(([, each]) => each.isType === isType).map(([each]) => each);
    return `${name}\n  values: ${of(false).join(", ")}\n  types: ${of(true).join(", ")}\n`;
  });
  await expect(text.join("\n")).toMatchFileSnapshot("names.txt");
});

test.each(names)("what %s declares as values is there when a program runs", (name) => {
  const declared = [...exportsOf(`${name}.d.ts`)].flatMap(([each, { isType }]) => (isType ? [] : [each]));
  expect(Object.keys(entries[name]).sort()).toEqual(declared.sort());
});

test.each(names)("every type that a signature of %s names can be imported from there", (name) => {
  const exported = new Set(
    [...exportsOf(`${name}.d.ts`).values()].map((place) => `${place.file} ${place.name}`),
  );
  const hidden = reachedFrom(`${name}.d.ts`).filter((place) => !exported.has(`${place.file} ${place.name}`));
  expect(hidden).toEqual([]);
});

test.each(["node", "browser"])("whoever imports from sparrow-bayes/%s needs no second import", (entry) => {
  const there = exportsOf(`${entry}.d.ts`);
  expect([...exportsOf("index.d.ts").keys()].filter((name) => !there.has(name))).toEqual([]);
});

/** Seams of a sampler and the states of integrators are described as wholes, where they are declared. */
const DESCRIBED_AS_WHOLES = /^(types|integrators|gradients|sampling|draws|math|models)\b/;

test("every option and every field of a result has a comment", () => {
  const fields = [...reachedFrom("node.d.ts"), ...reachedFrom("browser.d.ts")]
    .filter(({ file, name }) => !DESCRIBED_AS_WHOLES.test(file) && name !== "Slab")
    .flatMap(uncommented);
  expect(fields).toEqual([]);
});

test("option types are called …Options, and results have no other names for the same", () => {
  const all = [...exportsOf("node.d.ts").keys()];
  expect(all.filter((name) => /^(fit|run|create|get|make|do)[A-Z]/.test(name))).toEqual([]);
  for (const name of ["Fit", "Mixed", "Predict", "Compare", "Import", "Open", "Cluster", "HiddenStates"]) {
    expect(all).toContain(`${name}Options`);
  }
});

test("the declarations hold what they declare and nothing else, such as the bytes of kernels", () => {
  const dist = new URL("../../dist/", import.meta.url);
  const declared = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".d.ts"),
  );
  expect(declared.length).toBeGreaterThan(100);
  expect(declared.filter((name) => statSync(new URL(name, dist)).size > 20_000)).toEqual([]);
});
