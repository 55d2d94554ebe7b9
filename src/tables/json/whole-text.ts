import { bytesOf } from "../packed/bytes.js";
import { damaged } from "../read-errors.js";

/** The text of a file, unpacked, without the mark that some programs put first. */
export async function wholeText(path: string, name: string): Promise<string> {
  const parts: Buffer[] = [];
  try {
    for await (const chunk of bytesOf(path)) parts.push(chunk);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).syscall === undefined ? damaged(name) : error;
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}
