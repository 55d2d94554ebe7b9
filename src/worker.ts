/** The program of a thread of Node. */

import { FILE_JOBS } from "./experiments/simulate/jobs.js";
import { JOBS } from "./jobs.js";
import { columnsJob } from "./store/build/apart/columns-job.js";
import { orderJob } from "./store/build/placed/order-job.js";
import { openInThread } from "./store/open/in-thread.js";
import { loadJob } from "./store/open/load-job.js";
import { nodePort } from "./workers/node-thread.js";
import { serve } from "./workers/serve.js";

const jobs = [...JOBS, ...FILE_JOBS, columnsJob, loadJob, orderJob];
void nodePort().then((port) => serve(jobs, port, openInThread));
