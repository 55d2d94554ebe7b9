/** Tests that take ten seconds of a processor and more each: `npm run test:long` runs them with all others. */
export const short = process.env.SPARROW_LONG !== "1";

export const long = (test: string): string => {
  if (short) console.log(`Not run, because it takes long (npm run test:long does): ${test}`);
  return test;
};
