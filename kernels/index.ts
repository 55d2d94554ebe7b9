// The hot loops, in AssemblyScript with SIMD, over a memory that the caller owns. No allocation, no state.
// Pointers are byte offsets. Data are float32; sums run in four float32 lanes for at most CHUNK elements and
// then go to float64, so that long sums keep their digits. src/kernels/reference.ts is the readable form.
export * from "./vectors";
export * from "./moments";
export * from "./panels";
export * from "./tiles";
export * from "./exact";
export * from "./information";
export * from "./weighted-sums";
export * from "./extremes";
export * from "./sketches";
export * from "./columns";
export * from "./entries";
export { exp, softplus } from "./exponential";
export * from "./binomial";
export * from "./poisson";
