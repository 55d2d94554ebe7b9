import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import {
  type ErrorCode,
  fit,
  type InnerKernel,
  importFiles,
  type Model,
  mixed,
  predict,
  Rng,
  rowSample,
  run,
  SparrowError,
  sample,
  sgld,
} from "../../src/node.js";

const folder = mkdtempSync(join(tmpdir(), "sparrow-codes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);

const rng = Rng.seeded(1);
const x = Array.from({ length: 60 }, () => rng.uniform());
const columns = { x, y: x.map((value) => 2 * value + rng.uniform()), g: x.map((_, i) => i % 6) };
writeFileSync(at("data.csv"), `x,y\n${x.map((value, i) => `${value},${columns.y[i]}`).join("\n")}\n`);
writeFileSync(at("cut.parquet"), "PAR1 and then nothing");
writeFileSync(at("taken.sparrow"), "something else");
const stopped = AbortSignal.abort();

/** A normal law of one coordinate, so steep that no step of this size stays with it. */
const steep: Model<null, { weight: number }> = {
  names: ["theta"],
  logJoint: (theta) => -0.5e9 * theta[0] ** 2,
  addGrad(out, scale, theta) {
    out[0] -= scale * 1e9 * theta[0];
  },
};
const nothing: InnerKernel<null, { weight: number }> = { init: () => null, enter() {}, step: () => false };

function runAway(): void {
  const chain = sample({
    model: steep,
    kernel: nothing,
    batches: rowSample(Float64Array.of(1, 2), 1, 1),
    integrator: sgld(),
    stepSize: () => 1,
    iterations: 200,
    theta: Float64Array.of(1),
    rng: Rng.seeded(1),
  });
  for (const _ of chain);
}

const cases: [what: string, code: ErrorCode, work: () => unknown][] = [
  ["an unknown option", "option", () => fit(columns, { target: "y", itterations: 5 } as never)],
  ["an option that is missing", "option", () => mixed(columns, { target: "y" } as never)],
  ["a value that an option cannot have", "option", () => fit(columns, { target: "y", chains: 0 })],
  ["something that is no predictor", "option", () => predict({} as never, columns)],
  ["a file that is not there", "file", () => fit(at("none.csv"), { target: "y" })],
  ["a run folder that is not there", "file", () => predict(at("none"), columns)],
  ["a column that is not there", "column", () => fit(columns, { target: "z" })],
  ["a column of groups that is not there", "column", () => mixed(columns, { target: "y", group: "z" })],
  ["a file that is damaged", "format", () => fit(at("cut.parquet"), { target: "y" })],
  ["columns of different lengths", "data", () => fit({ x: [1, 2], y: [1] }, { target: "y" })],
  [
    "a target that never varies",
    "data",
    () => mixed({ ...columns, y: x.map(() => 1) }, { target: "y", group: "g" }),
  ],
  [
    "a place that cannot be written",
    "write",
    () => importFiles(at("data.csv"), at("no/such/x"), { target: "y" }),
  ],
  ["a chain that runs away", "diverged", runAway],
  [
    "a run that was stopped before it began",
    "stopped",
    () => fit(at("data.csv"), { target: "y", signal: stopped }),
  ],
  [
    "predictions that were stopped",
    "stopped",
    async () =>
      predict((await run(columns, { target: "y" })).details.predictor(), columns, { signal: stopped }),
  ],
];

test.each(cases)("%s has the code %s", async (_, code, work) => {
  const error = await Promise.resolve()
    .then(work)
    .catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(SparrowError);
  expect((error as SparrowError).code).toBe(code);
  // One sentence.
  expect((error as SparrowError).message).toMatch(/^.+[.?]$/);
});

test("a program can switch on the codes, and the compiler knows when one is new", () => {
  const advice = (code: ErrorCode): string => {
    switch (code) {
      case "option":
      case "column":
        return "ask again";
      case "file":
      case "format":
      case "data":
        return "look at the data";
      case "write":
        return "make room";
      case "diverged":
        return "smaller steps";
      case "stopped":
        return "never mind";
    }
  };
  expect(advice("stopped")).toBe("never mind");
});
