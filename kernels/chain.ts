// What chains over models do at every step and what they are told by sparse rows, in float64. A module of its own, small
// enough to be compiled at once wherever a chain begins, over a memory that the caller owns.
export * from "./factor";
export * from "./flips";
export * from "./row-products";
