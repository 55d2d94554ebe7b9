/** The program: what the command line does to the world. */

import { spawn } from "node:child_process";
import { setFlagsFromString } from "node:v8";
import { SparrowError } from "../errors.js";
import type { Moment } from "../profile.js";
import { screenOf } from "../report/text/screen.js";
import type { Effects } from "./effects.js";
import { failureOf } from "./failure.js";
import { programBegan } from "./profile-text.js";
import { runCli } from "./run.js";
import { terminalText } from "./terminal.js";
import { openingOf } from "./world/opening.js";
import { watchOutput } from "./world/output.js";
import { typedSecret } from "./world/password.js";

/** By the number that a shell gives to a program that a signal ended. */
const STOPS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** `begun` is when the first line of the program ran. */
export async function start(begun: Moment): Promise<void> {
  programBegan(begun);
  const { signal, stopStatus } = interruptible();
  watchOutput();
  // Threads and streams fail where nobody waits for them.
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);
  process.exitCode = await runCli(process.argv.slice(2), {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    terminal: process.stderr.isTTY === true && process.env.TERM !== "dumb",
    get width() {
      return process.stderr.columns ?? 80;
    },
    screen: screenOf(process.stdout.isTTY ? process.stdout.columns : undefined, wantsColour()),
    signal,
    stopStatus,
    open: openFile,
    ...(process.stdin.isTTY && {
      secret: (question: string) =>
        typedSecret(process.stdin, (text) => void process.stderr.write(terminalText(text)), question),
    }),
    // Threads that are started later keep to it, too.
    spare: () => setFlagsFromString("--optimize-for-size"),
    now: () => performance.now(),
  });
}

function interruptible(): Required<Pick<Effects, "signal" | "stopStatus">> {
  const interrupted = new AbortController();
  let first: number | undefined;
  for (const [name, status] of Object.entries(STOPS)) {
    process.on(name, () => {
      // The first one asks for what has been sampled so far, the second one means it.
      if (interrupted.signal.aborted) process.exit(status);
      first = status;
      interrupted.abort(new SparrowError("Stopped before there was a result.", "stopped"));
    });
  }
  return { signal: interrupted.signal, stopStatus: () => first };
}

/** As https://no-color.org and the FORCE_COLOR of Node's own tools have it. */
function wantsColour(): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return process.stdout.isTTY === true && TERM !== "dumb";
}

function fail(error: unknown): never {
  const { message, status } = failureOf(error);
  process.stderr.write(terminalText(message));
  if (process.env.DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  process.exit(status);
}

function openFile(path: string): void {
  const [command, ...words] = openingOf(path);
  const child = spawn(command, words, { stdio: "ignore", detached: true });
  child.on("error", () => {
    process.stderr.write(terminalText(`No browser could be started; open ${path} yourself.\n`));
  });
  child.unref();
}
