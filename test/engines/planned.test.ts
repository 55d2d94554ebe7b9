import { afterAll, expect, test } from "vitest";
import { whyNoCluster } from "../../scripts/cluster.js";
import { askedText, explain, explainedText } from "../../src/engines/plan/explain.js";
import { accounted } from "../../src/engines/plan/planned.js";
import { runEngine } from "../../src/engines/run-engine.js";
import { problem } from "./data.js";
import { endCluster, folder, here, inClickHouse, inDuckDB } from "./places.js";

afterAll(async () => {
  await endCluster();
  folder.remove();
});

const places = {
  DuckDB: inDuckDB,
  ...(whyNoCluster() === undefined && { ClickHouse: inClickHouse }),
};
const cases = Object.entries(places).flatMap(([name, open]) =>
  ["measured", "counted", "classed"].map((target) => [target, name, open] as const),
);

test.each(cases)(
  "a target that is %s takes as many queries of %s as were planned",
  async (target, _, open) => {
    // Few columns of classes and counts: an old server takes long over their questions.
    const { measured, counted, classed, ...predictors } = problem(400, target === "measured" ? 7 : 3);
    const table = { ...predictors, [target]: { measured, counted, classed }[target]! };
    const engine = await open(table, `planned_${target}`);
    const options = { target, maxSize: 2, iterations: 60, seed: 1 };
    const plan = await explain(engine, options, 0, 100);
    const { questions, planned } = await runEngine(engine, options, {
      ...{ environment: here, sampleRows: 100, direct: false },
    });
    await engine.close();
    const found = accounted(questions!, planned!);
    expect(found.filter((own) => own.planned !== own.sent)).toEqual([]);
    expect(found.reduce((sum, own) => sum + own.planned, 0)).toBe(questions!.length);
    // What is asked once was known beforehand; the rest is told of by rounds, or depends on what the target is.
    const sent = (purpose: string) => questions!.filter((own) => own.purpose === purpose).length;
    for (const { purpose, queries } of plan.stages)
      expect([purpose, sent(purpose)]).toEqual([purpose, queries]);
    const foreseen = [...plan.stages, ...plan.rounds].map(({ purpose }) => purpose).join();
    const others = ["how often the target has each value", "the ends of columns"];
    expect(found.filter(({ purpose }) => !foreseen.includes(purpose) && !others.includes(purpose))).toEqual(
      [],
    );
    // One round and more were asked, of the kind that the target takes.
    const rounds = found.filter(({ purpose }) => plan.rounds.some((own) => own.purpose.includes(purpose)));
    expect(rounds.some(({ purpose }) => purpose.startsWith("every column beside"))).toBe(true);
    expect(rounds.length).toBeGreaterThan(1);
    expect(askedText(questions!, planned!)).toMatch(/\nAs many as were planned:\n/);
    expect(explainedText(plan)).toMatch(/^400 rows, of which 100 would come here\. Once, \d+ queries:\n/);
  },
);

test("a question that is longer than the database takes is cut, and that is told beside the plan", async () => {
  const { measured, counted: _, classed: __, ...predictors } = problem(400, 7);
  const engine = await inDuckDB({ ...predictors, measured }, "planned_long");
  const short = { ...engine, limits: { ...engine.limits, letters: 3000 } };
  const run = await runEngine(short, { target: "measured" }, { environment: here, sampleRows: 100 });
  await engine.close();
  expect(run.questions!.every(({ sql }) => sql.length <= 3000)).toBe(true);
  expect(askedText(run.questions!, run.planned!)).toMatch(/\n\d+ more than planned, for names or lists/);
});
