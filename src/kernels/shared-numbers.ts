/** Arrays that all threads look into, as they do into the memory of the kernels: a job that is given one gets no copy. */

/** Fewer are copied in no time. */
const MANY = 10_000;

/** Zeros, to be filled before anybody else sees them; a plain array where nothing can be shared. */
export function sharedNumbers(length: number): Float64Array {
  if (length < MANY || typeof SharedArrayBuffer === "undefined") return new Float64Array(length);
  return new Float64Array(new SharedArrayBuffer(8 * length));
}

/** Some of the numbers of an array, where a job looks at them: a thread would get a copy of all of a plain one. */
export function partOf(all: Float64Array, first: number, last: number): Float64Array {
  return all.buffer instanceof ArrayBuffer ? all.slice(first, last) : all.subarray(first, last);
}

export function sharedCopy(numbers: Float64Array): Float64Array {
  const shared = sharedNumbers(numbers.length);
  shared.set(numbers);
  return shared;
}
