import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { cases } from "./cases.js";
import { differences } from "./differences.js";
import { file, sameEngine, stored } from "./stored.js";

const exact = sameEngine();

describe("an answer is the one that was stored", () => {
  test.each(cases)("$name", async ({ name, run }) => {
    // Through text, as it was stored: what JSON does not keep is no part of an answer.
    const found = JSON.parse(JSON.stringify(await run()));
    const others = differences(stored(name), found, exact);
    expect(others.slice(0, 10), `${others.length} differences`).toEqual([]);
  });
});

test("every case has an answer and every answer a case", () => {
  const names = [...cases.map(({ name }) => `${name}.json`), "engine.json"];
  expect(new Set(names).size).toBe(names.length);
  expect(readdirSync(new URL(".", file("engine"))).sort()).toEqual(names.sort());
});

describe("the number of threads changes nothing", () => {
  test.each(["threads-one-and-two", "paper-threads"])("%s", (name) => {
    expect(stored(name)).toMatchObject({ same: true });
  });
});

describe("differences", () => {
  const before = { a: [{ pip: 0.5 }, { pip: 0.25 }], draws: "sha256:1", text: "mean 1.5" };

  test("are told with their paths", () => {
    const after = { a: [{ pip: 0.5 }, { pip: 0.75 }], draws: "sha256:1", text: "mean 1.5", more: 1 };
    expect(differences(before, after, true)).toEqual([
      "a[1].pip: stored 0.25, found 0.75",
      "more: stored nothing, found 1",
    ]);
  });

  test("of rounding and hashes count only on the engine that stored the answers", () => {
    const after = { a: [{ pip: 0.5 }, { pip: 0.25 * (1 + 1e-12) }], draws: "sha256:2", text: "mean 1.5" };
    expect(differences(before, after, true)).toHaveLength(2);
    expect(differences(before, after, false)).toEqual([]);
    expect(differences(before, { ...after, text: "mean 1.6" }, false)).toHaveLength(1);
  });
});
