import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../../src/cli/run.js";
import type { Comparison } from "../../src/peers/comparison.js";
import { fakeEffects } from "./fake-effects.js";

const crime = join(import.meta.dirname, "../../examples/crime.csv");
const line = ["compare", crime, "--target", "y", "--methods", "blasso,lasso", "--threads", "1"];

test("compare prints one JSON object, and progress elsewhere", async () => {
  const effects = fakeEffects();
  expect(await runCli([...line, "--json"], effects)).toBe(0);
  const { rows, columns, methods }: Comparison = JSON.parse(effects.output);
  expect({ rows, columns }).toEqual({ rows: 47, columns: 15 });
  expect(methods.map(({ method }) => method)).toEqual(["blasso", "lasso"]);
  expect(methods[1].selected!.map(({ name }) => name)).toContain("Po1");
  expect(methods[1].memory).toBeGreaterThanOrEqual(0);
  expect(effects.messages).toContain("lasso");
});

test("compare explains every method in a line of its table", async () => {
  const effects = fakeEffects();
  expect(await runCli([...line, "--quiet", "--holdout", "0"], effects)).toBe(0);
  expect(effects.messages).toBe("");
  expect(effects.output).toMatch(/lasso +penalty on absolute effects/);
  expect(effects.output).toContain("47 rows, 15 columns");
});

test("compare names a method that it does not know", async () => {
  const effects = fakeEffects();
  expect(await runCli(["compare", crime, "--target", "y", "--methods", "magic"], effects)).toBe(2);
  expect(effects.messages).toMatch(/--methods knows esgld, .*, not "magic"/);
});
