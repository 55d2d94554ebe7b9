import type { ZipFile } from "./unpacking.js";

const [END, LISTED, LOCAL] = [0x06054b50, 0x02014b50, 0x04034b50];
const [END_BYTES, LISTED_BYTES, LOCAL_BYTES] = [22, 46, 30];
/** The version of the format that is needed to unpack it. */
const VERSION = 20;

/** A zip file whose files are not packed. */
export function storedZip(files: readonly ZipFile[]): Uint8Array<ArrayBuffer> {
  const names = files.map(({ name }) => Uint8Array.from(name, (letter) => letter.charCodeAt(0)));
  const lengths = files.map(({ content }, i) => LOCAL_BYTES + names[i].length + content.length);
  const start = lengths.reduce((sum, length) => sum + length, 0);
  const listed = names.reduce((sum, { length }) => sum + LISTED_BYTES + length, 0);
  const out = new Uint8Array(start + listed + END_BYTES);
  const view = new DataView(out.buffer);
  let [at, list] = [0, start];
  files.forEach(({ crc, content }, i) => {
    /** What stands before a file and in the list alike, from its version on. */
    const head = (to: number): void => {
      view.setUint16(to, VERSION, true);
      view.setUint32(to + 10, crc, true);
      view.setUint32(to + 14, content.length, true);
      view.setUint32(to + 18, content.length, true);
      view.setUint16(to + 22, names[i].length, true);
    };
    view.setUint32(at, LOCAL, true);
    head(at + 4);
    out.set(names[i], at + LOCAL_BYTES);
    out.set(content, at + LOCAL_BYTES + names[i].length);
    view.setUint32(list, LISTED, true);
    head(list + 6);
    view.setUint32(list + 42, at, true);
    out.set(names[i], list + LISTED_BYTES);
    at += lengths[i];
    list += LISTED_BYTES + names[i].length;
  });
  view.setUint32(list, END, true);
  view.setUint16(list + 8, files.length, true);
  view.setUint16(list + 10, files.length, true);
  view.setUint32(list + 12, listed, true);
  view.setUint32(list + 16, start, true);
  return out;
}
