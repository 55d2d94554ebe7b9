/** What kernels/decimals.ts writes, in plain TypeScript. */

/** The shortest decimal that is read as the same float32 number; an exact middle of two has one digit more. */
export function decimalText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const size = Math.abs(value);
  if (size === Number.POSITIVE_INFINITY) return `${sign}inf`;
  if (size === 0) return `${sign}0.0`;
  const [digits, exponent] = shortest(size);
  return sign + spelt(digits, exponent);
}

/** Digits, of which the last is no zero, and the exponent of the first. */
function shortest(size: number): [string, number] {
  for (let more = 0; ; more++) {
    const closest = size.toExponential(more);
    const longer = size.toExponential(more + 1);
    const isMiddle = Number(longer) === size && /5e/.test(longer);
    // Numbers below a power of two lie closer than those above it: where the closest decimal is read as one of them,
    // the next one may still be read as the power.
    for (const text of [closest, next(closest, more)]) {
      if (Math.fround(Number(text)) === size) return parts(isMiddle ? longer : text);
    }
  }
}

function next(decimal: string, more: number): string {
  const [digits, exponent] = parts(decimal);
  return `${Number(digits.padEnd(more + 1, "0")) + 1}e${exponent - more}`;
}

function parts(decimal: string): [string, number] {
  const [mantissa, exponent] = decimal.split("e");
  const [whole, fraction = ""] = mantissa.split(".");
  return [(whole + fraction).replace(/0+$/, ""), Number(exponent) + whole.length - 1];
}

function spelt(digits: string, exponent: number): string {
  if (exponent < -4 || exponent >= 16) {
    const power = `${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
    return `${digits[0]}${digits.length > 1 ? `.${digits.slice(1)}` : ""}e${power}`;
  }
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${whole}.${digits.slice(exponent + 1) || "0"}`;
}
