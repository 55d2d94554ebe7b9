import { count } from "../../report/text/numbers.js";
import { checkBlocks, readStoreFile } from "../../store/open/load.js";
import type { Verified } from "./verified.js";

/** Every byte of a store. */
export function verifyStore(path: string, onRows?: (done: number, total: number) => void): Verified {
  const source = readStoreFile(path);
  const { layout, record, sparse } = source.description;
  checkBlocks(source, (block) =>
    onRows?.(Math.round(((block + 1) / layout.blocks) * layout.rows), layout.rows),
  );
  return {
    path,
    kind: "store",
    found: `A store of ${count(layout.rows, "row")} and ${count(layout.columns, "variable")} from ${record.source}, with the target "${record.encoding.target.column}"`,
    checked: [
      "Header, description and tables have their checksums (CRC-32), follow each other and fill the file.",
      `${count(layout.blocks, "block")} have theirs${sparse ? ", and every entry lies in its block" : ""}.`,
      "The description fits the tables: names, levels, layout and places.",
    ],
    unchecked: ["Who wrote the store: checksums tell of accidents, not of somebody who computes them anew."],
  };
}
