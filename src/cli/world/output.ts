/** Writing to a reader that may go away. */

export function watchOutput(): void {
  // Messages to a terminal that is gone are lost; the run is not.
  process.stderr.on("error", () => {});
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // A reader that goes away (`sparrow … | head`) is not an error.
    if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
    const why = error.code === "ENOSPC" ? "the disk is full" : error.message;
    process.stderr.write(`sparrow: the result could not be written to standard output: ${why}.\n`);
    process.exit(1);
  });
}
