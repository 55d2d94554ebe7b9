/**
 * Named questions to the public entry points. Their answers are stored in test/reference/answers, so that work on the
 * code that is to change nothing can be seen to change nothing. `scripts/store-answers.ts` stores them anew.
 */

import { clusterCases } from "./cluster-cases.js";
import { columnCases } from "./column-cases.js";
import { commandCases } from "./command-cases.js";
import { compareCases } from "./compare-cases.js";
import { defaultCases } from "./default-cases.js";
import { fileCases } from "./file-cases.js";
import type { Case } from "./kept.js";
import { missingCases } from "./missing-cases.js";
import { mixedCases } from "./mixed-cases.js";
import { paperCases } from "./paper-cases.js";
import { predictCases } from "./predict-cases.js";
import { sampleCases } from "./sample-cases.js";

export const cases: readonly Case[] = [
  ...[...defaultCases, ...columnCases, ...missingCases, ...fileCases, ...paperCases, ...predictCases],
  ...[...mixedCases, ...clusterCases, ...sampleCases, ...compareCases, ...commandCases],
];
