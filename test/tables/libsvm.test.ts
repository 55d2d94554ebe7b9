import { describe, expect, it } from "vitest";
import { Rng } from "../../src/math/rng.js";
import { LineParser } from "../../src/tables/libsvm/libsvm-table.js";

/** Parses a text that arrives in pieces of the given length. */
function parse(text: string, piece = text.length) {
  const parser = new LineParser("t.svm");
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += piece) parser.feed(bytes.subarray(at, at + piece));
  parser.end();
  const { rows, target, starts, columns, values } = parser.take();
  return Array.from({ length: rows }, (_, i) => ({
    label: target[i],
    entries: Array.from({ length: starts[i + 1] - starts[i] }, (_, e) => [
      columns[starts[i] + e] + 1,
      values[starts[i] + e],
    ]),
  }));
}

describe("a LIBSVM line", () => {
  const text =
    "# a comment\n+1 1:0.5 3:-2 7:1e-3 # the rest\n\n-1 qid:4 2:1\r\n0.25\n3e2\t1:.5  5:2.\n  7 1:0 4:+3\n1 2:4";
  const rows = [
    {
      label: 1,
      entries: [
        [1, 0.5],
        [3, -2],
        [7, 1e-3],
      ],
    },
    { label: -1, entries: [[2, 1]] },
    { label: 0.25, entries: [] },
    {
      label: 300,
      entries: [
        [1, 0.5],
        [5, 2],
      ],
    },
    { label: 7, entries: [[4, 3]] },
    { label: 1, entries: [[2, 4]] },
  ];

  it("is read with signs, exponents, comments, qid, blanks, zeros and without a last newline", () => {
    expect(parse(text)).toEqual(rows);
  });

  it("may be cut anywhere on its way in", () => {
    for (const piece of [1, 2, 3, 7, 20]) expect(parse(text, piece)).toEqual(rows);
  });

  it("gives the very numbers that JavaScript reads", () => {
    const rng = Rng.seeded(4);
    const numbers = Array.from({ length: 3000 }, () => {
      const digits = 1 + rng.below(20);
      const whole = Array.from({ length: digits }, () => rng.below(10)).join("");
      const fraction = Array.from({ length: rng.below(22) }, () => rng.below(10)).join("");
      const exponent = rng.below(3) === 0 ? `e${rng.below(30) - 20}` : "";
      return `${rng.below(2) ? "-" : ""}${whole}${fraction ? `.${fraction}` : ""}${exponent}`;
    });
    const read = parse(numbers.map((number) => `${number}\n`).join(""));
    expect(read.map(({ label }) => label)).toEqual(numbers.map(Number));
  });
});
