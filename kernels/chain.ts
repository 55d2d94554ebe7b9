// What chains over models, sparse rows and predictions take most of their time for, in float64. A module of its own, small
// enough to be compiled at once, over a memory that the caller owns.
export * from "./dense";
export * from "./factor";
export * from "./fit-moments";
export * from "./flips";
export * from "./inverse";
export * from "./logistic-means";
export * from "./mixture-ends";
export * from "./model-laws";
export * from "./outsiders";
export * from "./model-members";
export * from "./model-tree";
export * from "./place-rows";
export * from "./row-products";
