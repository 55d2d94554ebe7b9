/** One turn of the event loop, so that a page stays alive and Ctrl-C is heard. */

/** Timers of a page wait for 4 ms once they are nested, an eighth of the time between two turns: messages do not. */
export function pause(): Promise<void> {
  if (typeof setImmediate === "function") return new Promise((resume) => setImmediate(() => resume()));
  return new Promise((resume) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resume();
    };
    port2.postMessage(undefined);
  });
}
