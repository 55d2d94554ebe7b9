/**
 * A fit of a table on a cluster whose data are in a folder (make-cluster.ts): how long it takes, what it reads, and how
 * much memory our own process takes. `node --import tsx bench/engines/cluster.ts FOLDER TABLE [OPTION...]`; needs a
 * build.
 */

import { startCluster } from "../../scripts/cluster.js";
import { fitMeasured } from "./measured.js";

const [folder, table, ...options] = process.argv.slice(2);
const cluster = await startCluster(3, folder);
try {
  await fitMeasured(cluster, table, options);
} finally {
  await cluster.stop();
}
