import { type DataFile, isAboutBytes, joined } from "../packed/data-file.js";
import { damaged } from "../read-errors.js";

/** The text of a file, unpacked, without the mark that some programs put first; `check` hears of its bytes as they come. */
export async function wholeText(
  file: DataFile,
  name: string,
  check: (bytes: number) => void,
): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of file.bytes()) {
      parts.push(chunk);
      bytes += chunk.length;
      check(bytes);
    }
  } catch (error) {
    throw isAboutBytes(error) ? damaged(name) : error;
  }
  return new TextDecoder().decode(joined(parts));
}
