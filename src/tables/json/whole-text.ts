import { type DataFile, isAboutBytes, joined } from "../packed/data-file.js";
import { damaged } from "../read-errors.js";

/** The text of a file, unpacked, without the mark that some programs put first. */
export async function wholeText(file: DataFile, name: string): Promise<string> {
  const parts: Uint8Array[] = [];
  try {
    for await (const chunk of file.bytes()) parts.push(chunk);
  } catch (error) {
    throw isAboutBytes(error) ? damaged(name) : error;
  }
  return new TextDecoder().decode(joined(parts));
}
