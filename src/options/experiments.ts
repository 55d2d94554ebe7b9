/** Options of `simulate` and `reproduce`, which the command line alone has. */

import { count, counts, list, some, text, wholeAbove } from "./kinds.js";
import type { OptionTable } from "./option.js";

export const experiments = {
  rows: { kind: count, symbol: "N", words: "number of rows" },
  columns: { kind: count, symbol: "p", words: "number of predictors" },
  users: {
    kind: wholeAbove(1),
    symbol: "N",
    words: "number of users who rate films",
    usually: "71567, as in MovieLens 10M",
  },
  datasets: {
    kind: count,
    symbol: "k",
    words: "simulated data sets, or runs on the same data",
    usually: "10, as in the paper",
  },
  methods: {
    kind: list("names"),
    symbol: "NAME,...",
    words: "rows of the table: esgld (all); rjmh, sam, blasso (table1); lasso, mcp, scad (table-s2)",
    usually: "all of them",
  },
  moves: {
    kind: counts,
    symbol: "k,...",
    words: "moves per model of the paper's settings, a row of the table for each",
    usually: "1,5 (table1) or 1,10",
  },
  presets: {
    kind: some("paper", "auto"),
    symbol: "NAME,...",
    words: "settings, some rows of the table for each",
    usually: "paper,auto",
  },
  train: {
    kind: text,
    symbol: "FILE",
    words: "the training part of epsilon, for table-s2",
    usually: "a simulated stand-in",
  },
  test: {
    kind: text,
    symbol: "FILE",
    words: "the test part of epsilon, for table-s2",
    usually: "a simulated stand-in",
  },
  data: {
    kind: text,
    symbol: "DIR",
    words: "a folder with MovieLens 10M, for the figures",
    usually: "simulated ratings",
  },
  iterations: {
    kind: count,
    symbol: "T",
    words: "iterations of Algorithm S1, for the figures, or of a simulated chain, for theorem1",
    usually: "4000, as in the paper",
  },
  sweeps: {
    kind: count,
    symbol: "T",
    words: "sweeps of Gibbs, for the figures",
    usually: "500, as in the paper",
  },
} satisfies OptionTable;
