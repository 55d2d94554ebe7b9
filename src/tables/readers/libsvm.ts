import { needed } from "../needed.js";
import { fileOnDisk } from "../packed/on-disk.js";
import type { Reader } from "../reader.js";

/** LIBSVM and SVMlight files. */
export const libsvm: Reader = {
  name: "libsvm",
  endings: ["svm", "libsvm", "svmlight"],
  matches(source) {
    if (source.isFolder) return false;
    // Of what is packed this way only LIBSVM files can be read, and theirs often have no other ending.
    if (source.packing === "bz2" || source.packing === "xz") return true;
    const lines = source.start().split("\n");
    const line = lines.find((each) => each.trim() !== "" && !each.startsWith("#")) ?? "";
    return /^\s*[-+.\w]+(\s+qid:\d+)?(\s+\d+:\S+)+\s*(#.*)?$/.test(line);
  },
  async open(paths, { name }) {
    const { libsvmTable } = await needed(() => import("../libsvm/libsvm-table.js"));
    return libsvmTable(paths.map(fileOnDisk), name);
  },
};
