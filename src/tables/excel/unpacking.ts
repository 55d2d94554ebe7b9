/** What reading a workbook takes of the machine that does it: Node's own tools, or those of a page. */
export interface Unpacking {
  /** Raw deflate; fails where more than `most` bytes come out. */
  inflate(packed: Uint8Array, most: number): Promise<Uint8Array>;
  crc32(bytes: Uint8Array): number;
  /** All sheets of a workbook, whose zip file was found whole. */
  sheets(zip: Uint8Array, entries: readonly ZipFile[]): Promise<readonly Sheet[]>;
}

/** One file of a zip, unpacked. */
export interface ZipFile {
  readonly name: string;
  readonly crc: number;
  readonly content: Uint8Array;
}

/** A cell as the package that reads workbooks gives it. */
export type Cell = string | number | boolean | Date | null;

export interface Sheet {
  readonly name: string;
  readonly rows: readonly (readonly Cell[])[];
}
