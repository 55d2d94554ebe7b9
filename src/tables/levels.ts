import { SparrowError } from "../errors.js";
import { option } from "../wording.js";

/** More different texts than this are names or sentences, not categories. */
export const MAX_LEVELS = 1000;

/** Gives every different text of a column a number, in the order of first appearance. */
export class Levels {
  readonly names: string[] = [];
  private readonly codes = new Map<string, number>();
  constructor(
    private readonly table: string,
    private readonly column: string,
    /** Whether the texts are names, of which there may be any number. */
    private readonly isKey = false,
  ) {}

  /** The number of a text; NaN for a missing one. */
  code(text: string | null | undefined): number {
    if (text === null || text === undefined) return Number.NaN;
    const known = this.codes.get(text);
    if (known !== undefined) return known;
    if (this.names.length === MAX_LEVELS && !this.isKey) {
      throw new SparrowError(
        `${this.table}: column "${this.column}" holds text with more than ${MAX_LEVELS} different values, too many for categories; leave it out with ${option("exclude", [this.column])} or group its values first.`,
        "column",
      );
    }
    this.codes.set(text, this.names.length);
    this.names.push(text);
    return this.names.length - 1;
  }
}
