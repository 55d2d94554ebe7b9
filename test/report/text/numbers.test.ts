import { describe, expect, it } from "vitest";
import { probability } from "../../../src/report/text/numbers.js";

describe("probabilities as people read them", () => {
  it("are 1 where only the rounding of a sum keeps them below, and nearly 1 otherwise", () => {
    expect([1, 1 - 2 ** -52, 1 - 1e-13].map(probability)).toEqual(["1.000", "1.000", "1.000"]);
    expect([1 - 1e-11, 1 - 1e-6, 0.9996].map(probability)).toEqual([">0.999", ">0.999", ">0.999"]);
    expect(probability(0.9994)).toBe("0.999");
  });

  it("are 0 only where they are nothing", () => {
    expect([0, 1e-300, 4e-4, 6e-4].map(probability)).toEqual(["0.000", "<0.001", "<0.001", "0.001"]);
  });
});
