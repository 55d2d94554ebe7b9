import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SparrowError, writing } from "../../src/errors.js";
import { fit, importFiles } from "../../src/node.js";
import { readError } from "../../src/tables/read-errors.js";
import { arrayTable } from "../../src/tables/readers/arrays.js";
import { writeTable } from "../../src/tables/write.js";
import { numbers } from "./tables.js";

const cases = "test/cases/bad";
const messages: Record<string, string> = JSON.parse(readFileSync(join(cases, "messages.json"), "utf8"));

/** What the user is told who wants no holes filled, with the folder taken out. */
async function told(path: string, folder: string, target?: string): Promise<string> {
  try {
    await fit(path, {
      target: path.endsWith(".sparrow") ? undefined : (target ?? "y"),
      threads: 1,
      memory: 64e6,
      ...(!path.endsWith(".sparrow") && { missing: "error" }),
    });
  } catch (error) {
    expect((error as Error).name).toBe("SparrowError");
    return (error as SparrowError).commandLine.replaceAll(`${folder}/`, "");
  }
  return "(it gave an answer)";
}

describe("a bad file", () => {
  it("has a message of its own in the folder of bad files", () => {
    const files = readdirSync(cases).filter((file) => file !== "messages.json");
    expect(files.sort()).toEqual(Object.keys(messages).sort());
  });

  for (const [file, message] of Object.entries(messages)) {
    it(`${file}: ${message}`, async () => {
      expect(await told(join(cases, file), cases, file.endsWith(".svm") ? "label" : "y")).toBe(message);
    });
  }
});

describe("a file that went bad", () => {
  let folder = "";
  const at = (name: string) => join(folder, name);
  const table = numbers(400, 3);
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "sparrow-bad-"));
    await writeTable(arrayTable(table), at("good.parquet"));
    await importFiles(at("good.parquet"), at("good.sparrow"), { target: "y" });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("is refused when Parquet was cut short", async () => {
    copyFileSync(at("good.parquet"), at("cut.parquet"));
    truncateSync(at("cut.parquet"), 3000);
    expect(await told(at("cut.parquet"), folder)).toBe(
      "cut.parquet is damaged or was cut short; make or copy it again.",
    );
  });

  it("is refused when text turns up in row 40,001 of a numeric column", async () => {
    const rows = Array.from({ length: 50_000 }, (_, i) => (i === 40_000 ? "oops,1" : `${i},${i % 7}`));
    writeFileSync(at("late.csv"), `a,y\n${rows.join("\n")}\n`);
    expect(await told(at("late.csv"), folder)).toBe(
      'late.csv: column "a" holds "oops" in row 40001, where 49999 of 50000 cells are numbers; correct it, or use --na oops if that means a missing value, --text a if all of them are words, or leave the column out with --exclude a.',
    );
  });

  it("is refused when a store was cut short", async () => {
    copyFileSync(at("good.sparrow"), at("cut.sparrow"));
    truncateSync(at("cut.sparrow"), 6000);
    expect(await told(at("cut.sparrow"), folder)).toBe("cut.sparrow was cut short; import the data again.");
    truncateSync(at("cut.sparrow"), 40);
    expect(await told(at("cut.sparrow"), folder)).toBe("cut.sparrow was cut short; import the data again.");
  });

  it("is refused when any one bit of a store was flipped", async () => {
    const whole = readFileSync(at("good.sparrow"));
    for (let byte = 0; byte < whole.length; byte += byte < 64 ? 1 : 331) {
      // Between the description and the data there is nothing but padding, and byte 8 to 11 are the version.
      const bytes = Buffer.from(whole);
      bytes[byte] ^= 16;
      writeFileSync(at("flipped.sparrow"), bytes);
      const said = await told(at("flipped.sparrow"), folder);
      const padding = whole[byte] === 0 && byte > 64 && byte < 4096;
      if (padding) continue;
      expect(said, `byte ${byte}`).toMatch(
        /^flipped.sparrow (has been altered or damaged in |is not a store|is a store of version|was cut short)/,
      );
    }
  });

  it("is refused when a store is of a newer version", async () => {
    const bytes = readFileSync(at("good.sparrow"));
    bytes.writeUInt32LE(2, 8);
    writeFileSync(at("newer.sparrow"), bytes);
    expect(await told(at("newer.sparrow"), folder)).toBe(
      "newer.sparrow is a store of version 2, but this Sparrow reads versions up to 1; update Sparrow or import the data again.",
    );
  });

  it("leaves nothing behind when an import fails", async () => {
    const before = readdirSync(folder);
    await expect(
      importFiles(join(cases, "ragged.csv"), at("never.sparrow"), { target: "y" }),
    ).rejects.toThrow();
    await expect(
      importFiles(at("good.parquet"), at("never.sparrow"), { target: "y", signal: AbortSignal.abort() }),
    ).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(before);
  });

  it.skipIf(!existsSync("/dev/full"))("says that the disk is full", () => {
    const file = openSync("/dev/full", "w");
    expect(() => writing("data.sparrow", () => writeSync(file, "x"))).toThrow(
      "data.sparrow could not be written: the disk is full.",
    );
    closeSync(file);
  });
});

it("a file that takes more memory than there is for it is told so", () => {
  const said = new Error(
    "Out of Memory Error: failed to allocate data of size 64.0 KiB (357.5 MiB/357.6 MiB used)\nmore",
  );
  const { message } = readError("wide.parquet", said);
  expect(message).toMatch(/^wide\.parquet takes more memory to be read than there is for it; raise .*memory/);
});
