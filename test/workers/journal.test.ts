import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Rng, type RngState } from "../../src/math/rng.js";
import { journalFile } from "../../src/node/journal-file.js";
import type { Job } from "../../src/workers/job.js";
import { journaled } from "../../src/workers/journal.js";
import { parts } from "../../src/workers/parts.js";
import { localPool } from "../../src/workers/pool.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "journal-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A walk that can say where it stands; counts the steps that are really made. */
let made = 0;
const walk = (
  name = "walk",
): Job<{ seed: number; steps: number; pause?: number }, Float64Array, undefined> => ({
  name,
  start(_place, { seed, steps, pause = 0 }, from) {
    const saved = from as { t: number; rng: RngState; path: Float64Array } | undefined;
    const rng = saved ? Rng.restore(saved.rng) : Rng.seeded(seed);
    const path = saved ? saved.path.slice() : new Float64Array(steps);
    let t = saved?.t ?? 0;
    return {
      next() {
        if (t === steps) return false;
        const until = performance.now() + pause;
        while (performance.now() < until);
        made += 1;
        path[t] = (t === 0 ? 0 : path[t - 1]) + rng.uniform() - 0.5;
        t += 1;
        return true;
      },
      get done() {
        return t;
      },
      save: () => ({ t, rng: rng.save(), path }),
      result: () => path.slice(0, t),
    };
  },
});

const inputs = [1, 2, 3].map((seed) => ({ seed, steps: 60, pause: 1 }));
const begin = (name: string, signal?: AbortSignal) =>
  journalFile({
    folder: join(folder, name),
    command: { hello: name },
    interval: 20,
    ...(signal && { signal }),
  });

it("what was stopped goes on where it stood, to the same end, without doing again what was done", async () => {
  const whole = await localPool().run(walk(), inputs);
  for (const stopAt of [10, 70, 110]) {
    const name = `stopped-${stopAt}`;
    const stop = new AbortController();
    const journal = begin(name, stop.signal);
    made = 0;
    const onProgress = (done: number) => {
      if (done >= stopAt) stop.abort();
    };
    await journaled(localPool(), journal).run(walk(), inputs, { signal: stop.signal, onProgress });
    journal.flush();
    const before = made;
    expect(before).toBeLessThan(180);
    made = 0;
    const again = await journaled(localPool(), begin(name)).run(walk(), inputs);
    expect(again).toEqual(whole);
    // Jobs that are stopped before they begin leave nothing; what was done is not done again.
    expect(made).toBe(180 - before);
  }
});

it("calls are known by their numbers, and another job at the same place is an error", async () => {
  const pool = journaled(localPool(), begin("other"));
  const first = await pool.run(walk("one"), inputs);
  const second = await pool.run(walk("two"), inputs);
  const journal = begin("other");
  const again = journaled(localPool(), journal);
  made = 0;
  expect(await again.run(walk("one"), inputs)).toEqual(first);
  expect(await again.run(walk("two"), inputs)).toEqual(second);
  await expect(journaled(localPool(), begin("other")).run(walk("two"), inputs)).rejects.toThrow(
    /begun in another way/,
  );
});

it("other data are an error", () => {
  const journal = begin("data");
  journal.onData("abc");
  journal.flush();
  begin("data").onData("abc");
  expect(() => begin("data").onData("abd")).toThrow(/not those that the run was begun on/);
});

it("a record that was cut short or damaged is done again, and so is all behind it", async () => {
  const run = async (name: string) => {
    const journal = begin(name);
    const results = await journaled(localPool(), journal).run(walk(), inputs);
    journal.flush();
    return results;
  };
  const whole = await run("cut");
  const path = join(folder, "cut", "results");
  const bytes = readFileSync(path);
  const rng = Rng.seeded(4);
  for (let trial = 0; trial < 12; trial++) {
    const place = Math.floor(rng.uniform() * bytes.length);
    if (trial % 2 === 0) writeFileSync(path, bytes.subarray(0, place));
    else {
      const other = Buffer.from(bytes);
      other[place] ^= 1 + Math.floor(250 * rng.uniform());
      writeFileSync(path, other);
    }
    expect(await run("cut")).toEqual(whole);
  }
  // Zeros have the checksum of nothing. What is written next is found again, whatever was there before.
  for (const there of [bytes, Buffer.alloc(0)])
    for (const more of ["rubbish", Buffer.alloc(64)]) {
      writeFileSync(path, there);
      appendFileSync(path, more);
      expect(await run("cut")).toEqual(whole);
      made = 0;
      expect(await run("cut")).toEqual(whole);
      expect(made).toBe(0);
    }
});

it("a short run leaves nothing on the disk, and a job that changes its data is always done", async () => {
  const journal = journalFile({ folder: join(folder, "short"), command: {} });
  await journaled(localPool(), journal).run(walk(), inputs);
  expect(existsSync(join(folder, "short"))).toBe(false);
  const writes = { ...walk(), writes: true as const };
  await journaled(localPool(), begin("writes")).run(writes, inputs);
  expect(readdirSync(folder)).not.toContain("writes");
});

it("where writing is slow, a state is written less often: it takes a hundredth of the time and one write at most", () => {
  let time = 0;
  // Every look at the clock takes five milliseconds, so that every write takes as many.
  const now = () => (time += 5);
  const journal = journalFile({ folder: join(folder, "slow"), command: {}, interval: 20, now });
  const call = journal.call("walk");
  let kept = 0;
  for (let i = 0; i < 500; i++) {
    time += 20;
    const before = journal.spent;
    journal.keepState(call, 0, i);
    kept += Number(journal.spent > before);
  }
  expect(kept).toBeGreaterThan(10);
  expect(journal.spent).toBeLessThan(0.01 * time + 10);
  const found = journal.state(call, 0) as number;
  expect(found).toBeGreaterThan(400);
});

it("what jobs came to is on the disk and given once: a long run comes to more than it may hold", () => {
  const journal = begin("held");
  journal.keepResult(journal.call("walk"), 0, [1, 2]);
  journal.flush();
  expect(journal.result(0, 0)).toBeUndefined();
  const again = begin("held");
  again.call("walk");
  expect(again.result(0, 0)?.value).toEqual([1, 2]);
  expect(again.result(0, 0)).toBeUndefined();
});

it("parts that are finished are not done again, and what they share has no number", async () => {
  const done: string[] = [];
  /** Two parts share what the first of them computes; the second has calls of its own. */
  const study = async (fails: boolean) => {
    const journal = begin("parts");
    const pool = journaled(localPool(), journal);
    let shared: Float64Array | undefined;
    const sharing = async () => {
      shared ??= (await pool.run(walk(), [{ seed: 9, steps: 30, pause: 1 }], { kept: false }))[0];
      return shared[29];
    };
    const part = parts(journal);
    const one = await part(async () => {
      done.push("one");
      return sharing();
    });
    try {
      const two = await part(async () => {
        done.push("two");
        const common = await sharing();
        const [own] = await pool.run(walk(), [{ seed: 4, steps: 30, pause: 1 }]);
        if (fails) throw new Error("stopped");
        return common + own[29];
      });
      return [one, two];
    } finally {
      journal.flush();
    }
  };
  await expect(study(true)).rejects.toThrow("stopped");
  const [[shared], [own]] = [
    await localPool().run(walk(), [{ seed: 9, steps: 30 }]),
    await localPool().run(walk(), [{ seed: 4, steps: 30 }]),
  ];
  expect(await study(false)).toEqual([shared[29], shared[29] + own[29]]);
  expect(done).toEqual(["one", "two", "two"]);
});
