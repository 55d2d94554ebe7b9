import { afterAll, expect, test } from "vitest";
import { askedStore } from "../../src/engines/asked-store.js";
import { askedVariables } from "../../src/engines/asked-variables.js";
import { askingPool } from "../../src/engines/asking-pool.js";
import { KnownSums } from "../../src/engines/known-sums.js";
import { everyRow, readAsked } from "../../src/engines/reading/read.js";
import type { Environment } from "../../src/selection/environment.js";
import { runTable } from "../../src/selection/fit-table.js";
import type { Store } from "../../src/store/store.js";
import { arrayTable } from "../../src/tables/readers/arrays.js";
import type { Job } from "../../src/workers/job.js";
import { localPool } from "../../src/workers/pool.js";
import { problem } from "./data.js";
import { folder, here, inDuckDB } from "./places.js";

afterAll(() => folder.remove());

interface Recorded {
  readonly job: Job<unknown, unknown>;
  readonly inputs: readonly unknown[];
  readonly outputs: readonly unknown[];
}

/** Every pass over the rows that a fit makes, with what it came to. */
function recording(): { environment: Environment; recorded: Recorded[]; store(): Store } {
  const recorded: Recorded[] = [];
  let store: Store | undefined;
  const environment: Environment = {
    ...here,
    async pool(own) {
      store = own;
      const pool = localPool(own);
      return {
        ...pool,
        async run<I, O>(job: Job<I, O>, inputs: readonly I[], options?: object) {
          const outputs = await pool.run(job, inputs, options);
          recorded.push({ job: job as Job<unknown, unknown>, inputs, outputs });
          return outputs;
        },
      };
    },
  };
  return { environment, recorded, store: () => store! };
}

/** All numbers of an answer, by where they are. */
function numbers(value: unknown, path = ""): [string, number][] {
  if (typeof value === "number") return [[path, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    numbers(inner, `${path}.${key.replace(/^\d+$/, "#")}`),
  );
}

/** Where the likelihood is expanded, a database does not hand on the sums that verdicts are made of. */
function verdictsOf(job: string, answers: readonly unknown[]): readonly unknown[] {
  if (job !== "certify-expanded") return answers;
  return (answers as readonly { fresh?: unknown }[]).map(({ fresh: _, ...verdicts }) => verdicts);
}

/** Kernels sum likelihoods in single precision, a database in double. */
const ROUNDING: Readonly<Record<string, number>> = { measured: 2e-6, counted: 2e-5, classed: 2e-5 };
const PASSES: Readonly<Record<string, readonly string[]>> = {
  measured: ["certify", "gram", "screen"],
  counted: ["bends", "certify-expanded", "changes", "expansion", "extremes", "screen"],
  classed: ["bends", "certify-expanded", "changes", "expansion", "extremes", "screen"],
};

test.each(Object.keys(PASSES))(
  "every pass of a fit of a target that is %s has the same answer when it is asked",
  async (target) => {
    const { measured, counted, classed, ...predictors } = problem(500, 8);
    const columns = { ...predictors, [target]: { measured, counted, classed }[target]! };
    const { environment, recorded, store } = recording();
    const rows = columns.region.length;
    // One block, and models of few columns: certificates with outsiders.
    await runTable(
      arrayTable(columns),
      { target, batch: rows, maxSize: 4, iterations: 60 },
      environment,
      false,
    );
    const engine = await inDuckDB(columns, `passes-${target}`);
    const { asker, expressions, shift, entries, names, described } = await readAsked(everyRow(engine, {}), {
      target,
    });
    const read = store();
    expect(names).toEqual(read.names);
    expect([...shift]).toEqual([...read.shift]);
    const asked = {
      asker,
      variables: askedVariables(expressions, shift),
      known: new KnownSums(names.length),
      described,
      store: askedStore({ rows, names, shift, entries, record: read.record, sample: read }),
    };
    const pool = askingPool(asked, localPool(read));
    const compared = new Set<string>();
    const perJob = new Map<string, number>();
    for (const { job, inputs, outputs } of recorded) {
      if (!PASSES[target].includes(job.name)) continue;
      // The first of a kind and a few later ones: they ask the same way.
      const times = (perJob.get(job.name) ?? 0) + 1;
      perJob.set(job.name, times);
      if (times > 3) continue;
      compared.add(job.name);
      const found = numbers(verdictsOf(job.name, await pool.run(job, inputs)));
      const expected = numbers(verdictsOf(job.name, outputs));
      expect(found.map(([path]) => path)).toEqual(expected.map(([path]) => path));
      const scale = new Map<string, number>();
      for (const [path, value] of expected) scale.set(path, Math.max(scale.get(path) ?? 0, Math.abs(value)));
      const wrong = expected.flatMap(([path, value], i) =>
        Math.abs(found[i][1] - value) <= ROUNDING[target] * scale.get(path)! + 1e-9
          ? []
          : [`${job.name}${path}: ${found[i][1]}, not ${value}`],
      );
      expect(wrong).toEqual([]);
    }
    expect([...compared].sort()).toEqual(PASSES[target]);
    await engine.close();
  },
);
