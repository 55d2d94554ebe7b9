// What simulated data are made with: normal numbers, and numbers as text. A module of its own, for those who simulate.
export * from "./normals";
export * from "./decimals";
