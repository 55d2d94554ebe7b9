/** Special functions in double precision. */

/** Coefficients of Lanczos' series with g = 7 and nine terms (Godfrey 2001): 15 digits for x > 0. */
const LANCZOS = [
  0.9999999999998099, 676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406,
  12.507343278686905, -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
];

/** log Γ(x) for x > 0. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  let sum = LANCZOS[0];
  for (let i = 1; i < LANCZOS.length; i++) sum += LANCZOS[i] / (x - 1 + i);
  const t = x + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}

/** Φ(x): the series of the centre (Marsaglia 2004), Laplace's continued fraction in the tails. */
export function normalCdf(x: number): number {
  const density = Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI);
  if (Math.abs(x) < 4) {
    let term = x;
    let sum = x;
    for (let k = 3; Math.abs(term) > 1e-17 * Math.abs(sum); k += 2) {
      term *= (x * x) / k;
      sum += term;
    }
    return 0.5 + sum * density;
  }
  let fraction = 0;
  for (let k = 60; k > 0; k--) fraction = k / (Math.abs(x) + fraction);
  const tail = density / (Math.abs(x) + fraction);
  return x < 0 ? tail : 1 - tail;
}

const ratio = (top: readonly number[], bottom: readonly number[], r: number): number =>
  top.reduceRight((sum, c) => sum * r + c, 0) / bottom.reduceRight((sum, c) => sum * r + c, 0);

/** Φ⁻¹(p) by the rational approximations of Wichura (1988, algorithm AS 241): 16 digits. */
export function normalQuantile(p: number): number {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) return q * ratio(CENTRE[0], CENTRE[1], 0.180625 - q * q);
  const r = Math.sqrt(-Math.log(q < 0 ? p : 1 - p));
  if (r === Infinity) return q < 0 ? -Infinity : Infinity;
  const x = r <= 5 ? ratio(NEAR[0], NEAR[1], r - 1.6) : ratio(FAR[0], FAR[1], r - 5);
  return q < 0 ? -x : x;
}

const CENTRE = [
  [
    3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987,
    67265.7709270087, 33430.57558358813, 2509.0809287301227,
  ],
  [
    1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271,
    28729.085735721943, 5226.495278852546,
  ],
] as const;
const NEAR = [
  [
    1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684,
    0.2417807251774506, 0.022723844989269184, 0.0007745450142783414,
  ],
  [
    1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
    0.0005475938084995345, 1.0507500716444169e-9,
  ],
] as const;
const FAR = [
  [
    6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
    0.0012426609473880784, 2.7115555687434876e-5, 2.0103343992922881e-7,
  ],
  [
    1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133,
    1.8463183175100548e-5, 1.421511758316446e-7, 2.0442631033899397e-15,
  ],
] as const;
