#!/usr/bin/env node
import { spawn } from "node:child_process";
import { SparrowError } from "../errors.js";
import { runCli } from "./run.js";

const interrupted = new AbortController();
/** By the number that a shell gives to a program that a signal ended. */
const STOPS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
for (const [name, status] of Object.entries(STOPS)) {
  process.on(name, () => {
    // The first one asks for what has been sampled so far, the second one means it.
    if (interrupted.signal.aborted) process.exit(status);
    interrupted.abort(new SparrowError("Stopped before there was a result.", "stopped"));
  });
}
// Messages to a terminal that is gone are lost; the run is not.
process.stderr.on("error", () => {});
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A reader that goes away (`sparrow … | head`) is not an error.
  if (error.code === "EPIPE") process.exit(0);
  const why = error.code === "ENOSPC" ? "the disk is full" : error.message;
  process.stderr.write(`sparrow: the result could not be written to standard output: ${why}.\n`);
  process.exit(1);
});

process.exitCode = await runCli(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  terminal: process.stderr.isTTY === true && process.env.TERM !== "dumb",
  get width() {
    return process.stderr.columns ?? 80;
  },
  signal: interrupted.signal,
  open: openFile,
  now: () => performance.now(),
});

function openFile(path: string): void {
  const [command, ...before] =
    process.platform === "darwin"
      ? ["open"]
      : process.platform === "win32"
        ? ["cmd", "/c", "start", ""]
        : ["xdg-open"];
  const child = spawn(command, [...before, path], { stdio: "ignore", detached: true });
  child.on("error", () => process.stderr.write(`No browser could be started; open ${path} yourself.\n`));
  child.unref();
}
