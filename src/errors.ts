/**
 * An error meant for the user: one sentence that names the file, column, row or option and says what to do.
 * `usage` marks a wrong command line (exit status 2), everything else is about the data or the run (1).
 */
export class SparrowError extends Error {
  override readonly name = "SparrowError";
  constructor(
    message: string,
    readonly kind: "data" | "usage" = "data",
  ) {
    super(message);
  }
}
