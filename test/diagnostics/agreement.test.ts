import { expect, it } from "vitest";
import { agreement } from "../../src/diagnostics/agreement.js";
import { essBulk, essTail } from "../../src/diagnostics/ess.js";
import { rhat } from "../../src/diagnostics/rhat.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";

const rng = Rng.seeded(16);
const walks = (chains: number, length: number, of: (x: number) => number = (x) => x) =>
  Array.from({ length: chains }, (_, c) => {
    let x = c;
    return Float64Array.from({ length }, () => {
      x = 0.7 * x + normal(rng);
      return of(x);
    });
  });

it.each([
  ["even chains", walks(2, 200)],
  ["odd chains", walks(3, 201)],
  ["ties", walks(2, 120, Math.round)],
  ["two values", walks(2, 100, (x) => (x > 1 ? 1 : 0))],
  ["a single chain", walks(1, 64)],
  ["chains of four draws", walks(2, 4)],
  ["chains of two draws", walks(2, 2)],
  ["chains stuck apart", [new Float64Array(20).fill(1), new Float64Array(20).fill(2)]],
  ["nothing that varies", [new Float64Array(20).fill(1), new Float64Array(20).fill(1)]],
  ["a draw that is not finite", [Float64Array.of(1, 2, Number.NaN, 4, 5, 6), new Float64Array(6)]],
])("three diagnostics at once are those of three calls: %s", (_, chains) => {
  expect(agreement(chains)).toEqual({
    rhat: rhat(chains),
    essBulk: essBulk(chains),
    essTail: essTail(chains),
  });
});
