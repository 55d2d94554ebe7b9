/** Tests that take long, mostly chains that are held against integrals: `npm run test:long` runs them with all others. */
export const short = process.env.SPARROW_LONG !== "1";

export const LONG_FILES = [
  "test/clustering/much-data.test.ts",
  "test/mixed/batches.test.ts",
  "test/selection/expansion/rare.test.ts",
  "test/selection/missing/binomial-enumeration.test.ts",
  "test/selection/missing/enumeration.test.ts",
  "test/selection/search/glm-integrators.test.ts",
  "test/selection/search/integrators.test.ts",
];

/** A single one among others that do not. */
export const long = (test: string): string => {
  if (short) console.log(`Not run, because it takes long (npm run test:long does): ${test}`);
  return test;
};
