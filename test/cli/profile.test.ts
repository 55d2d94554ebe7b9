import { afterEach, describe, expect, it } from "vitest";
import { profileText } from "../../src/cli/profile-text.js";
import { runCli } from "../../src/cli/run.js";
import { type Moment, type Profile, profiling, span } from "../../src/profile.js";
import { fakeEffects } from "./fake-effects.js";

let end: (() => Profile) | undefined;
afterEach(() => void end?.());

/** A clock that goes on when it is told to; the processor does twice as much. */
function clock() {
  let time = 10;
  const now = (): Moment => ({ clock: time, cpu: 2 * time });
  const pass = (by: number): void => {
    time += by;
  };
  return { pass, now };
}

const told = (profile: Profile) => Object.fromEntries(profile.map(({ part, clock }) => [part, clock]));
const sumOf = (profile: Profile, of: "clock" | "cpu") =>
  profile.slice(0, -1).reduce((sum, line) => sum + line[of], 0);

describe("a profile", () => {
  it("gives every moment to what was begun last and is not over, and the rest to nobody", () => {
    const { pass, now } = clock();
    end = profiling(now, [["starting Node", { clock: 4, cpu: 8 }]]);
    pass(1);
    span("reading", () => {
      pass(2);
      span("reading: shuffling", () => pass(3));
      pass(4);
    });
    pass(5);
    const profile = end();
    expect(told(profile)).toEqual({
      "starting Node": 4,
      reading: 6,
      "reading: shuffling": 3,
      "not explained": 12,
      "whole process": 25,
    });
    expect(profile.at(-1)).toEqual({ part: "whole process", clock: 25, cpu: 50 });
    expect(sumOf(profile, "clock")).toBe(25);
    expect(sumOf(profile, "cpu")).toBe(50);
  });

  it("makes up the whole where things run at the same time, and fail", async () => {
    const { pass, now } = clock();
    end = profiling(now, []);
    let [first, second] = [() => {}, () => {}];
    const one = span("starting threads", () => new Promise<void>((resolve) => (first = resolve)));
    pass(1);
    const other = span(
      "reading",
      () => new Promise<void>((_, reject) => (second = () => reject(new Error("no")))),
    );
    pass(2);
    first();
    await one;
    pass(4);
    second();
    await expect(other).rejects.toThrow("no");
    expect(() =>
      span("answer", () => {
        pass(8);
        throw new Error("no");
      }),
    ).toThrow("no");
    pass(16);
    const profile = end();
    expect(told(profile)).toEqual({
      "starting threads": 1,
      reading: 6,
      answer: 8,
      "not explained": 26,
      "whole process": 41,
    });
    expect(sumOf(profile, "clock")).toBe(41);
  });

  it("counts nothing once it is told, or where nobody asked", () => {
    const { pass, now } = clock();
    end = profiling(now, []);
    end();
    expect(span("reading", () => 7)).toBe(7);
    pass(5);
    expect(told(end())).toEqual({ "not explained": 15, "whole process": 15 });
  });

  it("is a table of seconds whose last two lines are what nobody explains and the whole", () => {
    const text = profileText([
      { part: "reading", clock: 1500, cpu: 2000 },
      { part: "not explained", clock: 20, cpu: 0 },
      { part: "whole process", clock: 1520, cpu: 2000 },
    ]);
    expect(text.split("\n")).toEqual([
      "Seconds          clock      CPU   share",
      "reading          1.500    2.000   98.7%",
      "not explained    0.020    0.000    1.3%",
      "whole process    1.520    2.000  100.0%",
      "",
    ]);
  });
});

it("sparrow fit --profile accounts for the process by the stages of a fit", async () => {
  const effects = fakeEffects();
  expect(await runCli(["fit", "examples/crime.csv", "--target", "y", "--profile", "--quiet"], effects)).toBe(
    0,
  );
  const lines = effects.messages
    .trimEnd()
    .split("\n")
    .map((line) => /^(.*?)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)%$/.exec(line))
    .filter((found) => found !== null)
    .map(([, part, clock, cpu]) => ({ part, clock: Number(clock), cpu: Number(cpu) }));
  const names = lines.map(({ part }) => part);
  for (const part of ["opening files", "reading: waiting for rows", "screen", "polish", "answer", "writing"])
    expect(names).toContain(part);
  expect(names.slice(-2)).toEqual(["not explained", "whole process"]);
  const whole = lines[lines.length - 1];
  for (const of of ["clock", "cpu"] as const) {
    const sum = lines.slice(0, -1).reduce((total, line) => total + line[of], 0);
    // Every line is rounded to a thousandth.
    expect(Math.abs(sum - whole[of])).toBeLessThan(0.0006 * lines.length);
  }
});

it("without it nothing is told", async () => {
  const effects = fakeEffects();
  await runCli(["fit", "examples/crime.csv", "--target", "y", "--quiet"], effects);
  expect(effects.messages).toBe("");
});
