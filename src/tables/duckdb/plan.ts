import type { DuckDBConnection } from "@duckdb/node-api";
import type { RawType } from "../judge/raw-table.js";
import type { ColumnIndex } from "../parquet/columns/column-index.js";
import type { ReaderSettings } from "../reader.js";

/** What a source holds, and the SQL expression that reads it. */
export interface Plan {
  readonly columns: readonly PlannedColumn[];
  readonly from: string;
  readonly rows?: number;
  /** Of the source, where the files that are read are not it. */
  readonly bytes?: number;
  /** A guess at the rows from the length of the first ones. */
  readonly estimate?: number;
  /** What the source itself says of the parts that columns play. */
  readonly target?: string;
  readonly group?: string;
  /** Between the values of a line, where there are lines. */
  readonly delimiter?: string;
  /** Where the numbers of columns lie that can be read without DuckDB. */
  readonly index?: ColumnIndex | undefined;
  /** What is to be said of the file, in sentences. */
  readonly notes?: readonly string[];
}

export interface PlannedColumn {
  readonly name: string;
  /** As DuckDB calls it. */
  readonly type: string;
  /** What DuckDB calls the column; its name unless said otherwise. */
  readonly own?: string;
  /** What is known of the values beyond the type in which they are read. */
  readonly raw?: RawType;
  /** The SQL expression that reads it, where not all columns are read from one place. */
  readonly from?: string;
}

/** Looks at the first rows of a source, at most. */
export type Planner = (
  connection: DuckDBConnection,
  paths: readonly string[],
  settings: ReaderSettings,
) => Promise<Plan>;

export const NUMERIC =
  /^(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT|UTINYINT|USMALLINT|UINTEGER|UBIGINT|UHUGEINT|FLOAT|DOUBLE|DECIMAL.*)$/;

/** Names and types of what an expression reads. */
export async function typesOf(
  connection: DuckDBConnection,
  from: string,
): Promise<{ readonly name: string; readonly type: string }[]> {
  const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${from}`);
  return described.getRows().map(([name, type]) => ({ name: String(name), type: String(type) }));
}
