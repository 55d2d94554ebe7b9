import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sphericalNotes } from "../../src/clustering/tables/spherical.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { asFlag } from "../../src/wording.js";
import { sparrow } from "../cli/fake-effects.js";

/** Rows of two columns, the second so much wider. */
function rowsOf(wider: number): Float64Array {
  const rng = Rng.seeded(2);
  return Float64Array.from({ length: 120 }, (_, i) => (i % 2 ? wider : 1) * normal(rng));
}

it("says what spherical means where columns differ in width, and nothing where they do not", () => {
  const notes = (wider: number) => sphericalNotes("spherical", rowsOf(wider), ["x", "y"], asFlag);
  expect(notes(20)).toHaveLength(1);
  expect(notes(20)[0]).toMatch(
    /^With --covariance spherical a width is the same in all columns in units of their standard deviations \([\d.]+ in "x", [\d.]+ in "y"\), not in those of the data; with --covariance diagonal every column has its own\.$/,
  );
  // Which is the wider one does not matter.
  expect(notes(0.05)[0]).toMatch(/\(0\.0\d+ in "y", [\d.]+ in "x"\)/);
  const even = Float64Array.from(rowsOf(1), (x, i) => (i % 2 ? x : rowsOf(1)[i + 1]));
  expect(sphericalNotes("spherical", even, ["x", "y"], asFlag)).toEqual([]);
  expect(sphericalNotes("spherical", rowsOf(1), ["x"], asFlag)).toEqual([]);
  for (const shape of ["full", "diagonal", "tied"] as const) {
    expect(sphericalNotes(shape, rowsOf(20), ["x", "y"], asFlag)).toEqual([]);
  }
});

it.each([
  ["clusters", "--components"],
  ["states", "--states"],
])("sparrow %s says so and keeps it in the run", async (command, count) => {
  const folder = mkdtempSync(join(tmpdir(), "spherical-"));
  try {
    const values = rowsOf(20);
    const lines = Array.from({ length: 60 }, (_, i) => `${values[2 * i]},${values[2 * i + 1]}\n`);
    writeFileSync(join(folder, "rows.csv"), `x,y\n${lines.join("")}`);
    const out = join(folder, "run");
    const asked = [command, join(folder, "rows.csv"), count, "1", "--covariance", "spherical", "--out", out];
    const { status, err } = await sparrow(...asked);
    expect(status, err).toBe(0);
    const [note] = sphericalNotes("spherical", values, ["x", "y"], asFlag);
    expect(err).toContain(note);
    expect(JSON.parse(readFileSync(join(out, "summary.json"), "utf8")).notes).toEqual([note]);
    expect(readFileSync(join(out, "report.html"), "utf8")).toContain("not in those of the data");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
