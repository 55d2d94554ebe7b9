/** Jobs that write to files, which threads of Node alone can do. */

import type { AnyJob } from "../../workers/job.js";
import { csvJob } from "./csv-job.js";
import { parquetJob } from "./parquet-job.js";
import { drawJob, placeJob } from "./store-jobs.js";

export const FILE_JOBS: readonly AnyJob[] = [parquetJob, csvJob, drawJob, placeJob];
