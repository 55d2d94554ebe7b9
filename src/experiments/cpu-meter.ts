import type { Progress } from "../selection/options.js";

/** CPU seconds of this process, all threads, from the end of reading on. */
export function cpuMeter(): { watch: (progress: Progress) => void; seconds: () => number } {
  const now = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  };
  let start = now();
  return {
    watch({ stage, done, total }) {
      if (stage === "read" && done === total) start = now();
    },
    seconds: () => now() - start,
  };
}
