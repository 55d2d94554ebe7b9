import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { threads } from "../../src/node/threads.js";
import { type Environment, withPool } from "../../src/selection/environment.js";
import { openSession } from "../../src/selection/session.js";
import { beginNodeThread } from "../../src/workers/node-thread.js";
import type { WorkerSetup } from "../../src/workers/protocol.js";

const setup: WorkerSetup = { place: undefined, control: new SharedArrayBuffer(8), index: 0 };
const program = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`);

/** The first report, or the error in its place. */
const heard = (thread: ReturnType<ReturnType<typeof beginNodeThread>["start"]>) =>
  new Promise<unknown>((resolve) => {
    thread.hear(resolve, resolve);
  });

describe("a thread that is begun before anybody knows what it will work on", () => {
  test("is told when it is, and serves", async () => {
    const begun = beginNodeThread(
      program(
        'import { parentPort } from "node:worker_threads"; parentPort.on("message", ({ index }) => parentPort.postMessage({ id: index, done: 1, result: "born" }));',
      ),
    );
    await wait(50);
    const thread = begun.start(setup);
    expect(await heard(thread)).toMatchObject({ result: "born" });
    await thread.end();
  });

  test("that failed meanwhile says so to the first who listens", async () => {
    const begun = beginNodeThread(program('throw new Error("no room")'));
    await wait(300);
    expect(await heard(begun.start(setup))).toMatchObject({ message: "no room" });
    await begun.end();
  });
});

describe("threads begun for a fit", () => {
  const watching = () => {
    const ended: string[] = [];
    const environment: Environment = {
      ...threads,
      begin: () => ({
        pool: () => Promise.reject(new Error("not asked for")),
        end: async () => void ended.push("ended"),
      }),
    };
    return { ended, environment };
  };
  const unreadable = () => Promise.reject(new Error("cannot be read"));

  test("end where the data cannot be read", async () => {
    const { ended, environment } = watching();
    await expect(openSession(unreadable, { target: "y" }, environment)).rejects.toThrow("cannot be read");
    expect(ended).toEqual(["ended"]);
  });

  test("are not begun where memory is bounded, nor where another pool stands in", async () => {
    const { ended, environment } = watching();
    await expect(openSession(unreadable, { target: "y", memory: 1e8 }, environment)).rejects.toThrow(
      "cannot be read",
    );
    const other = withPool(environment, environment.pool);
    await expect(openSession(unreadable, { target: "y" }, other)).rejects.toThrow("cannot be read");
    expect(ended).toEqual([]);
  });
});
