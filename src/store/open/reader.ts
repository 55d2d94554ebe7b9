import { SparrowError } from "../../errors.js";
import { kernelMemory, wasmKernels } from "../../kernels/wasm.js";
import type { Reader } from "../../tables/reader.js";
import { option } from "../../wording.js";
import { MAGIC } from "../layout/format.js";
import { decodedTable } from "./decoded-table.js";
import { disk, openStoreFile } from "./disk.js";
import { hasEntries, storedEntries } from "./entry-table.js";
import { readStoreFile } from "./load.js";
import { residentLimit } from "./room.js";
import { unpackingRoom } from "./unpacking.js";

/** Stores as tables again, for those who need one; `fit` opens them as they are. */
export const storeReader: Reader = {
  name: "store",
  endings: ["sparrow"],
  matches: (source) => !source.isFolder && source.start().startsWith(MAGIC),
  async open(paths, { name, memory = disk.memory }) {
    const path = onlyStore(paths);
    const { description } = readStoreFile(path);
    const store = await openStoreFile(path, {
      kernels: (bytes) => wasmKernels(kernelMemory(bytes, false)),
      threads: 1,
      scratch: unpackingRoom(description.layout.stride),
      memory,
    });
    const refuse = (bytes: number): void => {
      if (bytes <= residentLimit(memory)) return;
      store.close?.();
      throw new SparrowError(
        `The store ${name} is too large to be read as a table; use the data themselves, or give more ${option("memory")}.`,
        "option",
      );
    };
    return description.sparse && hasEntries(store.record)
      ? storedEntries(store, name, refuse)
      : decodedTable(store, name, refuse);
  },
};

/** The blocks of two stores cannot be joined. */
export function onlyStore(paths: readonly string[]): string {
  if (paths.length === 1) return paths[0];
  throw new SparrowError(`${paths[0]} is a store; it is read alone, not with other files.`, "format");
}
