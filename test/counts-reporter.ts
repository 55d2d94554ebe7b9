import type { Reporter, TestModule } from "vitest/node";
import { LONG_FILES, short } from "./long.js";

/** Prints `N passed, N failed` (and skips, when there are any) on a line of its own at the end of the run. */
export default class CountsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      if (module.errors().length > 0) counts.failed += 1;
      for (const test of module.children.allTests()) {
        const state = test.result().state;
        if (state === "passed" || state === "failed" || state === "skipped") counts[state] += 1;
      }
    }
    if (short) {
      process.stdout.write(
        `\nNot run, because they take long (npm run test:long does): ${LONG_FILES.join(", ")}\n`,
      );
    }
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed${skipped}\n`);
  }
}
