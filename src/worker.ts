/** The program of a thread. */

import { JOBS } from "./jobs.js";
import { serve } from "./workers/serve.js";

await serve(JOBS);
