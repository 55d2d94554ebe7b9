import { SparrowError } from "../../errors.js";

/**
 * Something turned up that the first rows did not show: a word among numbers, a text with very many values, letters of
 * another encoding. Whoever opened the table can open it again, with all rows looked at.
 */
export class LateSurprise extends SparrowError {
  constructor(
    message: string,
    readonly encoding?: "latin1",
  ) {
    super(message, encoding === undefined ? "data" : "format");
  }
}
