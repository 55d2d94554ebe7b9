import { expect, test } from "vitest";
import { CHAIN_STREAMS, MIXED_STREAMS, RUN_STREAMS } from "../../src/sampling/streams.js";

test("no two streams of one generator have the same number", () => {
  for (const streams of [RUN_STREAMS, CHAIN_STREAMS, MIXED_STREAMS]) {
    const numbers = Object.values(streams);
    expect(new Set(numbers).size).toBe(numbers.length);
  }
});

test("streams that count up leave room for more chains than anybody runs", () => {
  const numbers = Object.values(RUN_STREAMS).sort((a, b) => a - b);
  for (const counting of [
    RUN_STREAMS.chains,
    RUN_STREAMS.holes,
    RUN_STREAMS.imputation,
    RUN_STREAMS.augmentation,
  ]) {
    const next = numbers.find((number) => number > counting) ?? Number.POSITIVE_INFINITY;
    expect(next - counting).toBeGreaterThan(50_000);
  }
});
