import type { ReadAsked } from "../../src/node.js";
import type { Columns } from "./base.js";

/** A messy file, and what a person would want of it: the answer of its clean twin, or a sentence. */
export interface MessyCase {
  /** The name of the file in `files/`. */
  readonly file: string;
  /** What is in it. */
  content(): string | Buffer;
  readonly options?: ReadAsked;
  /** `y` unless said otherwise. */
  readonly target?: string;
  /** The clean twin, whose answer this file must give. */
  readonly twin?: () => Columns;
  /** How the twin is read, where its own types do not say it. */
  readonly twinOptions?: ReadAsked;
  /** Or what is said instead of an answer; FILE stands for the name. */
  readonly says?: string;
  /** What is said beside the answer, all of it but what the twin says as well. */
  readonly notes?: readonly string[];
  /** For the library: the cells as texts, where they are not those of a plain delimited file. */
  readonly cells?: (() => Columns) | "none";
  /** Whether a fit takes too long for a test. */
  readonly isLong?: true;
  /** Whether a mixed model of x and z in groups (who) is fitted too; unless said otherwise it is. */
  readonly mixed?: false;
}
