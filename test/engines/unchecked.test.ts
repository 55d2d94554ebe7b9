import { afterAll, expect, test } from "vitest";
import { runEngine } from "../../src/engines/run-engine.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { beyondSentence } from "../../src/report/text/sentences.js";
import { type Columns, problem } from "./data.js";
import { folder, here, inDuckDB } from "./places.js";

afterAll(() => folder.remove());

test("two columns that matter only together are found by the rows at hand, and weighed on all", async () => {
  const rng = Rng.seeded(3);
  const rows = 3000;
  const draw = () => Array.from({ length: rows }, () => normal(rng));
  const [common, one, other] = [draw(), draw(), draw()];
  const columns: Columns = {};
  for (let j = 0; j < 12; j++) columns[`x${j}`] = draw();
  // Each is nearly the same, and what differs is what matters: alone, either is worth half a standard error.
  columns.a = common.map((z, i) => z + 0.02 * one[i]);
  columns.b = common.map((z, i) => z + 0.02 * other[i]);
  columns.y = one.map((e, i) => e - other[i] + 0.5 * normal(rng));
  const engine = await inDuckDB(columns, "together");
  const settings = { environment: here, sampleRows: 600, direct: false };
  const { result } = await runEngine(engine, { target: "y" }, settings);
  await engine.close();
  const selected = result.variables.filter((own) => own.selected).map(({ name }) => name);
  expect(selected.sort()).toEqual(["a", "b"]);
  const { rowsAtHand, candidates } = result.certificate!;
  expect(candidates).toBeLessThan(14);
  expect(beyondSentence(result)).toContain(`was looked at in the ${rowsAtHand} rows that came here`);
});

test.each([
  ["measured", false],
  ["classed", true],
])("of a target that is %s it is said which checks were not made", async (target, isAlone) => {
  const { measured, counted: _, classed, ...predictors } = problem(240, 3);
  const table = { ...predictors, [target]: target === "measured" ? measured : classed };
  const engine = await inDuckDB(table, "unchecked");
  const { result } = await runEngine(engine, { target }, { environment: here, sampleRows: 80 });
  const read = await runEngine(engine, { target }, { environment: here });
  await engine.close();
  expect(result.verdict).not.toMatch(/No problems found\./);
  expect(result.verdict).toMatch(/Not checked.*whether columns are copies of each other and how far draws/);
  expect(result.verdict?.includes("variables matter that belong together only")).toBe(isAlone);
  // A table that is read whole is checked like a file.
  expect(read.result.verdict).not.toMatch(/Not checked/);
});
