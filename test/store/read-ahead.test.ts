import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { steadyMembers } from "../../src/store/open/on-disk.js";
import { QUEUE, readAhead } from "../../src/store/open/read-ahead.js";

const folder = mkdtempSync(join(tmpdir(), "sparrow-ahead-"));
const path = join(folder, "file");
writeFileSync(path, new Uint8Array(1 << 16));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("is of use once reads wait for the disk, and no longer when they do not", () => {
  const ahead = readAhead(path);
  for (let i = 0; i < 100; i++) ahead.took(0.02, 4096);
  expect(ahead.useful).toBe(false);
  for (let i = 0; i < 20; i++) ahead.took(5, 4096);
  expect(ahead.useful).toBe(true);
  for (let i = 0; i < 300; i++) ahead.took(0.02, 4096);
  expect(ahead.useful).toBe(false);
  // A megabyte may take longer than a page.
  for (let i = 0; i < 100; i++) ahead.took(0.8, 1 << 20);
  expect(ahead.useful).toBe(false);
  ahead.close();
});

it("takes up every request, those beyond the end of the file too, and forgets what is more than the queue holds", async () => {
  const ahead = readAhead(path);
  for (let i = 0; i < 2 * QUEUE; i++) ahead.want(1000 * i, 4096);
  expect(ahead.waiting).toBeLessThanOrEqual(QUEUE);
  for (let tries = 0; ahead.waiting > 0 && tries < 500; tries++) await setTimeout(10);
  expect(ahead.waiting).toBe(0);
  ahead.want(0, 1 << 16);
  for (let tries = 0; ahead.waiting > 0 && tries < 500; tries++) await setTimeout(10);
  expect(ahead.waiting).toBe(0);
  ahead.close();
});

it("expects the columns that were used with the last two batches", () => {
  const members = steadyMembers();
  const batch = (...slots: number[]) => {
    const first = [...members.next()];
    // The second block of the same batch expects the same.
    expect(members.next()).toEqual(first);
    for (const slot of slots) members.used(slot);
    return first;
  };
  expect(batch(1, 2, 9)).toEqual([]);
  expect(batch(2, 1, 7)).toEqual([]);
  expect(batch(1, 7)).toEqual([2, 1]);
  expect(batch(4)).toEqual([1, 7]);
});
