import { SparrowError } from "../../errors.js";

/** Tables of numbers shrink to a hundredth at best; what is a thousand times larger than it seemed was made to be. */
const MOST_TIMES = 2000;
const HARMLESS = 2e9;

/** Unpacked bytes, as long as they are no more than a file of so many packed ones can mean. */
export async function* bounded<T extends Uint8Array>(
  bytes: AsyncIterable<T>,
  packed: () => number,
  name: string,
): AsyncGenerator<T> {
  let unpacked = 0;
  for await (const chunk of bytes) {
    unpacked += chunk.length;
    if (unpacked > HARMLESS && unpacked > MOST_TIMES * packed()) {
      throw new SparrowError(
        `${name} unpacks to more than ${MOST_TIMES} times its size; unpack it first if it is meant to.`,
        "format",
      );
    }
    yield chunk;
  }
}
