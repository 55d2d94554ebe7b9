/**
 * Inclusion probabilities of the problems in test/selection/glm-problems.ts by brute force, to a standard error of
 * 0.004 in every log marginal likelihood that matters. Takes a few minutes; from the root of the project:
 *
 *     node --import tsx test/reference/glm-enumeration.ts
 */

import { writeFileSync } from "node:fs";
import { glmBruteForce } from "../selection/glm-brute-force.js";
import { GLM_PROBLEMS, glmProblem } from "../selection/glm-problems.js";

const results = Array.from({ length: GLM_PROBLEMS }, (_, index) => {
  const { data, truth } = glmProblem(index);
  const found = glmBruteForce(data, { ...truth, accuracy: 0.004 });
  console.log(index, truth.family, data.y.length, data.columns.length, JSON.stringify(found));
  const sum = data.y.reduce((a, b) => a + b, 0);
  return { index, rows: data.y.length, sum, ...found };
});
writeFileSync(
  new URL("./glm-enumeration.json", import.meta.url),
  `${JSON.stringify(results, (_, v) => (typeof v === "number" ? Number(v.toPrecision(6)) : v), 2)}\n`,
);
