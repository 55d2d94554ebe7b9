/** Loaded when a report is wanted: plots take a while. */
export { comparisonReport, report } from "sparrow-bayes/browser";
