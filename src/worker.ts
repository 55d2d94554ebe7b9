/** The program of a thread of Node. */

import { JOBS } from "./jobs.js";
import { openInThread } from "./store/open/in-thread.js";
import { nodePort } from "./workers/node-thread.js";
import { serve } from "./workers/serve.js";

await serve(JOBS, await nodePort(), openInThread);
