import type { Progress } from "../options/fit.js";

/**
 * CPU seconds of this process, all threads, from the start of the screen (the end of reading, where there is none) on;
 * in the paper's preset to the end of the search.
 */
export function cpuMeter(): { watch: (progress: Progress) => void; seconds: () => number } {
  const now = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  };
  let start = now();
  let end: number | undefined;
  return {
    watch({ stage, done, total }) {
      if ((stage === "read" && done === total) || (stage === "screen" && done === 0)) start = now();
      if (stage === "check") end ??= now();
    },
    seconds: () => (end ?? now()) - start,
  };
}
