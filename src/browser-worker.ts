/** The program of a thread of a page. */

import { SparrowError } from "./errors.js";
import { JOBS } from "./jobs.js";
import { openResident } from "./store/open/resident-in-thread.js";
import { serve } from "./workers/serve.js";
import { webPort } from "./workers/web-thread.js";

await serve(JOBS, await webPort(), (handle, kernels, start) => {
  if (handle.kind === "resident") return openResident(handle, kernels, start);
  throw new SparrowError("A page holds its data in memory.", "file");
});
