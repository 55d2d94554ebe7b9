/** What `sparrow verify` finds: what it looked at, and what it made sure of. What is wrong is an error. */
export interface Verified {
  readonly path: string;
  readonly kind: "run" | "store" | "data";
  /** One line that says what it is. */
  readonly found: string;
  /** What was made sure of, in sentences. */
  readonly checked: readonly string[];
  /** What cannot be made sure of, in sentences. */
  readonly unchecked: readonly string[];
}
