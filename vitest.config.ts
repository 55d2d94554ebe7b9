import { defineConfig } from "vitest/config";
import { LONG_FILES, short } from "./test/long.js";

/** Tests that change what a whole process shares: its folder, its environment, what it listens to. */
const APART = ["answers", "cli", "documents", "engines", "studio"];
const apart = APART.map((folder) => `test/${folder}/**/*.test.ts`);

const left = short ? LONG_FILES : [];

export default defineConfig({
  test: {
    reporters: ["default", "./test/counts-reporter.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // One more than there may be processors: many tests wait for programs that they have started.
    maxWorkers: 3,
    projects: [
      { extends: true, test: { name: "apart", include: apart } },
      // Modules that stay loaded stay quick: a fifth of the processor's time.
      {
        extends: true,
        test: {
          name: "together",
          include: ["test/**/*.test.ts"],
          exclude: [...apart, ...left],
          isolate: false,
        },
      },
    ],
  },
});
