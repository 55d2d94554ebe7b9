import { crc32, deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { inNode } from "../../src/tables/excel/in-node.js";
import { inPage } from "../../src/tables/excel/in-page.js";
import { intactFiles } from "../../src/tables/excel/intact-zip.js";
import { storedZip } from "../../src/tables/excel/stored-zip.js";

const text = new TextEncoder().encode("a sheet of many words, ".repeat(5000));

test("a page unpacks what workbooks are packed by, and no more than they say", async () => {
  const packed = deflateRawSync(text);
  expect(await inPage.inflate(packed, text.length + 1)).toEqual(text);
  await expect(inPage.inflate(packed, text.length - 1)).rejects.toThrow("more than it says");
  await expect(inPage.inflate(packed.subarray(0, 40), text.length + 1)).rejects.toThrow();
  expect(inPage.crc32(text)).toBe(crc32(text));
});

test("files that were unpacked make a whole workbook again", async () => {
  const files = ["xl/a.xml", "b.xml"].map((name, i) => {
    const content = text.slice(0, 100 + i);
    return { name, content, crc: crc32(content) };
  });
  const found = await intactFiles(storedZip(files), inNode, () => {});
  expect(found.map(({ name, content }) => [name, [...content]])).toEqual(
    files.map(({ name, content }) => [name, [...content]]),
  );
});
