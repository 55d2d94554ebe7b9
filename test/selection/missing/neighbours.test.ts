import { expect, it } from "vitest";
import { HOLED_EFFECTS, holedRegression } from "../../../src/experiments/missing-data.js";
import { fitRegression, variable } from "../fit-arrays.js";

it("a law of the candidates and their neighbours agrees with that of all columns", async () => {
  const data = holedRegression({ rows: 700, columns: 60, share: 0.15, seed: 21 });
  // The prior of a thousand columns: with that of sixty, most of them would have to join the candidates.
  const priorInclusion = 0.0005;
  const joint = await fitRegression(data, { priorInclusion, iterations: 100 }, true);
  const near = await fitRegression(data, { priorInclusion, iterations: 400, burnIn: 200 }, false);
  expect(joint.missing!.lawOf).toBe(60);
  // Three candidates, two of which have holes and so ten neighbours each, and what the search brought along.
  expect(near.missing!.lawOf).toBeGreaterThanOrEqual(13);
  expect(near.missing!.lawOf).toBeLessThan(40);
  expect(near.certificate).toMatchObject({ complete: true });
  const selected = (result: typeof near) => result.variables.filter((v) => v.selected).map((v) => v.name);
  expect(selected(near).sort()).toEqual(selected(joint).sort());
  for (const j of HOLED_EFFECTS.keys()) {
    const [one, other] = [variable(joint, `x${j}`), variable(near, `x${j}`)];
    // Monte Carlo errors of 200 sweeps are a tenth of a posterior sd or so; what the other columns tell is little.
    expect(Math.abs(one.mean - other.mean)).toBeLessThan(0.6 * one.sd);
    expect(other.sd / one.sd).toBeGreaterThan(0.8);
    expect(other.sd / one.sd).toBeLessThan(1.25);
  }
});
