import { receiveMessageOnPort } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { partOf, sharedCopy, sharedNumbers } from "../../src/kernels/shared-numbers.js";

/** An array as another thread gets it. */
function received(numbers: Float64Array): Float64Array {
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(numbers);
  const { message } = receiveMessageOnPort(port2 as never) as { message: Float64Array };
  port1.close();
  return message;
}

describe("numbers that all threads look into", () => {
  const given = Float64Array.from({ length: 20_000 }, (_, i) => i);

  it("are the same for those who get them, where they are many", () => {
    const shared = sharedCopy(given);
    expect(shared).toEqual(given);
    const part = received(partOf(shared, 300, 700));
    expect(part).toEqual(given.slice(300, 700));
    shared[300] = -1;
    expect(part[0]).toBe(-1);
  });

  it("are copied where they are few, and no more of them than are asked for", () => {
    const few = sharedCopy(given.subarray(0, 100));
    const part = partOf(few, 10, 20);
    expect(part.buffer.byteLength).toBe(80);
    expect(received(part)).toEqual(given.slice(10, 20));
    few[10] = -1;
    expect(part[0]).toBe(10);
    expect(sharedNumbers(3)).toEqual(new Float64Array(3));
  });
});
