import { describe, expect, it } from "vitest";
import { type Block, blocksOf, kindOf, printedBy, wordsOf } from "./blocks.js";

const page = [
  "Fit it:",
  "",
  "    sparrow fit 'my data.csv' # by its name",
  "    npm start",
  "",
  "```text",
  "done",
  "```",
  "",
  "    y = a + b·x",
  "",
  "<!-- not run: needs a planet -->",
  "<!-- given:",
  "const x = 1;",
  "-->",
  "",
  "```ts",
  "console.log(x);",
  "```",
  "",
].join("\n");

describe("a page is read block by block", () => {
  const blocks = blocksOf("page.md", page);

  it("with the kind, the line and the marks of each", () => {
    expect(blocks.map((block) => [block.line, kindOf(block)])).toEqual([
      [3, "commands"],
      [6, "output"],
      [10, "formula"],
      [17, "code"],
    ]);
    expect(blocks[3].marks).toEqual({ "not run": "needs a planet", given: "const x = 1;" });
    expect(blocks[0].marks).toEqual({});
  });

  it("output belongs to what ran before it", () => {
    expect(printedBy(blocks[0], blocks)?.text).toBe("done\n");
    expect(printedBy(blocks[3], blocks)).toBeUndefined();
  });

  it("a command is its words, as a shell has them", () => {
    expect(wordsOf(blocks[0].text.split("\n")[0])).toEqual(["sparrow", "fit", "my data.csv"]);
  });
});

it.each([
  ["a language that nobody runs", { language: "cobol", text: "STOP RUN.\n" }],
  ["a command among words", { language: "indented", text: "First:\nsparrow fit data.csv\n" }],
])("%s does not pass unseen", (_, { language, text }) => {
  const block: Block = { document: "page.md", line: 1, language, text, marks: {} };
  expect(() => kindOf(block)).toThrow("page.md:1");
});
