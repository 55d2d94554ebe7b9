/**
 * What the columns of a Parquet file hold, and how their numbers are read. Types have the names that DuckDB gives them,
 * which reads such files where there is no page: both must come to the same.
 */

import type { DecodedArray, SchemaElement, SchemaTree } from "hyparquet";
import type { RawType, RawValues } from "../judge/raw-table.js";

export interface ParquetColumn {
  readonly name: string;
  readonly type: RawType;
  /** What it holds, where nothing can be made of it. */
  readonly problem?: string;
  /** Whether a value may be NaN without being missing. */
  readonly isReal: boolean;
  values(decoded: DecodedArray): RawValues;
}

/** `isWords` where the values are wanted as they are written. */
export function parquetColumn(node: SchemaTree, isWords: boolean): ParquetColumn {
  const { element, children } = node;
  const { name } = element;
  const found =
    children.length > 0 || element.repetition_type === "REPEATED" ? undefined : plainType(element);
  if (!found) {
    const problem = `values of type ${typeName(node)}`;
    return { name, type: "words", problem, isReal: false, values: () => [] };
  }
  const { type, isReal = false, number, word } = found;
  if (type === "cells") return { name, type, isReal, values: (decoded) => texts(decoded, String) };
  if (word && (isWords || type === "words"))
    return { name, type: "words", isReal, values: (decoded) => texts(decoded, word) };
  return { name, type, isReal, values: (decoded) => numbers(decoded, number) };
}

/** A value as hyparquet gives it once the schema tells nothing but the physical types. */
type Value = number | bigint | boolean | string | Uint8Array;

interface PlainType {
  readonly type: RawType;
  readonly isReal?: boolean;
  number?(value: Value): number;
  /** How the value is written, where a number would lose something of it. */
  word?(value: Value): string;
}

const [SECONDS_A_DAY, SECONDS_AN_HOUR, PARTS] = [86_400, 3600, { MILLIS: 1e3, MICROS: 1e6, NANOS: 1e9 }];

function plainType(element: SchemaElement): PlainType | undefined {
  const { type, converted_type: converted, logical_type: logical } = element;
  const kind = logical?.type;
  if (type === "BOOLEAN") return { type: "boolean" };
  if (type === "INT96") return { type: "date" };
  if (kind === "DECIMAL" || converted === "DECIMAL") return decimal(element);
  if (kind === "DATE" || converted === "DATE") return { type: "date" };
  if (kind === "TIMESTAMP") return moment(logical as { unit: keyof typeof PARTS });
  if (converted === "TIMESTAMP_MILLIS") return moment({ unit: "MILLIS" });
  if (converted === "TIMESTAMP_MICROS") return moment({ unit: "MICROS" });
  if (kind === "TIME") {
    const { unit, isAdjustedToUTC } = logical as { unit: keyof typeof PARTS; isAdjustedToUTC: boolean };
    return isAdjustedToUTC || unit === "NANOS" ? undefined : timeOfDay(unit);
  }
  if (converted === "TIME_MILLIS") return timeOfDay("MILLIS");
  if (converted === "TIME_MICROS") return timeOfDay("MICROS");
  if (type === "INT32") return { type: "integer", ...(isUnsigned(element, 32) && { number: unsigned32 }) };
  if (type === "INT64") return wholeNumber(isUnsigned(element, 64));
  if (type === "FLOAT" || type === "DOUBLE") return { type: "number", isReal: true };
  if (kind === "FLOAT16") return { type: "number", isReal: true, number: half };
  if (kind === "UUID") return { type: "words", word: uuid };
  if (kind === "STRING" || kind === "ENUM" || converted === "UTF8" || converted === "ENUM")
    return { type: "cells" };
  return undefined;
}

function isUnsigned(
  { converted_type: converted, logical_type: logical }: SchemaElement,
  bits: number,
): boolean {
  if (logical?.type === "INTEGER") return !logical.isSigned && logical.bitWidth === bits;
  return converted === `UINT_${bits}`;
}

const unsigned32 = (value: Value): number => Number(value) >>> 0;

/** Beyond 2⁵³ a number loses digits that may name something. */
function wholeNumber(isUnsignedOne: boolean): PlainType {
  const exact = (value: Value): bigint =>
    isUnsignedOne ? BigInt.asUintN(64, BigInt(value as bigint)) : BigInt(value as bigint);
  return { type: "integer", number: (value) => Number(exact(value)), word: (value) => String(exact(value)) };
}

/** Of times in fractions of a second; what is finer than a millionth is cut. */
function moment({ unit }: { readonly unit: keyof typeof PARTS }): PlainType {
  const days = (value: Value): number => {
    const parts = unit === "NANOS" ? Number(BigInt(value as bigint) / 1000n) : Number(value);
    return parts / (unit === "MILLIS" ? 1e3 : 1e6) / SECONDS_A_DAY;
  };
  return { type: "date", number: days };
}

function timeOfDay(unit: keyof typeof PARTS): PlainType {
  return { type: "number", number: (value) => Number(value) / PARTS[unit] / SECONDS_AN_HOUR };
}

function decimal(element: SchemaElement): PlainType {
  const logical = element.logical_type;
  const scale = element.scale ?? (logical?.type === "DECIMAL" ? logical.scale : 0);
  const exact = (value: Value): bigint =>
    value instanceof Uint8Array ? signedInteger(value) : BigInt(value as bigint | number);
  return {
    type: "number",
    number: (value) => Number(exact(value)) / 10 ** scale,
    word: (value) => decimalText(exact(value), scale),
  };
}

function decimalText(value: bigint, scale: number): string {
  if (scale === 0) return String(value);
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
  const cut = digits.length - scale;
  return `${value < 0n ? "-" : ""}${digits.slice(0, cut)}.${digits.slice(cut)}`;
}

/** Two's complement, the highest byte first. */
function signedInteger(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return BigInt.asIntN(8 * bytes.length, value);
}

function half(value: Value): number {
  const [low, high] = value as Uint8Array;
  const [exponent, fraction] = [(high >> 2) & 31, ((high & 3) << 8) | low];
  const sign = high & 128 ? -1 : 1;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

function uuid(value: Value): string {
  const hex = Array.from(value as Uint8Array, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

function texts(decoded: DecodedArray, word: (value: Value) => string): (string | null)[] {
  return Array.from(decoded as ArrayLike<Value | null | undefined>, (value) =>
    value === null || value === undefined ? null : word(value),
  );
}

function numbers(decoded: DecodedArray, number: (value: Value) => number = Number): ArrayLike<number> {
  const isPlain =
    decoded instanceof Float64Array || decoded instanceof Float32Array || decoded instanceof Int32Array;
  if (isPlain && number === Number) return decoded;
  const values = decoded as ArrayLike<Value | null | undefined>;
  const out = new Float64Array(values.length);
  for (let i = 0; i < out.length; i++) {
    const value = values[i];
    out[i] = value === null || value === undefined ? Number.NaN : number(value);
  }
  return out;
}

/** As DuckDB names types of which nothing can be made. */
function typeName({ element, children }: SchemaTree): string {
  const kind = element.logical_type?.type ?? element.converted_type;
  if (kind === "LIST") return `${typeName(children[0]?.children[0] ?? children[0])}[]`;
  if (kind === "MAP" || kind === "MAP_KEY_VALUE") {
    const [key, value] = children[0]?.children ?? [];
    return `map(${key ? typeName(key) : "?"}, ${value ? typeName(value) : "?"})`;
  }
  const own = children.length > 0 ? `struct(${children.map(fieldName).join(", ")})` : leafName(element);
  return element.repetition_type === "REPEATED" ? `${own}[]` : own;
}

const fieldName = (node: SchemaTree): string =>
  `${/^[a-z_]\w*$/i.test(node.element.name) ? node.element.name : `"${node.element.name}"`} ${typeName(node)}`;

const LEAVES: Readonly<Record<string, string>> = {
  BOOLEAN: "boolean",
  INT32: "integer",
  INT64: "bigint",
  INT96: "timestamp",
  FLOAT: "float",
  DOUBLE: "double",
  STRING: "varchar",
  UTF8: "varchar",
  ENUM: "varchar",
  JSON: "json",
  UUID: "uuid",
  INTERVAL: "interval",
  DATE: "date",
  TIMESTAMP: "timestamp",
  TIMESTAMP_MILLIS: "timestamp",
  TIMESTAMP_MICROS: "timestamp",
  TIME: "time with time zone",
};

function leafName({ type, converted_type: converted, logical_type: logical }: SchemaElement): string {
  return LEAVES[logical?.type ?? ""] ?? LEAVES[converted ?? ""] ?? LEAVES[type ?? ""] ?? "blob";
}
