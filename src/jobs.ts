/** The register of jobs: what a thread can be asked to do. Whoever owns a job says what it is; here it is listed. */

import { clusterChainJob, clusterStartJob, clusterWeighJob } from "./clustering/chains/cluster-chain.js";
import { stateChainJob, stateStartJob, stateWeighJob } from "./clustering/chains/state-chain.js";
import { clusterCountJob, stateCountJob } from "./clustering/compare/count-job.js";
import { levelChainJob } from "./mixed/batches/level-job.js";
import { mixedChainJob } from "./mixed/chain-job.js";
import { rowsChainJob } from "./mixed/rows/rows-job.js";
import { crossProductsJob, foldSumsJob } from "./peers/cross-products.js";
import { glmPassJob } from "./peers/penalized/glm-pass.js";
import { rjmhJob } from "./peers/rjmh-job.js";
import { csvTextJob } from "./report/text/csv-job.js";
import { scoresJob } from "./selection/answer/scores.js";
import { stretchJob } from "./selection/augmented/chain.js";
import { certifyJob } from "./selection/certify/certify.js";
import { screenJob } from "./selection/data/screen.js";
import { bendsJob } from "./selection/expansion/bends.js";
import { certifyExpandedJob } from "./selection/expansion/certify.js";
import { changesJob, cubesJob } from "./selection/expansion/changes.js";
import { extremesJob } from "./selection/expansion/column-shapes.js";
import { expansionJob } from "./selection/expansion/expansion.js";
import { modeJob } from "./selection/expansion/modes.js";
import { pairScanJob } from "./selection/hidden/pair-scan.js";
import { residualScoresJob } from "./selection/hidden/residual-scores.js";
import { imputeJob } from "./selection/missing/impute-blocks.js";
import { productsJob } from "./selection/missing/neighbours.js";
import { scatterJob } from "./selection/missing/scatter.js";
import { gramJob } from "./selection/posterior/gram.js";
import { gibbsJob } from "./selection/posterior/walks/tempered-gibbs.js";
import { devianceJob } from "./selection/search/deviances.js";
import { searchJob } from "./selection/search/rounds.js";
import type { AnyJob } from "./workers/job.js";

export const JOBS: readonly AnyJob[] = [
  screenJob,
  devianceJob,
  searchJob,
  gramJob,
  gibbsJob,
  stretchJob,
  expansionJob,
  modeJob,
  extremesJob,
  changesJob,
  cubesJob,
  bendsJob,
  certifyJob,
  certifyExpandedJob,
  residualScoresJob,
  pairScanJob,
  scoresJob,
  scatterJob,
  imputeJob,
  productsJob,
  crossProductsJob,
  foldSumsJob,
  glmPassJob,
  rjmhJob,
  clusterStartJob,
  clusterWeighJob,
  clusterChainJob,
  stateStartJob,
  stateWeighJob,
  stateChainJob,
  clusterCountJob,
  stateCountJob,
  mixedChainJob,
  rowsChainJob,
  levelChainJob,
  csvTextJob,
];
