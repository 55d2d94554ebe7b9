/** All hard problems. */

import { EXPANDED_PROBLEMS } from "./expanded-problems.js";
import { GAUSSIAN_PROBLEMS } from "./gaussian-problems.js";
import type { Problem } from "./problem.js";

export const PROBLEMS: readonly Problem[] = [...GAUSSIAN_PROBLEMS, ...EXPANDED_PROBLEMS];
