import { describe, expect, it, test } from "vitest";
import { helpText } from "../../src/cli/help.js";
import { parseCommand } from "../../src/cli/parse.js";
import { commands } from "../../src/cli/run.js";
import { SparrowError } from "../../src/errors.js";
import { checkOptions as checkMixed } from "../../src/mixed/options.js";
import { COMPARE_METHODS } from "../../src/options/choices.js";
import { checkCompare, compareOptions } from "../../src/options/compare.js";
import { checkOptions as checkFit } from "../../src/options/fit.js";
import { checkImport, importOptions } from "../../src/options/import.js";
import { mixedOptions } from "../../src/options/mixed.js";
import type { Option, OptionTable } from "../../src/options/option.js";
import { checkPredict, predictOptions } from "../../src/options/predict.js";
import { options } from "../../src/options/table.js";
import { PEER_METHODS } from "../../src/peers/methods.js";
import { asFlag } from "../../src/wording.js";
import { wrongFor } from "./wrong-values.js";

/** The options of the library, with what checks them. */
const library: Readonly<Record<string, { table: OptionTable; check(asked: object): void }>> = {
  fit: { table: options, check: (asked) => checkFit(asked as never) },
  import: { table: importOptions, check: (asked) => checkImport(asked as never) },
  compare: { table: compareOptions, check: (asked) => checkCompare(asked as never) },
  mixed: { table: mixedOptions, check: (asked) => checkMixed(asked) },
  predict: { table: predictOptions, check: (asked) => checkPredict(asked) },
};
const libraryOptions = Object.entries(library).flatMap(([command, { table, check }]) =>
  Object.entries(table).map(([name, option]) => ({ command, name, option, check })),
);
const commandOptions = commands.flatMap((command) =>
  Object.entries(command.options).map(([name, option]) => ({ command: command.name, name, option })),
);

/** Nothing is explained by predicting. */
const aTarget = (command: string) => (command === "predict" ? {} : { target: "y" });

function errorOf(action: () => unknown): SparrowError {
  try {
    action();
  } catch (error) {
    expect(error).toBeInstanceOf(SparrowError);
    return error as SparrowError;
  }
  throw new Error("nothing was wrong");
}

/** One sentence about this option, spelt for those who read it. */
function expectSentence(text: string, start: string): void {
  expect(text).toMatch(/^[^\n]*[.?]$/);
  expect(text).not.toMatch(/[\ue000\ue001]|undefined|\[object/);
  expect(text.slice(0, start.length + 1)).toMatch(new RegExp(`^${start}[ :]$`));
}

describe("a wrong value is refused in a sentence that names the option", () => {
  it.each(libraryOptions)("in the library: $name of $command", ({ command, name, option, check }) => {
    const { values } = wrongFor(command, name, option);
    expect(values.length).toBeGreaterThan(0);
    for (const value of values) {
      const error = errorOf(() => check({ ...aTarget(command), [name]: value }));
      expectSentence(error.message, name);
      expect(error.code).toBe("option");
    }
  });

  it.each(commandOptions)("on the command line: $name of $command", ({ command: of, name, option }) => {
    const command = commands.find((each) => each.name === of)!;
    for (const word of wrongFor(of, name, option).words) {
      const argv = [...command.positionals, `${asFlag(name)}=${word}`];
      const error = errorOf(() => parseCommand(command, argv));
      expectSentence(error.commandLine, asFlag(name));
      expect(error.code).toBe("option");
    }
  });
});

describe("what holds unless told", () => {
  const withUsual = commandOptions.filter(({ option }) => option.usual !== undefined);

  it.each(withUsual)("is a value that $name of $command may have", ({ name, option }) => {
    expect(option.kind.problem(option.usual, name)).toBeUndefined();
    expect(option.kind.read(String(option.usual), name)).toEqual(option.usual);
  });

  it("is said once: as a value or in words", () => {
    for (const { option } of commandOptions) {
      expect(option.usual === undefined || option.usually === undefined).toBe(true);
    }
  });
});

describe("a value of the right kind is taken as it is meant", () => {
  const read = (command: string, ...argv: string[]) => {
    const found = commands.find(({ name }) => name === command)!;
    return parseCommand(found, [...found.positionals, ...argv]).options;
  };

  test.each<[string, string[], object]>([
    ["numbers", ["--chains", "3", "--slab-variance", "2.5"], { chains: 3, slabVariance: 2.5 }],
    ["sizes", ["--memory", "2GB"], { memory: 2e9 }],
    ["sizes of two to the power of ten", ["--memory", "1.5MiB"], { memory: 1572864 }],
    ["a number or a word", ["--noise-variance", "unknown"], { noiseVariance: "unknown" }],
    ["lists, quoted where names hold commas", ["--exclude", 'a, "b, c"'], { exclude: ["a", "b, c"] }],
    ["a step", ["--step-size", "1e-4"], { stepSize: 1e-4 }],
    ["a decreasing step", ["--step-size", "polynomial:1,2,0.5"], { stepSize: { a: 1, b: 2, kappa: 0.5 } }],
    ["cycles", ["--step-size", "cyclical:1,50"], { stepSize: { a: 1, length: 50 } }],
    [
      "cycles that explore",
      ["--step-size", "cyclical:1,50,0.2"],
      { stepSize: { a: 1, length: 50, exploration: 0.2 } },
    ],
    ["flags", ["--json"], { json: true }],
    ["single rows", ["--sampling", "rows"], { sampling: "rows" }],
  ])("%s", (_, argv, expected) => {
    expect(read("fit", ...argv)).toEqual(expected);
  });

  it("and so are lists without any member, and lists of numbers", () => {
    expect(read("mixed", "--fixed", "none")).toEqual({ fixed: [] });
    expect(read("reproduce", "--moves", "1,10")).toEqual({ moves: [1, 10] });
  });

  it("in the order of the table, whatever the order of the words", () => {
    const given = read("fit", "--seed", "3", "--chains", "2", "--family", "poisson");
    expect(Object.keys(given)).toEqual(["family", "chains", "seed"]);
  });
});

describe("the same option is the same everywhere", () => {
  it.each(["memory", "threads", "seed", "quiet", "json", "out"])("%s", (name) => {
    const found = commandOptions.filter((each) => each.name === name).map(({ option }): Option => option);
    expect(found.length).toBeGreaterThan(1);
    for (const option of found) expect(option).toBe(found[0]);
  });

  it("and every command that reads or writes large data has --memory", () => {
    const having = commandOptions.filter(({ name }) => name === "memory").map(({ command }) => command);
    expect(having.sort()).toEqual([
      ...["clusters", "compare", "describe", "fit", "import", "mixed", "predict", "simulate"],
      ...["states", "studio", "verify"],
    ]);
  });
});

describe("the help of a command", () => {
  it.each(commands.map((command) => [command.name, command] as const))(
    "lists every option of %s",
    (_, command) => {
      const lines = helpText(command).split("\n");
      for (const name of [...Object.keys(command.options), "help"]) {
        expect(lines.filter((line) => line.match(`^  ${asFlag(name)}( |$)`))).toHaveLength(1);
      }
    },
  );
});

describe("a name that there is not", () => {
  it.each(Object.entries(library))("is refused by %s, with what was probably meant", (command, { check }) => {
    const misspelt = errorOf(() => check({ ...aTarget(command), memroy: 1 }));
    expect(misspelt.message).toBe("There is no option memroy; did you mean memory?");
    const foreign = errorOf(() => check({ ...aTarget(command), somethingElse: 1 }));
    expect(foreign.message).toMatch(/^There is no option somethingElse; the options are .*memory.*signal/);
    const found = commands.find(({ name }) => name === command)!;
    const given = errorOf(() => parseCommand(found, [...found.positionals, "--memroy", "1"]));
    expect(given.commandLine).toBe(`sparrow ${command} has no option --memroy; did you mean --memory?`);
  });

  it("is no property of an object by accident", () => {
    expect(errorOf(() => checkFit({ target: "y", toString: 1 } as never)).message).toMatch(
      /no option toString/,
    );
  });
});

it("the methods that options name are those that can be run", () => {
  expect(COMPARE_METHODS).toEqual(["esgld", ...Object.keys(PEER_METHODS)]);
});
