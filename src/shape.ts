/** What plain data must look like before anybody works with them: nothing is believed because we wrote it. */

/** What is wrong with a value, in words that follow its name; undefined where nothing is. */
export type Shape = (value: unknown, name: string) => string | undefined;

export const text: Shape = (value, name) => (typeof value === "string" ? undefined : `${name} is no text`);

export const flag: Shape = (value, name) =>
  typeof value === "boolean" ? undefined : `${name} is neither true nor false`;

export const anything: Shape = () => undefined;

export const finite: Shape = (value, name) =>
  typeof value === "number" && Number.isFinite(value) ? undefined : `${name} is no number`;

/** A number that may be unknown: JSON has null for what is not finite. */
export const perhapsFinite: Shape = (value, name) => (value === null ? undefined : finite(value, name));

export function within(least: number, most: number): Shape {
  return (value, name) =>
    finite(value, name) ??
    ((value as number) < least || (value as number) > most ? `${name} is ${value}` : undefined);
}

export const probability = within(0, 1);
export const notNegative = within(0, Number.MAX_VALUE);

export function whole(least: number, most = Number.MAX_SAFE_INTEGER): Shape {
  return (value, name) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
      ? undefined
      : `${name} is ${short(value)}`;
}

export function oneOf(...values: readonly unknown[]): Shape {
  return (value, name) => (values.includes(value) ? undefined : `${name} is ${short(value)}`);
}

export function either(...shapes: readonly Shape[]): Shape {
  return (value, name) => {
    const problems = shapes.map((shape) => shape(value, name));
    return problems.includes(undefined) ? undefined : problems[0];
  };
}

/** Without a length, as long as it likes. */
export function list(of: Shape, length?: number): Shape {
  return (value, name) => {
    if (!Array.isArray(value)) return `${name} is no list`;
    if (length !== undefined && value.length !== length)
      return `${name} has ${value.length} entries, not ${length}`;
    for (let i = 0; i < value.length; i++) {
      const problem = of(value[i], name);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}

/** Texts of which no two are alike. */
export const names: Shape = (value, name) =>
  list(text)(value, name) ??
  (new Set(value as string[]).size < (value as string[]).length ? `${name} holds a name twice` : undefined);

/** Different positions in a list of so many. */
export function positions(count: number): Shape {
  return (value, name) =>
    list(whole(0, count - 1))(value, name) ??
    (new Set(value as number[]).size < (value as number[]).length
      ? `${name} holds a position twice`
      : undefined);
}

/** Rounding may take this share of a covariance. */
const ROUNDED = 1e-3;

/** A covariance, row-major: no variance is negative, no correlation beyond one. */
export function covariance(size: number): Shape {
  return (value, name) => {
    const problem = list(finite, size * size)(value, name);
    if (problem !== undefined) return problem;
    const at = value as readonly number[];
    const sd = Array.from({ length: size }, (_, i) => Math.sqrt(at[i * size + i]));
    if (sd.some(Number.isNaN)) return `${name} has a negative variance`;
    const beyond = at.some((c, i) => Math.abs(c) > (1 + ROUNDED) * sd[Math.floor(i / size)] * sd[i % size]);
    return beyond ? `${name} has a correlation beyond one` : undefined;
  };
}

type Fields = Readonly<Record<string, Shape>>;

/** Other fields may be there, too: a later version may have added them. */
export function object(needed: Fields, optional: Fields = {}): Shape {
  return (value, name) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return `${name} is no object`;
    const found = value as Readonly<Record<string, unknown>>;
    const inside = name === "" ? "" : `${name}.`;
    for (const [field, shape] of Object.entries(needed)) {
      const problem = Object.hasOwn(found, field)
        ? shape(found[field], inside + field)
        : `${inside}${field} is missing`;
      if (problem !== undefined) return problem;
    }
    for (const [field, shape] of Object.entries(optional)) {
      if (!Object.hasOwn(found, field) || found[field] === undefined) continue;
      const problem = shape(found[field], inside + field);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}

/** Fields of any names, all of one shape. */
export const every =
  (of: Shape): Shape =>
  (value, name) => {
    const fields = typeof value === "object" && value !== null ? Object.keys(value) : [];
    return object(Object.fromEntries(fields.map((field) => [field, of])))(value, name);
  };

/** Looks further once the shape is that of `T`. */
export function and<T>(shape: Shape, further: (value: T, name: string) => string | undefined): Shape {
  return (value, name) => shape(value, name) ?? further(value as T, name);
}

function short(value: unknown): string {
  return typeof value === "object" && value !== null
    ? "no number"
    : (JSON.stringify(value)?.slice(0, 40) ?? "missing");
}
