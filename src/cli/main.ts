#!/usr/bin/env node
import { spawn } from "node:child_process";
import { SparrowError } from "../errors.js";
import { screenOf } from "../report/text/screen.js";
import { runCli } from "./run.js";

const interrupted = new AbortController();
process.on("SIGINT", () => {
  // The first Ctrl-C asks for what has been sampled so far, the second one means it.
  if (interrupted.signal.aborted) process.exit(130);
  interrupted.abort(new SparrowError("Stopped before there was a result.", "stopped"));
});
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
  screen: screenOf(process.stdout.isTTY ? process.stdout.columns : undefined, wantsColour()),
  signal: interrupted.signal,
  open: openFile,
  now: () => performance.now(),
});

/** As https://no-color.org and the FORCE_COLOR of Node's own tools have it. */
function wantsColour(): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return process.stdout.isTTY === true && TERM !== "dumb";
}

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
