/** Whether what an Arrow file says of itself can be followed: footer, schema, and where its batches are. */

import { type DataFile, latin1 } from "../packed/data-file.js";
import { FlatBuffer, type Kind, type Shape } from "./flatbuffer.js";

const number: Kind = { is: "number" };
const text: Kind = { is: "text" };
const table = (of: () => Shape): Kind => ({ is: "table", of });
const tables = (of: () => Shape): Kind => ({ is: "tables", of });
const list = (bytes: number): Kind => ({ is: "list", bytes });

/** As the tables of Arrow's Schema.fbs, Message.fbs and File.fbs have their fields. */
const keyValue: Shape = [text, text];
const dictionaryEncoding: Shape = [number, table(() => []), number, number];
const field: Shape = [
  ...[text, number, number, table(() => []), table(() => dictionaryEncoding)],
  ...[tables(() => field), tables(() => keyValue)],
];
const schema: Shape = [number, tables(() => field), tables(() => keyValue), list(8)];
const recordBatch: Shape = [number, list(16), list(16), table(() => []), list(8)];
const dictionaryBatch: Shape = [number, table(() => recordBatch), number];
const HEADERS: readonly (Shape | undefined)[] = [undefined, schema, dictionaryBatch, recordBatch];
const header: Kind = { is: "choice", of: (which) => HEADERS[which] };
const message: Shape = [number, number, header, number, tables(() => keyValue)];
const BLOCK = 24;
const footer: Shape = [number, table(() => schema), list(BLOCK), list(BLOCK), tables(() => keyValue)];
const [DICTIONARIES, BATCHES, BODY_LENGTH] = [2, 3, 3];

const MAGIC = "ARROW1";

/** Fails where something is not where the file says. */
export async function verifyArrow(file: DataFile): Promise<void> {
  const { size } = file;
  const isFile = size >= 8 && latin1(await bytesAt(file, 0, MAGIC.length)) === MAGIC;
  if (isFile) await verifyFile(file, size);
  else await verifyStream(file, size);
}

async function verifyFile(file: DataFile, size: number): Promise<void> {
  const end = await bytesAt(file, size - 10, 10);
  const length = int32(end);
  if (latin1(end, 4) !== MAGIC || length <= 0 || length > size - 18) throw new Error("No footer");
  const bytes = await bytesAt(file, size - 10 - length, length);
  const buffer = new FlatBuffer(bytes);
  const root = buffer.check(footer);
  for (const slot of [DICTIONARIES, BATCHES]) {
    for (const at of buffer.places(buffer.field(root, slot), BLOCK)) {
      const [offset, body] = [int64(bytes, at), int64(bytes, at + 16)];
      const found = await verifyMessage(file, offset, size);
      if (found === undefined || body < 0 || found.end - found.body + body > size)
        throw new Error("A batch is not in the file");
    }
  }
}

async function verifyStream(file: DataFile, size: number): Promise<void> {
  for (let at = 0; at < size; ) {
    const found = await verifyMessage(file, at, size);
    if (found === undefined) return;
    at = found.end;
  }
}

/** The description of a batch or schema, its length before it; undefined where there is the mark of an end. */
async function verifyMessage(
  file: DataFile,
  from: number,
  size: number,
): Promise<{ readonly body: number; readonly end: number } | undefined> {
  let at = from;
  let length = int32(await bytesAt(file, at, 4));
  at += 4;
  if (length === -1) {
    length = int32(await bytesAt(file, at, 4));
    at += 4;
  }
  if (length === 0) return undefined;
  if (length < 0 || at + length > size) throw new Error("A message is longer than its file");
  const bytes = await bytesAt(file, at, length);
  const buffer = new FlatBuffer(bytes);
  const place = buffer.field(buffer.check(message), BODY_LENGTH);
  const body = place === undefined ? 0 : int64(bytes, place);
  if (body < 0 || at + length + body > size) throw new Error("A batch is longer than its file");
  return { body, end: at + length + body };
}

async function bytesAt(file: DataFile, at: number, length: number): Promise<Uint8Array> {
  if (!Number.isSafeInteger(at) || at < 0) throw new Error("A place is not in the file");
  const bytes = await file.slice(at, at + length);
  if (bytes.length < length) throw new Error("The file ends too early");
  return bytes;
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength);
const int32 = (bytes: Uint8Array): number => viewOf(bytes).getInt32(0, true);
const int64 = (bytes: Uint8Array, at: number): number => Number(viewOf(bytes).getBigInt64(at, true));
