import { type Data, DataType, type RecordBatch } from "apache-arrow";

/** Fails where a batch has fewer values than rows: the library would read on as if they were missing. */
export function checkBatch(batch: RecordBatch, bytes: number): void {
  // A row takes a bit at least, where there is a column.
  if (batch.numRows < 0 || batch.numRows > 8 * bytes) throw new Error("A batch has more rows than its file");
  for (const column of batch.data.children) checkColumn(column, batch.numRows);
}

function checkColumn(column: Data, rows: number): void {
  const { type, length, values, valueOffsets, nullBitmap, nullCount } = column;
  if (length !== rows) throw new Error("A column has another length than its batch");
  const hasBits = nullCount <= 0 || (nullBitmap?.byteLength ?? 0) * 8 >= rows;
  const bits = bitsOf(type);
  const isEmpty = nullCount >= rows;
  const hasValues =
    isEmpty || bits === undefined || ((values as ArrayBufferView)?.byteLength ?? 0) * 8 >= bits * rows;
  if (!hasBits || !hasValues) throw new Error("A column has fewer values than rows");
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type))
    checkTexts(valueOffsets, values as Uint8Array, rows);
  if (DataType.isDictionary(type)) checkIndices(column, values as ArrayLike<number | bigint>);
}

/** Of a value, where all have as many. */
function bitsOf(type: DataType): number | undefined {
  if (DataType.isInt(type)) return type.bitWidth;
  if (DataType.isFloat(type)) return 16 * 2 ** type.precision;
  if (DataType.isBool(type)) return 1;
  if (DataType.isDate(type)) return type.unit === 0 ? 32 : 64;
  if (DataType.isTimestamp(type)) return 64;
  return DataType.isDictionary(type) ? bitsOf(type.indices) : undefined;
}

function checkTexts(offsets: ArrayLike<number | bigint>, values: Uint8Array, rows: number): void {
  if (rows === 0) return;
  if (offsets.length < rows + 1) throw new Error("A column has fewer texts than rows");
  let before = 0;
  for (let i = 0; i <= rows; i++) {
    const at = Number(offsets[i]);
    if (at < before || at > values.byteLength) throw new Error("A text is not in its column");
    before = at;
  }
}

function checkIndices(
  { dictionary, length, nullBitmap, offset }: Data,
  indices: ArrayLike<number | bigint>,
): void {
  const known = dictionary?.length ?? 0;
  for (let i = 0; i < length; i++) {
    const isThere = !nullBitmap?.length || (nullBitmap[(offset + i) >> 3] >> ((offset + i) & 7)) & 1;
    const index = Number(indices[i]);
    if (isThere && !(index >= 0 && index < known)) throw new Error("A word is not in its dictionary");
  }
}
