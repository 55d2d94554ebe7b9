import { SparrowError } from "../../errors.js";
import { type OptionValue, option, spelt } from "../../wording.js";

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

/** What a table is asked again with, after a surprise. */
interface Wiser {
  readonly thorough?: boolean | undefined;
  readonly encoding?: "latin1" | undefined;
}

/**
 * Does something with a table that is opened as asked. Where rows turn up that the first ones did not let expect, it is
 * done again with a table that has looked at all of them.
 */
export async function pastSurprises<T, Asked extends Wiser>(
  asked: Asked,
  work: (asked: Asked) => Promise<T>,
): Promise<T> {
  try {
    return await work(asked);
  } catch (error) {
    const wiser = afterSurprise(error, asked);
    if (!wiser) throw error;
    return pastSurprises({ ...asked, ...wiser }, work);
  }
}

function afterSurprise(error: unknown, asked: Wiser): Wiser | undefined {
  if (!(error instanceof LateSurprise)) return undefined;
  if (error.encoding !== undefined)
    return asked.encoding === undefined ? { encoding: error.encoding } : undefined;
  return asked.thorough ? undefined : { thorough: true };
}

/** The same error for those who have no option to exclude columns: what they can do, by the columns that it names. */
export function withoutExclude(
  error: unknown,
  instead: (columns: OptionValue | undefined) => string,
): unknown {
  if (!(error instanceof SparrowError)) return error;
  const message = spelt(error.marked, (name, value) =>
    name === "exclude" ? instead(value) : option(name, value),
  );
  if (message === error.marked) return error;
  return error instanceof LateSurprise
    ? new LateSurprise(message, error.encoding)
    : new SparrowError(message, error.code);
}
