import { describe, expect, it } from "vitest";
import { readDate, readDigits, readTime } from "../../src/tables/cells/dates.js";
import { readNumber } from "../../src/tables/cells/numbers.js";

describe("a number", () => {
  it.each<[cell: string, point: number | undefined, comma: number | undefined]>([
    ["12", 12, 12],
    ["-1.5e3", -1500, undefined],
    ["1,234", 1234, 1.234],
    ["1.234", 1.234, 1234],
    ["1,234.50", 1234.5, undefined],
    ["1.234,50", undefined, 1234.5],
    ["1,234,567", 1_234_567, undefined],
    ["1.234.567", undefined, 1_234_567],
    ["0.567", 0.567, undefined],
    ["0,567", undefined, 0.567],
    ["1 234 567", 1_234_567, 1_234_567],
    ["1 234,5", undefined, 1234.5],
    ["1'234.5", 1234.5, undefined],
    ["12,34,567", 1_234_567, undefined],
    ["1,23", undefined, 1.23],
    ["1,2345", undefined, 1.2345],
    ["$1,234.50", 1234.5, undefined],
    ["-$5", -5, -5],
    ["$-5", -5, -5],
    ["12,5 €", undefined, 12.5],
    ["45%", 45, 45],
    ["(3.20)", -3.2, undefined],
    ["'007", 7, 7],
    ["\u22124", -4, -4],
    ["4-", -4, -4],
    [".5", 0.5, undefined],
    [",5", undefined, 0.5],
    ["5.", 5, undefined],
    ["inf", Infinity, Infinity],
    ...[
      "1.2.3",
      "5+",
      "12 kg",
      "1,2,3",
      "1 23",
      "0x10",
      "--5",
      "(-5)",
      "1e",
      "$",
      "",
      "1,234 567",
      "%",
      "$5€",
    ].map((cell): [string, undefined, undefined] => [cell, undefined, undefined]),
  ])("%s is %s with decimal points and %s with decimal commas", (cell, point, comma) => {
    expect([readNumber(cell, ".")?.value, readNumber(cell, ",")?.value]).toEqual([point, comma]);
  });
});

describe("a date", () => {
  const day = (...parts: [number, number, number, number?, number?, number?]) =>
    Date.UTC(parts[0], parts[1] - 1, ...(parts.slice(2) as [number])) / 86_400_000;
  it.each<[cell: string, dmy: number | undefined, mdy: number | undefined]>([
    ["2024-03-04", day(2024, 3, 4), day(2024, 3, 4)],
    ["2024/3/4", day(2024, 3, 4), day(2024, 3, 4)],
    ["2024-03-04 10:30", day(2024, 3, 4, 10, 30), day(2024, 3, 4, 10, 30)],
    ["2024-03-04T10:30:00Z", day(2024, 3, 4, 10, 30), day(2024, 3, 4, 10, 30)],
    ["2024-03-04T10:30:00+02:00", day(2024, 3, 4, 8, 30), day(2024, 3, 4, 8, 30)],
    ["2024-03-04T23:30:00-0200", day(2024, 3, 5, 1, 30), day(2024, 3, 5, 1, 30)],
    ["3/4/2024", day(2024, 4, 3), day(2024, 3, 4)],
    ["13/4/2024", day(2024, 4, 13), undefined],
    ["4/13/2024", undefined, day(2024, 4, 13)],
    ["04.03.24", day(2024, 3, 4), day(2024, 4, 3)],
    ["1-2-70", day(1970, 2, 1), day(1970, 1, 2)],
    ["4 Mar 2024", day(2024, 3, 4), day(2024, 3, 4)],
    ["04-MAR-24", day(2024, 3, 4), day(2024, 3, 4)],
    ["March 4, 2024", day(2024, 3, 4), day(2024, 3, 4)],
    ["Mon, 4 Mar 2024 10:30 pm", day(2024, 3, 4, 22, 30), day(2024, 3, 4, 22, 30)],
    ["Sept 2024", day(2024, 9, 1), day(2024, 9, 1)],
    ["2024-03", day(2024, 3, 1), day(2024, 3, 1)],
    ["2024Q2", day(2024, 4, 1), day(2024, 4, 1)],
    ["29 Feb 2024", day(2024, 2, 29), day(2024, 2, 29)],
    ...[
      "2023-02-29",
      "30/02/2024",
      "2024-13-01",
      "1.2.3",
      "12",
      "May",
      "3/4",
      "2024-03-04 25:00",
      "4 Foo 2024",
    ].map((cell): [string, undefined, undefined] => [cell, undefined, undefined]),
  ])("%s", (cell, dmy, mdy) => {
    expect([readDate(cell, "dmy"), readDate(cell, "mdy")]).toEqual([dmy, mdy]);
  });

  it("follows a pattern", () => {
    expect(readDate("2024|04|03", "%Y|%d|%m")).toBe(day(2024, 3, 4));
    expect(readDate("Mar 4 24 10:30 PM", "%b %d %y %I:%M %p")).toBe(day(2024, 3, 4, 22, 30));
    expect(readDate("2024-03-04", "%Y|%d|%m")).toBeUndefined();
  });

  it("may be eight digits, and a time is in hours", () => {
    expect([readDigits("20240304"), readDigits("20241304"), readDigits("12345678")]).toEqual([
      day(2024, 3, 4),
      undefined,
      undefined,
    ]);
    expect(["10:30", "10:30:36", "12:00 am", "1:15 PM", "24:00", "10:60"].map(readTime)).toEqual([
      10.5,
      10.51,
      0,
      13.25,
      undefined,
      undefined,
    ]);
  });
});
