/**
 * Special functions of a real argument to near double precision; the bounds are those of their tests.
 *
 * log Γ: Taylor series about 2 (coefficients ζ(k) − 1), recurrence, Stirling's series from 10 on.
 * erfc:  e^{−x²} times a Chebyshev series for (1 + 2x)·e^{x²}·erfc(x) in (x − k)/(x + k) (Shepherd and
 *        Laframboise 1981), so that the relative error stays small in the far tail.
 * Incomplete gamma and beta: power series and continued fractions (Abramowitz and Stegun 6.5.29, 6.5.31, 26.5.8)
 *        with the leading factor in Loader's (2000) saddle-point form, which does not cancel for large arguments.
 */

const HALF_LOG_2PI = 0.9189385332046727;
const EULER_GAMMA = 0.5772156649015329;
const TINY = 1e-300;

/** ζ(k) − 1 by Euler–Maclaurin from n = 20 on. */
function zetaMinusOne(k: number): number {
  let sum = 0;
  for (let n = 19; n >= 2; n--) sum += n ** -k;
  let term = (k * 20 ** (-k - 1)) / 12;
  let tail = 20 ** (1 - k) / (k - 1) + 0.5 * 20 ** -k + term;
  // Ratios of consecutive B_2j/(2j)!: −1/60, −1/42, −1/40, −5/198.
  const ratios = [-1 / 60, -1 / 42, -1 / 40, -5 / 198];
  for (let j = 0; j < ratios.length; j++) {
    term *= (ratios[j] * (k + 2 * j + 1) * (k + 2 * j + 2)) / 400;
    tail += term;
  }
  return sum + tail;
}

const aboutTwo = Float64Array.from({ length: 30 }, (_, i) => {
  const k = i + 1;
  return k === 1 ? 1 - EULER_GAMMA : ((k % 2 === 0 ? 1 : -1) * zetaMinusOne(k)) / k;
});

/** log Γ(2 + z) for |z| ≤ ½. */
function logGammaAboutTwo(z: number): number {
  let sum = 0;
  for (let i = aboutTwo.length - 1; i >= 0; i--) sum = z * (sum + aboutTwo[i]);
  return sum;
}

/** B_2k / (2k(2k − 1)), k = 1, …: Stirling's series. From x = 10 on, the first term left out is below 3e-17. */
const stirlingSeries = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156];

const stirling = (x: number): number => (x - 0.5) * Math.log(x) - x + HALF_LOG_2PI;

/** log Γ(x) − stirling(x). */
function stirlingError(x: number): number {
  if (x < 10) return logGamma(x) - stirling(x);
  let sum = 0;
  for (let i = stirlingSeries.length - 1; i >= 0; i--) sum = sum / (x * x) + stirlingSeries[i];
  return sum / x;
}

/** log Γ(x) for x ≥ 0; NaN for negative x. */
export function logGamma(x: number): number {
  if (!(x >= 0)) return Number.NaN;
  if (x >= 10) return x === Number.POSITIVE_INFINITY ? x : stirling(x) + stirlingError(x);
  if (x < 0.5) return logGamma(1 + x) - Math.log(x);
  if (x < 1.5) return logGammaAboutTwo(x - 1) - Math.log1p(x - 1);
  let product = 1;
  while (x > 2.5) {
    x -= 1;
    product *= x;
  }
  return Math.log(product) + logGammaAboutTwo(x - 2);
}

/** Chebyshev coefficients of (1 + 2x)·e^{x²}·erfc(x) on x ≥ 0 in t = (x − 3.75)/(x + 3.75). */
const scaledErfcSeries = new Float64Array([
  1.1775789345674017, -0.004590054580646478, -0.08424913336651792, 0.05920993999819189, -0.026658668435305753,
  0.009074997670705265, -0.002413163540417608, 0.0004907758365258086, -6.916973302501207e-5,
  4.13902798607301e-6, 7.740383066198494e-7, -2.1886401049234373e-7, 1.0764999465671112e-8,
  4.521959811218466e-9, -7.754400208829793e-10, -6.318088340873547e-11, 2.8687950109412775e-11,
  1.945586855379087e-13, -9.654696747896442e-13, 3.252548150842057e-14, 3.347811948286861e-14,
  -1.864562907351375e-15, -1.2507951067674961e-15, 7.418227243211198e-17, 5.068138297239216e-17,
]);

/** e^{x²}·erfc(x) for x ≥ 0. */
export function scaledErfc(x: number): number {
  if (x > 1e10) return 1 / (x * Math.sqrt(Math.PI));
  const t = (x - 3.75) / (x + 3.75);
  let b1 = 0;
  let b2 = 0;
  for (let i = scaledErfcSeries.length - 1; i >= 1; i--) {
    const b = 2 * t * b1 - b2 + scaledErfcSeries[i];
    b2 = b1;
    b1 = b;
  }
  return (t * b1 - b2 + scaledErfcSeries[0]) / (1 + 2 * x);
}

/** e^{−scale·x²}: a rounded square would cost x²·2⁻⁵³ of relative error. The square of a float32 is exact. */
export function expMinusSquare(x: number, scale: 1 | 0.5): number {
  const head = Math.fround(x);
  if (Math.abs(head) > 100) return 0;
  return Math.exp(-scale * head * head) * Math.exp(-scale * (x - head) * (x + head));
}

export function erfc(x: number): number {
  if (Math.abs(x) < 0.5) return 1 - erf(x);
  return x < 0 ? 2 - erfc(-x) : expMinusSquare(x, 1) * scaledErfc(x);
}

export function erf(x: number): number {
  if (Math.abs(x) >= 0.5) return 1 - erfc(x);
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
    if (term === 0) break;
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

/** log(1 + μ) − μ, without cancellation; `ratio` is 1 + μ as the caller knows it best. */
function logGap(mu: number, ratio: number): number {
  if (Math.abs(mu) > 0.5) return Math.log(ratio) - mu;
  const r = mu / (2 + mu);
  let sum = 0;
  for (let k = 39; k >= 3; k -= 2) sum = sum * r * r + 1 / k;
  return 2 * sum * r * r * r - mu * r;
}

/** x^a e^{−x} / Γ(a). */
export function gammaFactor(a: number, x: number): number {
  const mu = (x - a) / a;
  return Math.sqrt(a / (2 * Math.PI)) * Math.exp(a * logGap(mu, x / a) - stirlingError(a));
}

function gammaSeries(a: number, x: number): number {
  let term = 1 / a;
  let sum = term;
  for (let n = 1; term > sum * 1e-17; n++) {
    term *= x / (a + n);
    sum += term;
  }
  return gammaFactor(a, x) * sum;
}

function gammaFraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = 1 / TINY;
  let d = 1 / b;
  let h = d;
  for (let i = 1, change = 0; Math.abs(change - 1) > 2e-16 && i < 1e6; i++) {
    b += 2;
    const an = i * (a - i);
    d = 1 / (an * d + b || TINY);
    c = b + an / c || TINY;
    change = c * d;
    h *= change;
  }
  return gammaFactor(a, x) * h;
}

/** P(a, x) = γ(a, x) / Γ(a), the distribution function of a gamma variable of shape a. */
export function incompleteGamma(a: number, x: number): number {
  if (!(a > 0) || Number.isNaN(x)) return Number.NaN;
  if (x <= 0) return 0;
  if (x === Number.POSITIVE_INFINITY) return 1;
  return x < a + 1 ? gammaSeries(a, x) : 1 - gammaFraction(a, x);
}

/** Q(a, x) = 1 − P(a, x), accurate where it is small. */
export function incompleteGammaUpper(a: number, x: number): number {
  if (!(a > 0) || Number.isNaN(x)) return Number.NaN;
  if (x <= 0) return 1;
  if (x === Number.POSITIVE_INFINITY) return 0;
  return x < a + 1 ? 1 - gammaSeries(a, x) : gammaFraction(a, x);
}

/** x^a y^b / B(a, b), y = 1 − x. */
function betaFactor(x: number, y: number, a: number, b: number): number {
  const n = a + b;
  const excess = b * x - a * y;
  const exponent = a * logGap(excess / a, (x * n) / a) + b * logGap(-excess / b, (y * n) / b);
  const scale = Math.sqrt(((a / n) * b) / (2 * Math.PI));
  return scale * Math.exp(exponent + stirlingError(n) - stirlingError(a) - stirlingError(b));
}

/**
 * The even part of the continued fraction 26.5.8 (DiDonato and Morris 1992, eq. 11) by Lentz's method. It takes
 * a − (a + b)x as ay − bx, which keeps its accuracy when x is close to 0 or 1 (Student's t with many degrees of freedom).
 */
function betaFraction(x: number, y: number, a: number, b: number): number {
  const lambda = a * y - b * x;
  let h = (a / (a + 1)) * (lambda + 1) || TINY;
  let c = h;
  let d = 0;
  for (let n = 1, change = 0; Math.abs(change - 1) > 2e-16 && n < 1e6; n++) {
    const e = a + 2 * n - 1;
    const alpha = ((a + n - 1) / e) * ((a + b + n - 1) / e) * n * (b - n) * x * x;
    const beta = n + (n * (b - n) * x) / e + ((a + n) / (e + 2)) * (lambda + 1 + n * (1 + y));
    d = 1 / (beta + alpha * d || TINY);
    c = beta + alpha / c || TINY;
    change = c * d;
    h *= change;
  }
  return betaFactor(x, y, a, b) / h;
}

/** I_x(a, b). Where x is close to 1, pass y = 1 − x if it is known better than the subtraction gives it. */
export function incompleteBeta(x: number, a: number, b: number, y = 1 - x): number {
  if (!(a > 0 && b > 0) || Number.isNaN(x)) return Number.NaN;
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  return x < (a + 1) / (a + b + 2) ? betaFraction(x, y, a, b) : 1 - betaFraction(y, x, b, a);
}

/** 1 / (1 + e^{−x}). */
export function expit(x: number): number {
  const e = Math.exp(-Math.abs(x));
  return x < 0 ? e / (1 + e) : 1 / (1 + e);
}
