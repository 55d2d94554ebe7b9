import type { MessyCase } from "./case.js";
import { classicCases } from "./classics.js";
import { columnCases } from "./columns.js";
import { dateCases } from "./dates.js";
import { fileCases } from "./files.js";
import { numberCases } from "./numbers.js";

export const cases: readonly MessyCase[] = [
  ...numberCases,
  ...dateCases,
  ...fileCases,
  ...columnCases,
  ...classicCases,
];
